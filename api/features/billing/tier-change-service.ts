import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { currentBilling } from '#api/features/subscriptions/view-service.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { HasStripe } from '#api/stripe/client.ts'
import { setDefaultCard } from '#api/stripe/customers.ts'
import { ignoreIfRefused } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import {
  everyOf,
  getOrCreateVatRate,
  type PricedTier,
  periodOf,
  readPrice,
  withPriceOnSale,
} from '#api/stripe/prices.ts'
import { createOrReuseSchedule, releaseSchedule, scheduleNextPhase } from '#api/stripe/schedules.ts'
import { tierItemOf, withAllItems } from '#api/stripe/tier-items.ts'
import { readUpgradable, type Upgradable } from '#api/stripe/upgrades.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { BillingSubscription, ChangeTierRequest, SubscriptionStatus } from '#shared/contract/billing.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { isNewPriceBooked } from '#shared/rules/tier-changes.ts'
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
    const present = await presentOf(ctx, subscription)
    // One that isn't sold any more can be kept.
    if (present.slug === request.tierSlug && isPeriodMeant(ctx, present, request))
      return dropTierChange(ctx, onBehalf, subscription)
    const target = tierAtShownPrice(ctx, request)
    if (isBooked(subscription, target)) return
    await bookTierChange(ctx, subscription.id, target)
    auditTierChange(ctx, onBehalf, 'subscription.change_tier', {
      subscription: subscription.id,
      from: present.slug,
      to: target.slug,
      net: target.price,
    })
  })
  return currentBilling(ctx, onBehalf.person)
}

/** The tier and period of the price that's paid. An adopted subscription's price names no tier. */
async function presentOf(ctx: Context, { stripePriceId, tierSlug }: OwnSubscription) {
  const price = stripePriceId === null ? null : await readPrice(ctx, stripePriceId)
  return { slug: price?.tier ?? tierSlug, every: price && everyOf(price) }
}

function isPeriodMeant(
  ctx: Context,
  { every }: { every: PricePeriod | null },
  { tierSlug, priceId }: ChangeTierRequest,
): boolean {
  if (priceId === undefined) return every !== 'year'
  return tierBySlug(ctx, tierSlug)?.prices.find(({ id }) => id === priceId)?.every === every
}

const isBooked = (
  { nextTierSlug, nextTierNet, nextTierPrice }: OwnSubscription,
  { slug, price, every }: PricedTier,
): boolean =>
  nextTierSlug === slug && nextTierNet === price && (nextTierPrice?.months ?? 1) === (every === 'year' ? 12 : 1)

export async function undoTierChange(ctx: Context, onBehalf: OnBehalf): Promise<BillingSubscription> {
  assertNotRevoked(onBehalf.person)
  await withOwnSubscription(ctx, onBehalf.person, (subscription) => dropTierChange(ctx, onBehalf, subscription))
  return currentBilling(ctx, onBehalf.person)
}

/** Charges and credits nothing until the next period. Replaces an earlier booked change. Returns the provider's price. */
export async function bookTierChange(ctx: HasStripe, subscriptionId: string, target: PricedTier): Promise<string> {
  const { every, slug } = target
  const taxRate = await getOrCreateVatRate(ctx)
  const { present, ...kept } = await makeSubscriptionCardDefault(ctx, subscriptionId)
  const restarts = present !== every
  if (restarts) assertPeriodMayChange(every, await readUpgradable(ctx, subscriptionId))
  const schedule = await createOrReuseSchedule(ctx, subscriptionId)
  return withPriceOnSale(ctx, target, async (price) => {
    await scheduleNextPhase(ctx, schedule, { ...kept, price, every, restarts, taxRate, metadata: { tier: slug } })
    return price
  })
}

/** Stripe would take a discount for some months off a whole year, and bills a year and an add-on's month apart. */
export function assertPeriodMayChange(every: PricePeriod, { hasOtherItems, hasPassingDiscount }: Upgradable): void {
  if (hasOtherItems) {
    throw new AppError(
      'conflict',
      'You pay for something else with your membership. Contact us to change how often you pay.',
    )
  }
  if (every === 'year' && hasPassingDiscount) {
    throw new AppError('conflict', 'You’ve got a discount for some months. You can pay by the year once it’s ended.')
  }
}

/**
 * A schedule charges the customer's card unless its phases name one, which would outlive a change of card. So the subscription's
 * card becomes the customer's. Returns the discount ids, which stay, and the price the tier's item has with its period, and when that ends.
 */
async function makeSubscriptionCardDefault(ctx: HasStripe, subscriptionId: string) {
  const subscription = await withAllItems(ctx, await ctx.stripe.subscriptions.retrieve(subscriptionId))
  const { customer, default_payment_method: card, discounts } = subscription
  // Refused for a card that was taken off in the dashboard: Billing asks for another one.
  if (card !== null) await ignoreIfRefused(() => setDefaultCard(ctx, idOf(customer), idOf(card)))
  const item = tierItemOf(subscription)
  return {
    from: item?.price.id ?? null,
    periodEnd: item?.current_period_end ?? null,
    present: item === undefined ? null : everyOf(periodOf(item.price.recurring)),
    discounts: discounts.flatMap((discount) => idOf(discount) ?? []),
  }
}

async function dropTierChange(ctx: Context, onBehalf: OnBehalf, subscription: OwnSubscription): Promise<void> {
  // Owners made a price change for the same tier. The member has been told about it and can't undo it.
  if (isNewPriceBooked(subscription)) return
  if (await releaseSchedule(ctx, subscription.id))
    auditTierChange(ctx, onBehalf, 'subscription.keep_tier', { subscription: subscription.id })
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
