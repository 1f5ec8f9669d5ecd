import type Stripe from 'stripe'
import { londonDay } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { ignoreIfRefused, isRejectedByStripe } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { idOf } from './ids-and-times.ts'
import { createTaking, type PaymentMethods } from './payment-methods.ts'
import { tierItemOf } from './tier-items.ts'

/** What the browser needs for the first payment, or a trial's card. */
const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

export type NewSubscription = {
  customer: string
  price: string
  taxRate: string
  metadata: Record<string, string>
  /** Unix seconds. We charge nothing before then. Null if the first payment is due now. */
  trialEnd: number | null
}

/** Creates a subscription that waits for its first payment. Idempotent per key. */
export const createIncompleteSubscription = (
  { stripe }: HasStripe,
  order: NewSubscription,
  { key, takes }: { key: string; takes: PaymentMethods },
): Promise<Stripe.Subscription> =>
  createTaking(takes, (payment_method_types, suffix) =>
    stripe.subscriptions.create(
      { ...toParams(order), payment_settings: { ...savesMethod, payment_method_types } },
      { idempotencyKey: key + suffix },
    ),
  )

const savesMethod = { save_default_payment_method: 'on_subscription' } as const

const toParams = ({ customer, price, taxRate, metadata, trialEnd }: NewSubscription) => ({
  customer,
  items: [{ price }],
  default_tax_rates: [taxRate],
  payment_behavior: 'default_incomplete' as const,
  metadata,
  ...(trialEnd === null ? {} : trialUntil(trialEnd)),
  expand,
})

/** A trial that ends without a card is cancelled without a charge. */
const trialUntil = (trialEnd: number) => ({
  trial_end: trialEnd,
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
})

export const retrieveForPayment = ({ stripe }: HasStripe, subscriptionId: string): Promise<Stripe.Subscription> =>
  stripe.subscriptions.retrieve(subscriptionId, { expand })

/** What the browser confirms the first payment or a trial's card with. Null if there's nothing to confirm. */
export function clientSecretOf(subscription: Stripe.Subscription): string | null {
  const { status, latest_invoice: invoice, pending_setup_intent: setup } = subscription
  if (status === 'trialing') {
    return typeof setup === 'object' && setup?.status !== 'succeeded' ? (setup?.client_secret ?? null) : null
  }
  if (status !== 'incomplete') return null
  return typeof invoice === 'object' ? (invoice?.confirmation_secret?.client_secret ?? null) : null
}

/** The day the first payment's period ends, when the next one is due. */
export function nextPaymentOn(subscription: Stripe.Subscription): string {
  const end = tierItemOf(subscription)?.current_period_end ?? subscription.created
  return londonDay(new Date(end * 1000))
}

export const listSubscriptions = ({ stripe }: HasStripe, customer: string): Promise<Stripe.Subscription[]> =>
  stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1000 })

/** Cancels immediately. Idempotent. */
export const cancelSubscription = ({ stripe }: HasStripe, subscriptionId: string): Promise<void> =>
  ignoreIfRefused(() => stripe.subscriptions.cancel(subscriptionId))

export const isRunningAtProvider = async ({ stripe }: HasStripe, subscriptionId: string): Promise<boolean> =>
  isLive((await stripe.subscriptions.retrieve(subscriptionId)).status)

export async function cancelSubscriptionIfLive(ctx: HasStripe, subscriptionId: string): Promise<void> {
  if (await isRunningAtProvider(ctx, subscriptionId)) await cancelSubscription(ctx, subscriptionId)
}

/**
 * Takes the next payment on a later day: a trial until then, which is at most two years after the anchor. Nothing paid is credited.
 * https://docs.stripe.com/billing/subscriptions/billing-cycle
 */
export async function moveNextPayment({ stripe }: HasStripe, id: string, to: string): Promise<void> {
  await stripe.subscriptions.update(id, { trial_end: Math.floor(Date.parse(to) / 1000), proration_behavior: 'none' })
}

export type Cancellation = { id: string; cancelAtPeriodEnd: boolean }

/** Undoes a cancellation: the next period is charged again. */
export async function undoCancellation({ stripe }: HasStripe, { id, cancelAtPeriodEnd }: Cancellation): Promise<void> {
  await stripe.subscriptions.update(id, cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' })
}

/**
 * Resumes a paused subscription: Stripe makes an invoice for a period from now, and the subscription becomes active when it's
 * paid. This charges nothing. While the invoice is open there's no second one, and the key names the invoice before it, so two
 * tabs get the same. Returns whether there was anything to resume.
 */
export async function resumePausedSubscription(ctx: HasStripe, subscriptionId: string): Promise<boolean> {
  const expand = ['latest_invoice']
  const { latest_invoice: last, status } = await ctx.stripe.subscriptions.retrieve(subscriptionId, { expand })
  const hasOpenInvoice = typeof last === 'object' && last?.status === 'open'
  if (status !== 'paused' || hasOpenInvoice) return false
  await withIdempotencyKey(ctx, `resume:${subscriptionId}:${idOf(last)}`, (options) =>
    ctx.stripe.subscriptions.resume(subscriptionId, { payment_behavior: 'resume_on_payment_success' }, options),
  )
  return true
}

/** Charges the card that pays the next invoice from then on, whichever was set before. */
export const saveCardOfNextPayment = ({ stripe }: HasStripe, subscriptionId: string): Promise<void> =>
  ignoreIfRefused(() =>
    stripe.subscriptions.update(subscriptionId, {
      payment_settings: { save_default_payment_method: 'on_subscription' },
    }),
  )

/** Outranks the customer's card. Leaves an ended subscription alone. Returns whether Stripe accepted the card. */
export async function setSubscriptionCard(
  { stripe }: HasStripe,
  subscriptionId: string,
  paymentMethodId: string,
): Promise<boolean> {
  try {
    await stripe.subscriptions.update(subscriptionId, { default_payment_method: paymentMethodId })
    return true
  } catch (error) {
    if (isRejectedByStripe(error)) return false
    throw error
  }
}
