import { ApiError, invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { get, type Work } from '#api/sandbox/store/context.ts'
import type { PaymentIntent, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { methodOf, methodOfSubscription, payInvoice } from './invoice-collection.ts'
import { finalizeInvoice } from './invoices.ts'
import { acceptanceOfBilling } from './payment-method-types.ts'
import { createSetup } from './setup-intents.ts'
import { draftForPeriod, periodFrom, withPeriod } from './subscription-periods.ts'
import { afterPaid, storeSubscription } from './subscription-state.ts'

export type PaymentBehaviour = 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete'

function needMethod(method: PaymentMethod | null): PaymentMethod {
  if (method === null) {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method.',
      { code: 'resource_missing' },
    )
  }
  return method
}

/** `error_if_incomplete`: the subscription is not made unless its first invoice is paid. */
function insistOnPaid(intent: PaymentIntent): void {
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

function payFirst(work: Work, invoice: Invoice, behaviour: PaymentBehaviour): void {
  if (behaviour === 'default_incomplete') return
  const intent = payInvoice(work, invoice, needMethod(methodOf(work, invoice)), false)
  if (behaviour === 'error_if_incomplete') insistOnPaid(intent)
}

/** Nobody will have to agree to its charges any more. */
function isSettled({ hidden }: PaymentMethod): boolean {
  return hidden.behaviour === 'succeeds' || (hidden.behaviour === 'paypal' && hidden.authenticated)
}

/** A trial with nothing to pay now asks for the card through a SetupIntent. */
function setupFor(work: Work, subscription: Subscription, behaviour: PaymentBehaviour): string | null {
  const method = methodOfSubscription(work, subscription)
  const needed = method === null || (behaviour === 'default_incomplete' && !isSettled(method))
  if (subscription.trial_end === null || !needed) return null
  const setup = createSetup(work, {
    ...acceptanceOfBilling(subscription.payment_settings?.payment_method_types),
    customer: subscription.customer,
    description: null,
    metadata: {},
    payment_method: method?.id ?? null,
    usage: 'off_session',
    hidden: { subscription: subscription.id, returnUrl: null },
  })
  return setup.id
}

/** Stores the subscription, bills its first period and tries to collect it as `behaviour` says. */
export function beginSubscription(work: Work, draft: Subscription, behaviour: PaymentBehaviour): Subscription {
  const period = draft.trial_end === null ? periodFrom(draft, work.now) : { start: work.now, end: draft.trial_end }
  const stored = storeSubscription(work, {
    ...draft,
    items: withPeriod(draft, period),
    pending_setup_intent: setupFor(work, draft, behaviour),
  })
  const { draft: first } = draftForPeriod(work, stored, {
    billing_reason: 'subscription_create',
    auto_advance: true,
    period_start: work.now,
    period_end: work.now,
  })
  const invoice = finalizeInvoice(work, first, methodOf(work, first)?.id ?? null)
  if (draft.trial_end !== null) return get(work, 'subscription', draft.id)
  if (invoice.status === 'paid') afterPaid(work, invoice, null)
  else payFirst(work, invoice, behaviour)
  return get(work, 'subscription', draft.id)
}
