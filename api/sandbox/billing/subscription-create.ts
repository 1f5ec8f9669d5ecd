import { ApiError, invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import type { PaymentIntent, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { payInvoice, paymentMethodOf, paymentMethodOfSubscription } from './invoice-collection.ts'
import { finalizeInvoice } from './invoices.ts'
import { billingMethodTypes } from './payment-method-types.ts'
import { createSetupIntent } from './setup-intents.ts'
import { createPeriodInvoice, periodFrom, withPeriod } from './subscription-periods.ts'
import { insertSubscription, onInvoicePaid } from './subscription-state.ts'

export type PaymentBehaviour = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete'

function requireMethod(method: PaymentMethod | null): PaymentMethod {
  if (method === null) {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  return method
}

/** With `error_if_incomplete` the subscription is only created if its first invoice is paid. */
function assertPaid(intent: PaymentIntent): void {
  if (intent.status === 'succeeded') return
  if (intent.status === 'requires_action') {
    throw new ApiError(402, {
      type: 'card_error',
      code: 'subscription_payment_intent_requires_action',
      message: 'Payment for this subscription requires additional user action before it can be completed successfully.',
    })
  }
  const failure = intent.last_payment_error
  throw new ApiError(402, {
    type: 'card_error',
    code: failure?.code ?? 'card_declined',
    message: failure?.message ?? 'Your card was declined.',
    ...(failure?.decline_code === undefined ? {} : { decline_code: failure.decline_code }),
  })
}

function payFirstInvoice(ctx: Context, invoice: Invoice, behaviour: PaymentBehaviour): void {
  if (behaviour === 'default_incomplete') return
  const intent = payInvoice(ctx, invoice, requireMethod(paymentMethodOf(ctx, invoice)), false)
  if (behaviour === 'error_if_incomplete') assertPaid(intent)
}

function needsNoConsent({ hidden }: PaymentMethod): boolean {
  return hidden.behaviour === 'succeeds' || (hidden.behaviour === 'paypal' && hidden.authenticated)
}

/** A trial has nothing to pay at first, so a SetupIntent collects its payment method. */
function createPendingSetupIntent(
  ctx: Context,
  subscription: Subscription,
  behaviour: PaymentBehaviour,
): string | null {
  const method = paymentMethodOfSubscription(ctx, subscription)
  const needed = method === null || (behaviour === 'default_incomplete' && !needsNoConsent(method))
  if (subscription.trial_end === null || !needed) return null
  const setup = createSetupIntent(ctx, {
    ...billingMethodTypes(subscription.payment_settings?.payment_method_types),
    customer: subscription.customer,
    description: null,
    metadata: {},
    payment_method: method?.id ?? null,
    usage: 'off_session',
    hidden: { subscription: subscription.id, returnUrl: null },
  })
  return setup.id
}

export function startSubscription(ctx: Context, draft: Subscription, behaviour: PaymentBehaviour): Subscription {
  const period = draft.trial_end === null ? periodFrom(draft, ctx.now) : { start: ctx.now, end: draft.trial_end }
  const stored = insertSubscription(ctx, {
    ...draft,
    items: withPeriod(draft, period),
    pending_setup_intent: createPendingSetupIntent(ctx, draft, behaviour),
  })
  const { draft: first } = createPeriodInvoice(ctx, stored, {
    billing_reason: 'subscription_create',
    auto_advance: true,
    period_start: ctx.now,
    period_end: ctx.now,
  })
  const invoice = finalizeInvoice(ctx, first, paymentMethodOf(ctx, first)?.id ?? null)
  if (draft.trial_end !== null) return getObject(ctx, 'subscription', draft.id)
  if (invoice.status === 'paid') onInvoicePaid(ctx, invoice, null)
  else payFirstInvoice(ctx, invoice, behaviour)
  return getObject(ctx, 'subscription', draft.id)
}
