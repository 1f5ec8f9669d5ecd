import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { type Attempt, closeAttempt } from '#api/features/subscriptions/purchase-attempts-service.ts'
import { findCustomer } from '#api/features/subscriptions/queries.ts'
import { assertNoUnknownMembership } from '#api/features/subscriptions/unknown-customers-service.ts'
import { createCustomer, findCustomerState } from '#api/stripe/customers.ts'
import { isRejectedByStripe, isServerFailure } from '#api/stripe/errors.ts'
import { cardAlone, cardOrPayPal } from '#api/stripe/payment-methods.ts'
import { getOrCreatePrice, getOrCreateVatRate, type PricedTier } from '#api/stripe/prices.ts'
import { createIncompleteSubscription, type NewSubscription } from '#api/stripe/subscriptions.ts'

/** What's sold. `trialEnd` is in Unix seconds, with no charge before it; null if the first payment is due now. */
export type Sale = {
  kind: Attempt['kind']
  tier: PricedTier
  trialEnd: number | null
  shownTerms: string | undefined
}

export async function buildOrder(ctx: Context, attempt: Attempt, { tier, trialEnd }: Sale): Promise<NewSubscription> {
  const customer = await getOrCreateCustomer(ctx, attempt)
  const [price, taxRate] = await Promise.all([getOrCreatePrice(ctx, tier), getOrCreateVatRate(ctx)])
  return {
    customer,
    price,
    taxRate,
    metadata: { userId: attempt.userId, attempt: attempt.id, tier: tier.slug },
    trialEnd,
  }
}

/** Sends the attempt's order. On a repeat the provider returns the same subscription. An error response closes the attempt. */
export async function placeOrder(ctx: Context, attempt: Attempt, order: NewSubscription): Promise<Stripe.Subscription> {
  try {
    const takes = attempt.kind === 'delayed' ? cardOrPayPal : cardAlone
    return await createIncompleteSubscription(ctx, order, { key: attempt.id, takes })
  } catch (error) {
    if (isRejectedByStripe(error)) closeAttempt(ctx, attempt.id, 'refused')
    if (isServerFailure(error)) {
      // The subscription may exist despite the error. Sync it, so that the next attempt can cancel it.
      await syncCustomer(ctx, order.customer)
      closeAttempt(ctx, attempt.id, 'failed')
    }
    throw error
  }
}

/** The user's customer at the provider, created with the first attempt, or again if the provider has lost it. */
async function getOrCreateCustomer(ctx: Context, attempt: Attempt): Promise<string> {
  const known = findCustomer(ctx, attempt.userId)
  // A repeat sends the same order, customer included.
  if (known !== undefined && attempt.request.order !== null) return known.stripeCustomerId
  const state = known === undefined ? 'missing' : await findCustomerState(ctx, known.stripeCustomerId)
  if (known !== undefined && state === 'there') return known.stripeCustomerId
  // After a restore, our row may name a customer who's gone, and predate the one that replaced them.
  await assertNoUnknownMembership(ctx, attempt)
  const { userId } = attempt
  const stripeCustomerId = await createCustomer(ctx, attempt.id, { ...attempt.request.customer, metadata: { userId } })
  transact(ctx, () => {
    if (known !== undefined) detachCustomer(ctx, userId, known)
    const createdAt = ctx.billingNow().toISOString()
    insertIfAbsent(ctx, customers, { id: ctx.newId(), userId, stripeCustomerId, createdAt })
  })
  return stripeCustomerId
}

/** The row stays the user's because of its past payments, but new purchases no longer use it. */
function detachCustomer(ctx: Context, userId: string, known: { id: string; stripeCustomerId: string }): void {
  const { changes } = ctx.db
    .update(customers)
    .set({ userId: null, formerUserId: userId })
    .where(and(eq(customers.id, known.id), eq(customers.userId, userId)))
    .run()
  if (changes === 0) return
  audit(ctx, 'system', 'customer.forgotten', { targetId: userId, detail: { customer: known.stripeCustomerId } })
}
