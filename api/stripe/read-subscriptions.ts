import type Stripe from 'stripe'
import type { subscriptions } from '#api/db/schema/subscriptions.ts'
import { collectionPauses, subscriptionStatuses } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type Charged, chargeOf, taxOn, taxWithin } from '#shared/rules/charge.ts'
import { isLive, isPutOff } from '#shared/rules/membership.ts'
import { vatRate } from '#shared/rules/money.ts'
import {
  daysOfPeriod,
  discountedAmount,
  monthsOfPeriod,
  type RecurringDiscount,
  type RecurringPrice,
  yearlyAmount,
} from '#shared/rules/mrr.ts'
import type { Adoptions } from './adoption-facts.ts'
import type { HasStripe } from './client.ts'
import { isFreeMonth } from './free-month.ts'
import { idOf, toInstant, toInstantOrNull } from './ids-and-times.ts'
import { periodOf, readPrice } from './prices.ts'
import type { CreditAnswers } from './read-credits.ts'
import type { InvoiceState } from './read-invoices.ts'
import { type ItemTax, ownTierOf, taxOfItem, tierItemOf } from './tier-items.ts'

type SubscriptionRow = typeof subscriptions.$inferSelect
export type SubscriptionState = Omit<
  SubscriptionRow,
  'customerId' | 'updatedAt' | 'nextPayment' | 'nextPaymentKey' | 'nextPaymentAskedAt'
>

/** A live subscription whose price isn't one of our tiers, or whose status this version doesn't know. */
export type UnrecognisedSubscription = { id: string; status: string; stripePriceId: string | null }

/** Only the id is left of a deleted customer. */
export type ProviderCustomer = Stripe.Customer | Stripe.DeletedCustomer

export const expandedSubscriptions = [
  'data.pending_setup_intent.payment_method',
  'data.discounts.source.coupon',
  'data.default_payment_method',
  'data.schedule',
]

/** `storedSubscription` is what we read last time. */
export type SubscriptionReader = HasStripe & {
  billingNow(): Date
  /** A stand-in for a tier that isn't known, which gives no access. */
  defaultTier(): TierSlug
  /** Our price of a tier for each month or year; null if there's none. */
  tierPriceOf(slug: TierSlug, every: string): string | null
  storedSubscription(subscriptionId: string): (Pick<SubscriptionState, 'status' | 'tierSlug'> & Sold) | null
  adoptionsOf(stripeCustomerId: string): Adoptions
  creditAnswersOf(stripeCustomerId: string): CreditAnswers
}
type RestOfReading = {
  customer: ProviderCustomer
  invoices: readonly InvoiceState[]
  /** What waits for the customer's next invoice. */
  pending: readonly Stripe.InvoiceItem[]
  adoptions: Adoptions
  tiers: ReadonlyMap<string, TierSlug>
}

/**
 * Null for one that has ended and was never for one of our tiers. A live one always counts: without a tier it's `unpaid`, which
 * gives no access but stops us selling another.
 */
export async function readSubscription(
  ctx: SubscriptionReader,
  subscription: Stripe.Subscription,
  { customer, invoices, pending, adoptions, tiers }: RestOfReading,
): Promise<SubscriptionState | null> {
  const adopted = adoptions.get(subscription.id)
  const item = tierItemOf(subscription, adopted)
  const stored = ctx.storedSubscription(subscription.id)
  // An unpaid one's stored tier may be a stand-in for a missing tier, and one in another currency had none.
  const isTierOurs = stored?.status !== 'unpaid' && item?.price.currency === 'gbp'
  const storedTier = isTierOurs ? (stored?.tierSlug ?? null) : null
  const ownTier = ownTierOf(subscription) ?? adopted?.tierSlug ?? null
  // What's paid in another currency is none of ours.
  const carried = item?.price.currency === 'gbp' ? (tiers.get(subscription.id) ?? null) : null
  const namedTier = paidTierOf(subscription, invoices) ?? ownTier ?? carried ?? storedTier
  const isRenewalPutOff = putsOffRenewal(subscription, invoices)
  const given = isRenewalPutOff ? 'active' : statusOf(subscription)
  const tierSlug = namedTier ?? stored?.tierSlug ?? (isLive(given) ? ctx.defaultTier() : null)
  if (item === undefined || tierSlug === null) return null
  const status = namedTier === null && isLive(given) ? 'unpaid' : given
  return {
    id: subscription.id,
    status,
    isSettled: isRenewalPutOff || isSettled(subscription, customer),
    isUnrecognised: isUnrecognised(subscription, adoptions),
    tierSlug,
    tierPriceId: ownPriceOf(ctx, ownTierOf(subscription), periodOf(item.price.recurring)),
    stripePriceId: item.price.id,
    // Once it has ended, neither a customer's coupon nor a price we sell since changes what it was.
    ...(stored !== null && !isLive(stored.status) && !isLive(given)
      ? soldAs(stored)
      : await readCharge(ctx, subscription, { customer, item, isAdopted: adopted !== undefined })),
    currentPeriodStart: toInstantOrNull(item.current_period_start),
    currentPeriodEnd: toInstantOrNull(item.current_period_end),
    trialEnd: toInstantOrNull(subscription.trial_end),
    ...endOf(subscription),
    ...(await readNextTier(ctx, subscription, { item, isAdopted: adopted !== undefined })),
    isNextFree: subscription.discounts.some(isFreeMonth),
    ...collectionOf(subscription),
    ...pauseOf(subscription, { invoices, pending }),
    created: toInstant(subscription.created),
  }
}

/** Null for a price that names no tier of ours, or is for another period than we sell. */
const ownPriceOf = (
  ctx: SubscriptionReader,
  tier: TierSlug | null,
  { interval, intervalCount }: ReturnType<typeof periodOf>,
): string | null => (tier === null || intervalCount !== 1 ? null : ctx.tierPriceOf(tier, interval))

const endOf = (subscription: Stripe.Subscription) => ({
  cancelAtPeriodEnd: subscription.cancel_at_period_end,
  cancelAt: toInstantOrNull(subscription.cancel_at),
  canceledAt: toInstantOrNull(subscription.canceled_at),
  endedAt: toInstantOrNull(subscription.ended_at),
  cancellationReason: subscription.cancellation_details?.reason ?? null,
})

/** As when an owner moves the next payment in Stripe's dashboard. */
const putsOffRenewal = ({ id, status, trial_end: end }: Stripe.Subscription, invoices: readonly InvoiceState[]) =>
  status === 'trialing' &&
  isPutOff(
    toInstantOrNull(end),
    invoices.filter(({ subscriptionId }) => subscriptionId === id),
  )

const isPaid = ({ status, amountPaid, fromCredit, freeMonthNet }: InvoiceState) =>
  status === 'paid' && (amountPaid + fromCredit > 0 || freeMonthNet !== null)

/** A way to pause payments that Stripe adds in future collects nothing either. */
function collectionOf({ pause_collection: pause }: Stripe.Subscription) {
  const known = pause && (collectionPauses.find((one) => one === pause.behavior) ?? 'void')
  return { collectionPause: known, collectionResumesAt: toInstantOrNull(pause?.resumes_at) }
}

type Paid = Pick<RestOfReading, 'invoices' | 'pending'>

/** A pause altogether. Its access ends where the credit for unused time begins, or else with what was paid. */
function pauseOf({ id, status, status_details: details }: Stripe.Subscription, { invoices, pending }: Paid) {
  const paused = status === 'paused' ? details?.paused : undefined
  if (paused === undefined) return { pausedAt: null, pausedFor: null, pausedAccessUntil: null }
  const pausedAt = toInstant(paused.transitioned_at)
  const own = invoices.filter(({ subscriptionId }) => subscriptionId === id)
  const credits = pending.filter(
    ({ amount, date, proration, parent }) =>
      proration &&
      amount < 0 &&
      // A credit of an earlier change isn't the pause's.
      toInstant(date) >= pausedAt &&
      parent?.subscription_details?.subscription === id,
  )
  const isCredited = own.some(
    ({ created, lines }) => created >= pausedAt && lines.some((line) => line.isProration === true && line.net < 0),
  )
  const creditedFrom = [
    ...credits.map(({ period }) => toInstant(period.start)),
    ...(isCredited ? [pausedAt] : []),
  ].sort()[0]
  const paidUntil = own.flatMap((invoice) => (isPaid(invoice) ? (invoice.periodEnd ?? []) : [])).sort()
  return { pausedAt, pausedFor: paused.subscription.type, pausedAccessUntil: creditedFrom ?? paidUntil.at(-1) ?? null }
}

/**
 * A status Stripe adds in future counts as `unpaid`, the least that's still live. It gives no access and counts for no revenue,
 * but we sell nothing alongside it, and notify an owner.
 */
const statusOf = ({ status }: Stripe.Subscription) => subscriptionStatuses.find((known) => known === status) ?? 'unpaid'

/** An adopted one's own price is known. Another, as an old portal may set, keeps the access but has to be looked at. */
function isUnrecognised(subscription: Stripe.Subscription, adoptions: Adoptions): boolean {
  const status = statusOf(subscription)
  const adopted = adoptions.get(subscription.id)
  const price = idOf(tierItemOf(subscription, adopted)?.price)
  const isKnown = ownTierOf(subscription) !== null || adopted?.stripePriceId === price
  return isLive(status) && (!isKnown || status !== subscription.status)
}

export function findUnrecognised(
  listed: readonly Stripe.Subscription[],
  adoptions: Adoptions,
): UnrecognisedSubscription[] {
  return listed
    .filter((one) => isUnrecognised(one, adoptions))
    .map((subscription) => {
      const price = tierItemOf(subscription, adoptions.get(subscription.id))?.price
      return { id: subscription.id, status: subscription.status, stripePriceId: idOf(price) }
    })
}

/** What an adopted customer buys elsewhere isn't ours: we never store, cancel or refund it. */
export const oursAmong = (
  { storedSubscription }: SubscriptionReader,
  listed: readonly Stripe.Subscription[],
  adoptions: Adoptions,
): Stripe.Subscription[] =>
  listed.filter(
    (one) =>
      adoptions.size === 0 || adoptions.has(one.id) || ownTierOf(one) !== null || storedSubscription(one.id) !== null,
  )

/**
 * The tier of the newest paid period: a new price counts from its first payment. A free month is settled by its discount, so a
 * tier change booked for it applies from its first day.
 */
function paidTierOf({ id }: Stripe.Subscription, invoices: readonly InvoiceState[]): TierSlug | null {
  const [newest] = invoices
    .filter((invoice) => invoice.subscriptionId === id && isPaid(invoice) && invoice.tierSlug !== null)
    .sort((one, other) => other.created.localeCompare(one.created))
  return newest?.tierSlug ?? null
}

/** The tier a schedule changes to, and when. Ignores phases that have started, or have the same price. */
async function readNextTier(
  ctx: SubscriptionReader,
  { schedule, automatic_tax: automatic }: Stripe.Subscription,
  { item: current, isAdopted }: Pick<Item, 'item' | 'isAdopted'>,
) {
  const stripeScheduleId = idOf(schedule)
  const noTier = { nextTierSlug: null, nextTierPriceId: null, nextTierAt: null, nextTierNet: null, nextTierPrice: null }
  const none = { stripeScheduleId, ...noTier }
  if (schedule === null || typeof schedule === 'string') return none
  const next = schedule.phases.find(({ start_date }) => start_date > (schedule.current_phase?.start_date ?? 0))
  const items = await Promise.all((next?.items ?? []).map((item) => readPhaseItem(ctx, item)))
  const item = items.find(({ tier }) => tier !== null) ?? items[0]
  if (next === undefined || item === undefined || item.priceId === current.price.id) return none
  const { tier, net, isInclusive, quantity, rates: own, ...period } = item
  const isAutomatic = (next.automatic_tax ?? automatic).enabled
  const tax = taxOfItem({ shared: next.default_tax_rates, own, isAutomatic, isInclusive, isAdopted })
  const charge = chargeOfPrice({ ...period, amount: net * quantity }, { discounts: [], tax })
  return {
    stripeScheduleId: schedule.id,
    nextTierSlug: tier,
    nextTierPriceId: ownPriceOf(ctx, tier, item),
    nextTierAt: toInstant(next.start_date),
    nextTierNet: net,
    nextTierPrice: chargeOf(charge),
  }
}

async function readPhaseItem(
  ctx: HasStripe,
  { price, quantity = 1, tax_rates: rates }: Stripe.SubscriptionSchedule.Phase.Item,
) {
  const priceId = idOf(price) ?? ''
  return { priceId, quantity, rates, ...(await readPrice(ctx, priceId)) }
}

/**
 * A trial whose card was never confirmed isn't a membership yet. Expand its pending set-up. If the subscription was created by
 * hand, the customer's default card pays.
 */
export function isSettled(subscription: Stripe.Subscription, customer: ProviderCustomer): boolean {
  if (subscription.status !== 'trialing') return true
  const pending = subscription.pending_setup_intent
  const hasSettledSetup = pending === null || (typeof pending === 'object' && pending.status === 'succeeded')
  const isByHand = subscription.metadata.userId === undefined && !customer.deleted
  const hasCard =
    subscription.default_payment_method !== null ||
    (isByHand && customer.invoice_settings.default_payment_method !== null) ||
    (typeof pending === 'object' && pending?.payment_method !== null && pending !== null)
  return hasSettledSetup && hasCard
}

type Item = { customer: ProviderCustomer; item: Stripe.SubscriptionItem; isAdopted: boolean }

/**
 * What the tier's item charges and brings in a year, after recurring discounts: first the item's, then the subscription's, or if it
 * has none, the customer's. https://docs.stripe.com/api/subscriptions/object#subscription_object-discounts
 */
async function readCharge(
  ctx: SubscriptionReader,
  subscription: Stripe.Subscription,
  { customer, item, isAdopted }: Item,
): Promise<Charged> {
  const none = { yearlyNet: 0, chargeTotal: null, chargeVatRate: vatRate, chargeMonths: 1, chargeDays: null }
  if (item.price.currency !== 'gbp') return none
  const { unit_amount: each, recurring, tax_behavior: behaviour } = item.price
  const price = { ...periodOf(recurring), amount: (each ?? 0) * (item.quantity ?? 1) }
  const inherited = customer.deleted || !customer.discount ? [] : [customer.discount]
  const own = subscription.discounts.length > 0 ? subscription.discounts : inherited
  const all = [...(await readItemDiscounts(ctx, item)), ...own]
  // A coupon that ran out after the subscription's end was in it to the end.
  const at = subscription.ended_at === null ? ctx.billingNow() : new Date(subscription.ended_at * 1000)
  const discounts = all.flatMap((discount) => toRecurringDiscount(discount, at) ?? [])
  const { default_tax_rates: shared, automatic_tax: automatic } = subscription
  const terms = { shared, own: item.tax_rates, isAutomatic: automatic.enabled, isInclusive: behaviour === 'inclusive' }
  return chargeOfPrice(price, { discounts, tax: taxOfItem({ ...terms, isAdopted }) })
}

type Sold = Charged & Pick<SubscriptionState, 'tierPriceId'>

const soldAs = ({ tierPriceId, yearlyNet, chargeTotal, chargeVatRate, chargeMonths, chargeDays }: Sold): Sold => ({
  tierPriceId,
  yearlyNet,
  chargeTotal,
  chargeVatRate,
  chargeMonths,
  chargeDays,
})

/** A price may include its VAT, or be for a year or a week. What's charged stays the same. */
function chargeOfPrice(
  price: RecurringPrice,
  { discounts, tax }: { discounts: readonly RecurringDiscount[]; tax: ItemTax },
): Charged {
  const months = monthsOfPeriod(price)
  const days = daysOfPeriod(price)
  const charged = discountedAmount(price.amount, discounts)
  const net = tax.isInside ? charged - taxWithin(charged, tax.percentage) : charged
  const isOurs = !tax.isInside && tax.percentage === vatRate
  const total = tax.isInside ? charged : net + taxOn(net, tax.percentage)
  return {
    yearlyNet: yearlyAmount(net, price),
    chargeTotal: isOurs && months === 1 ? null : total,
    chargeVatRate: tax.percentage,
    chargeMonths: days === null ? months : 1,
    chargeDays: days,
  }
}

/** Their coupons are nested too deeply for Stripe to expand in a list of subscriptions. */
async function readItemDiscounts(
  { stripe }: HasStripe,
  { id, discounts }: Stripe.SubscriptionItem,
): Promise<(string | Stripe.Discount)[]> {
  if (discounts.length === 0) return []
  return (await stripe.subscriptionItems.retrieve(id, { expand: ['discounts.source.coupon'] })).discounts
}

/** Null if it applied to a single invoice, or had expired by then. */
function toRecurringDiscount(discount: string | Stripe.Discount, at: Date): RecurringDiscount | null {
  if (typeof discount === 'string') return null
  const { coupon } = discount.source
  if (coupon === null || typeof coupon === 'string' || coupon.duration === 'once') return null
  if (discount.end !== null && discount.end * 1000 <= at.getTime()) return null
  return { percentOff: coupon.percent_off, amountOff: coupon.amount_off }
}
