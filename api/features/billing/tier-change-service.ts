import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { currentBilling } from '#api/features/subscriptions/view-service.ts'
import type { HasStripe } from '#api/stripe/client.ts'
import { setDefaultCard } from '#api/stripe/customers.ts'
import { ignoreIfRefused } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { getOrCreateVatRate, type PricedTier, tierOfPrice, withPriceOnSale } from '#api/stripe/prices.ts'
import { createOrReuseSchedule, releaseSchedule, scheduleNextPhase } from '#api/stripe/schedules.ts'
import { tierItemOf, withAllItems } from '#api/stripe/tier-items.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { BillingSubscription, ChangeTierRequest, SubscriptionStatus } from '#shared/contract/billing.ts'
import type { OnBehalf } from './on-behalf-service.ts'
import { assertNotRevoked, type OwnSubscription, withOwnSubscription } from './own-subscription-service.ts'
import { tierAtShownPrice } from './purchases/service.ts'

/** Changes the tier with the next payment. Choosing the current tier cancels a booked change. */
export async function changeTier(
  ctx: Context,
  onBehalf: OnBehalf,
  request: ChangeTierRequest,
): Promise<BillingSubscription> {
  assertNotRevoked(onBehalf.person)
  await withOwnSubscription(ctx, onBehalf.person, async (subscription) => {
    assertBetweenPayments(subscription)
    const { id, stripePriceId } = subscription
    // An adopted subscription's price names no tier.
    const present = (stripePriceId === null ? null : await tierOfPrice(ctx, stripePriceId)) ?? subscription.tierSlug
    if (present === request.tierSlug) return dropTierChange(ctx, onBehalf, subscription)
    const tier = tierAtShownPrice(ctx, request)
    if (subscription.nextTierSlug === tier.slug && subscription.nextTierNet === tier.price) return
    await bookTierChange(ctx, id, tier)
    auditTierChange(ctx, onBehalf, 'subscription.change_tier', {
      subscription: id,
      from: present,
      to: tier.slug,
      net: tier.price,
    })
  })
  return currentBilling(ctx, onBehalf.person)
}

export async function undoTierChange(ctx: Context, onBehalf: OnBehalf): Promise<BillingSubscription> {
  assertNotRevoked(onBehalf.person)
  await withOwnSubscription(ctx, onBehalf.person, (subscription) => dropTierChange(ctx, onBehalf, subscription))
  return currentBilling(ctx, onBehalf.person)
}

/** Charges and credits nothing until the next period. Replaces an earlier booked change. Returns the provider's price. */
export async function bookTierChange(ctx: HasStripe, subscriptionId: string, tier: PricedTier): Promise<string> {
  const taxRate = await getOrCreateVatRate(ctx)
  const present = await makeSubscriptionCardDefault(ctx, subscriptionId)
  const schedule = await createOrReuseSchedule(ctx, subscriptionId)
  return withPriceOnSale(ctx, tier, async (price) => {
    await scheduleNextPhase(ctx, schedule, { ...present, price, taxRate, metadata: { tier: tier.slug } })
    return price
  })
}

/**
 * A schedule charges the customer's card unless its phases name one, which would outlive a change of card. So the subscription's
 * card becomes the customer's. Returns the discount ids, which stay, and the price the tier's item has.
 */
async function makeSubscriptionCardDefault(ctx: HasStripe, subscriptionId: string) {
  const subscription = await withAllItems(ctx, await ctx.stripe.subscriptions.retrieve(subscriptionId))
  const { customer, default_payment_method: card, discounts } = subscription
  // Refused for a card that was taken off in the dashboard: Billing asks for another one.
  if (card !== null) await ignoreIfRefused(() => setDefaultCard(ctx, idOf(customer), idOf(card)))
  const from = tierItemOf(subscription)?.price.id ?? null
  return { from, discounts: discounts.flatMap((discount) => idOf(discount) ?? []) }
}

async function dropTierChange(
  ctx: Context,
  onBehalf: OnBehalf,
  { id: subscription, tierSlug, nextTierSlug }: OwnSubscription,
): Promise<void> {
  // Owners made a price change for the same tier. The member has been told about it and can't undo it.
  if (nextTierSlug === tierSlug) return
  if (await releaseSchedule(ctx, subscription))
    auditTierChange(ctx, onBehalf, 'subscription.keep_tier', { subscription })
}

const requiredFirst: Partial<Record<SubscriptionStatus, string>> = {
  past_due: 'Pay your unpaid invoice first. Then you can change tier.',
  unpaid: 'Pay your unpaid invoice first. Then you can change tier.',
  unrecognised: 'Your membership isn’t set up yet. Contact us first.',
  paused: 'Resume your membership first. Then you can change tier.',
  incomplete: 'Finish joining first. You can choose another tier there.',
}

/** A tier changes only between two successful payments. */
export function assertBetweenPayments({ status, isEnding, isCollectionPaused }: OwnSubscription): void {
  if (status !== 'active' && status !== 'trialing') {
    throw new AppError('conflict', requiredFirst[status] ?? 'Your membership has ended. You can start a new one.')
  }
  if (isCollectionPaused) {
    throw new AppError('conflict', 'Your payments are paused. You can change tier once they’ve started again.')
  }
  if (isEnding) {
    throw new AppError('conflict', 'Your membership is set to end. Resume it first, then you can change tier.')
  }
}

function auditTierChange(
  ctx: Context,
  { person, actor }: OnBehalf,
  action: AuditAction,
  detail: Record<string, unknown>,
): void {
  audit(ctx, actor, action, { targetId: person.id, detail })
}
