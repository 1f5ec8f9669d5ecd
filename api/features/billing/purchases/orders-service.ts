import type Stripe from 'stripe'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { isRejectedByStripe, isServerFailure } from '#api/stripe/errors.ts'
import { withIdempotencyKey } from '#api/stripe/idempotency.ts'
import { getOrCreatePrice, getOrCreateVatRate } from '#api/stripe/prices.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { type Attempt, type AttemptKind, closeAttempt, type SubscriptionOrder } from './attempts-service.ts'

const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent']

/** What is sold. `trialEnd` in unix seconds: nothing is taken before; null where the first payment is due at once. */
export type Sale = { kind: AttemptKind; tier: MembershipTier; trialEnd: number | null }

/** The order of an attempt as it would be now. */
export async function orderFor(ctx: Context, attempt: Attempt, { tier, trialEnd }: Sale): Promise<SubscriptionOrder> {
  const customer = await customerOf(ctx, attempt)
  const [price, taxRate] = await Promise.all([getOrCreatePrice(ctx, tier), getOrCreateVatRate(ctx)])
  return {
    customer,
    price,
    taxRate,
    metadata: { userId: attempt.userId, attempt: attempt.id, tier: tier.slug },
    trialEnd,
  }
}

/** Sends the attempt's order; repeated, the provider gives the same subscription. An error as its answer closes the attempt. */
export async function placeOrder(
  ctx: Context,
  attempt: Attempt,
  order: SubscriptionOrder,
): Promise<Stripe.Subscription> {
  const { customer, price, taxRate, metadata, trialEnd } = order
  try {
    return await ctx.stripe.subscriptions.create(
      {
        customer,
        items: [{ price }],
        default_tax_rates: [taxRate],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        metadata,
        ...(trialEnd === null ? {} : trialUntil(trialEnd)),
        expand,
      },
      { idempotencyKey: attempt.id },
    )
  } catch (error) {
    if (isRejectedByStripe(error)) closeAttempt(ctx, attempt.id, 'refused')
    if (isServerFailure(error)) {
      // Something may have come of it all the same: it is read before the next attempt takes it back.
      await syncCustomer(ctx, customer)
      closeAttempt(ctx, attempt.id, 'failed')
    }
    throw error
  }
}

/** Without a card by then it is cancelled, and nothing was ever charged. */
const trialUntil = (trialEnd: number) => ({
  trial_end: trialEnd,
  trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
})

export const readOrdered = (ctx: Context, subscriptionId: string) =>
  ctx.stripe.subscriptions.retrieve(subscriptionId, { expand })

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

/** The person's customer at the provider, made with his first attempt, and again where the provider has him no more. */
async function customerOf(ctx: Context, attempt: Attempt): Promise<string> {
  const known = ctx.sqlite
    .prepare<[string], { id: string; stripeCustomerId: string }>(
      'select id, stripeCustomerId from customers where userId = ?',
    )
    .get(attempt.userId)
  // What was ordered before is repeated as it was.
  if (known !== undefined && attempt.request.order !== null) return known.stripeCustomerId
  const state = known === undefined ? 'missing' : await findCustomerState(ctx, known.stripeCustomerId)
  if (known !== undefined && state === 'there') return known.stripeCustomerId
  const made = await withIdempotencyKey(ctx, `${attempt.id}:customer`, (options) =>
    ctx.stripe.customers.create({ ...attempt.request.customer, metadata: { userId: attempt.userId } }, options),
  )
  transact(ctx, () => {
    if (known !== undefined) forgetCustomer(ctx, attempt.userId, known)
    ctx.sqlite
      .prepare(
        'insert into customers (id, userId, stripeCustomerId, createdAt) values (?, ?, ?, ?) on conflict do nothing',
      )
      .run(ctx.newId(), attempt.userId, made.id, ctx.billingNow().toISOString())
  })
  return made.id
}

/** The row stays his, for the money that went through it: nothing new is sold on it. */
function forgetCustomer(ctx: Context, userId: string, known: { id: string; stripeCustomerId: string }): void {
  const { changes } = ctx.sqlite
    .prepare('update customers set userId = null, formerUserId = userId where id = ? and userId = ?')
    .run(known.id, userId)
  if (changes === 0) return
  audit(ctx, 'system', 'customer.forgotten', { targetId: userId, detail: { customer: known.stripeCustomerId } })
}
