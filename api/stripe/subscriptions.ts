import type Stripe from 'stripe'
import { londonDay } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { ignoreIfRefused, isRejectedByStripe } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { idOf } from './ids-and-times.ts'
import { createTaking, type PaymentMethods } from './payment-methods.ts'

/** What the browser needs for the first payment, or for the card of a trial. */
const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

export type NewSubscription = {
  customer: string
  price: string
  taxRate: string
  metadata: Record<string, string>
  /** Unix seconds: nothing is charged before. Null where the first payment is due at once. */
  trialEnd: number | null
}

/** Creates a subscription that waits for its first payment; every repeat under the same key returns that one. */
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

/** A trial that has no card when it ends is cancelled without having charged anything. */
const trialUntil = (trialEnd: number) => ({
  trial_end: trialEnd,
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
})

/** A subscription with all that its first payment needs. */
export const retrieveForPayment = ({ stripe }: HasStripe, subscriptionId: string): Promise<Stripe.Subscription> =>
  stripe.subscriptions.retrieve(subscriptionId, { expand })

/** What the browser confirms the first payment with, or a trial's card; null once there is nothing to confirm. */
export function clientSecretOf(subscription: Stripe.Subscription): string | null {
  const { status, latest_invoice: invoice, pending_setup_intent: setup } = subscription
  if (status === 'trialing') {
    return typeof setup === 'object' && setup?.status !== 'succeeded' ? (setup?.client_secret ?? null) : null
  }
  if (status !== 'incomplete') return null
  return typeof invoice === 'object' ? (invoice?.confirmation_secret?.client_secret ?? null) : null
}

/** The day on which the period ends that the first payment is for. */
export function nextPaymentOn(subscription: Stripe.Subscription): string {
  const end = subscription.items.data[0]?.current_period_end ?? subscription.created
  return londonDay(new Date(end * 1000))
}

/** Every subscription of a customer, the ended ones too. */
export const listSubscriptions = ({ stripe }: HasStripe, customer: string): Promise<Stripe.Subscription[]> =>
  stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1000 })

/** Cancels at once. May be repeated. */
export const cancelSubscription = ({ stripe }: HasStripe, subscriptionId: string): Promise<void> =>
  ignoreIfRefused(() => stripe.subscriptions.cancel(subscriptionId))

export const isRunningAtProvider = async ({ stripe }: HasStripe, subscriptionId: string): Promise<boolean> =>
  isLive((await stripe.subscriptions.retrieve(subscriptionId)).status)

export async function cancelSubscriptionIfLive(ctx: HasStripe, subscriptionId: string): Promise<void> {
  if (await isRunningAtProvider(ctx, subscriptionId)) await cancelSubscription(ctx, subscriptionId)
}

/** What of a subscription says how it was cancelled. */
export type Cancellation = { id: string; cancelAtPeriodEnd: boolean }

/** Takes a cancellation to come back: with the next period it is charged again. */
export async function undoCancellation({ stripe }: HasStripe, { id, cancelAtPeriodEnd }: Cancellation): Promise<void> {
  await stripe.subscriptions.update(id, cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' })
}

/**
 * Resumes a paused subscription: the provider makes an invoice for a period that begins now, and the subscription becomes
 * active once that is paid. Nothing is charged by this. While such an invoice is open there is no second one; the key names
 * the one before it, so that two tabs get the same. Returns whether there was something to resume.
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

/** The card that pays the subscription's next invoice becomes the one that is charged from then on, whichever was set before. */
export const saveCardOfNextPayment = ({ stripe }: HasStripe, subscriptionId: string): Promise<void> =>
  ignoreIfRefused(() =>
    stripe.subscriptions.update(subscriptionId, {
      payment_settings: { save_default_payment_method: 'on_subscription' },
    }),
  )

/**
 * The subscription's own card, which outranks its customer's. One that has ended in the meantime is left as it is. Returns
 * whether the provider took the card for it.
 */
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
