import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { OwnSubscription } from '#api/features/billing/own-subscription-service.ts'
import { assertBetweenPayments, assertPeriodMayChange } from '#api/features/billing/tier-change-service.ts'
import { paidThisPeriod } from '#api/features/subscriptions/paid-upgrade-queries.ts'
import { findPaymentMethod, isPeriodUnpaid } from '#api/features/subscriptions/queries.ts'
import { findOpenMove } from '#api/features/tiers/price-move-queries.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { everyOf, type PricedTier, readPrice } from '#api/stripe/prices.ts'
import { type PreviewedUpgrade, readUpgradable, type Upgradable } from '#api/stripe/upgrades.ts'
import type { PaymentMethod } from '#shared/contract/billing.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { changeStarts, isNewPriceBooked, netsOf, type TierPrice } from '#shared/rules/tier-changes.ts'

/** `every`: what they pay by now. `restarts`: the change begins a period of another length today. */
export type UpgradeTerms = {
  item: string
  /** Unix seconds. */
  periodStart: number
  fromPriceId: string
  from: { slug: TierSlug | null; name: string }
  every: PricePeriod
  restarts: boolean
  card: PaymentMethod
}

const withNextBill = 'You can change your tier with your next payment.'

export type UpgradeTarget = Pick<PricedTier, 'slug' | 'name' | 'price' | 'every'>

/** Refuses, with the reason, if a tier can't start today. It may still start with the next bill. */
export async function upgradeTerms(
  ctx: Context,
  userId: string,
  subscription: OwnSubscription,
  to: UpgradeTarget,
): Promise<UpgradeTerms> {
  assertBetweenPayments(subscription)
  const { id, status, stripePriceId: fromPriceId } = subscription
  if (subscription.isPutOff) throw refusal(`Your next payment has been put off. ${withNextBill}`)
  if (status === 'trialing') throw refusal('You haven’t made your first payment yet. Another tier starts with it.')
  if (fromPriceId === null) throw new Error(`Subscription ${id} has no price`)
  const from = await readPrice(ctx, fromPriceId)
  if (from.tier === null) throw refusal(`Your price is from before you moved here. ${withNextBill}`)
  const every = everyOf(from)
  if (every === null) throw refusal(`You don’t pay by the month. ${withNextBill}`)
  assertStartsToday(ctx, { tierSlug: from.tier, every, net: from.net }, to)
  const card = cardOf(ctx, userId)
  assertNothingBooked(ctx, subscription)
  assertPeriodPaid(ctx, subscription)
  const upgradable = await readUpgradable(ctx, id)
  const item = itemOf(upgradable)
  const restarts = every !== to.every
  if (restarts) assertPeriodMayChange(to.every, upgradable)
  const name = tierBySlug(ctx, from.tier)?.name ?? 'Your current tier'
  return {
    item,
    periodStart: upgradable.periodStart,
    fromPriceId,
    from: { slug: from.tier, name },
    every,
    restarts,
    card,
  }
}

function assertStartsToday(ctx: Context, from: TierPrice, to: UpgradeTarget): void {
  // Offered or not: it's how the tiers compare.
  const pricesOf = (slug: TierSlug) => tierBySlug(ctx, slug)?.prices ?? []
  const nets = { from: netsOf(pricesOf(from.tierSlug)), to: netsOf(pricesOf(to.slug)) }
  const starts = changeStarts(from, { tierSlug: to.slug, every: to.every, net: to.price }, nets)
  if (starts === 'same') throw refusal(`You’re already on ${to.name}.`)
  if (starts === 'today') return
  if (from.every !== to.every && from.every === 'year') throw refusal(`You’ve paid for a year. ${withNextBill}`)
  throw refusal(`Only an upgrade can start today. ${withNextBill}`)
}

const movesAlready = `A price change is already booked. ${withNextBill}`

const refusal = (reason: string) => new AppError('conflict', reason)

function cardOf(ctx: Context, userId: string): PaymentMethod {
  const method = findPaymentMethod(ctx, userId)
  if (method?.type === 'card') return method
  throw refusal(`You can only upgrade today if you pay by card. ${withNextBill}`)
}

function assertNothingBooked(ctx: Context, subscription: OwnSubscription): void {
  const { id, nextTierSlug: next } = subscription
  if (findOpenMove(ctx, id) !== undefined || isNewPriceBooked(subscription)) throw refusal(movesAlready)
  if (next === null) return
  const name = tierBySlug(ctx, next)?.name ?? next
  throw refusal(`Your change to ${name} is already booked. Undo it first, then you can upgrade today.`)
}

/** For about an hour after a period starts, its invoice is a draft while the subscription is active: nothing to credit yet. */
function assertPeriodPaid(ctx: Context, { id }: OwnSubscription): void {
  if (isPeriodUnpaid(ctx, id)) throw refusal('Your next payment is going through. Try again in about an hour.')
}

type Credited = Pick<UpgradeTerms, 'every'> & { credit: number }

/** Stripe credits a period whether or not its invoices were paid. A free month is credited with £0, so it passes. */
export function assertCreditPaid(ctx: Context, subscriptionId: string, { every, credit }: Credited): void {
  if (credit <= paidThisPeriod(ctx, subscriptionId)) return
  throw refusal(`This ${every} hasn’t been paid in full. ${withNextBill}`)
}

/** Stripe may charge now for what was meant for the next bill. A declined card voids the invoice, and that charge would be lost. */
export function assertNothingWaiting({ takesWaiting }: PreviewedUpgrade): void {
  if (takesWaiting) throw refusal(`There’s something else on your next payment. ${withNextBill}`)
}

function itemOf({ item, hasSchedule, hasOneOffDiscount }: Upgradable): string {
  if (hasSchedule) throw refusal(movesAlready)
  if (hasOneOffDiscount) throw refusal(`You’ve got a discount on your next payment. ${withNextBill}`)
  if (item === null) throw new Error('A subscription without an item')
  return item
}
