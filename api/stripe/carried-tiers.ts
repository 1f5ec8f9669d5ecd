import type Stripe from 'stripe'
import type { TierSlug } from '#shared/contract/tier.ts'
import { idOf } from './ids-and-times.ts'
import { isPeriod, type ReadLine } from './read-lines.ts'
import { subscriptionOf } from './refunded.ts'
import { tierItemOf } from './tier-items.ts'

const dayInSeconds = 86_400

type Billed = { invoice: Stripe.Invoice; read: ReadLine[] }

/**
 * The tier of subscriptions whose price names none, marked on their invoices' lines: the one that subscription had before, or that of
 * the membership whose place it took. That had been paid to the day it began, and ended by then.
 */
export function carryTiers(billed: readonly Billed[], subscriptions: readonly Stripe.Subscription[]) {
  const had = new Map<string, TierSlug>()
  const prices = new Map(subscriptions.map((one) => [one.id, pricesOf(one)]))
  // Stripe lists the newest first.
  for (const { invoice, read } of billed.toReversed()) {
    const id = subscriptionOf(invoice)
    if (id === null) continue
    const own = read.find(({ tierSlug }) => tierSlug !== undefined)?.tierSlug
    const tierSlug = own ?? had.get(id) ?? tierTakenOver(billed, subscriptions, id)
    if (tierSlug === undefined) continue
    had.set(id, tierSlug)
    if (own === undefined) for (const line of membershipLines(read, prices.get(id))) line.tierSlug = tierSlug
  }
  for (const { id } of subscriptions) {
    const tierSlug = had.get(id) ?? tierTakenOver(billed, subscriptions, id)
    if (tierSlug !== undefined) had.set(id, tierSlug)
  }
  return had
}

/** Prices that a subscription's membership has had, and those of its add-ons. */
type Prices = { own: Set<string>; others: ReadonlySet<string> }

function pricesOf(subscription: Stripe.Subscription): Prices {
  const own = tierItemOf(subscription)?.price.id
  const others = subscription.items.data.map(({ price }) => price.id).filter((price) => price !== own)
  return { own: new Set(own === undefined ? [] : [own]), others: new Set(others) }
}

/**
 * The dearest of a period is the membership, with what was credited or charged of its prices. Between periods an add-on may be billed
 * alone, or anything by hand.
 */
function membershipLines(
  read: readonly ReadLine[],
  { own, others }: Prices = { own: new Set(), others: new Set() },
): ReadLine[] {
  const isOf = (prices: ReadonlySet<string>) => (line: ReadLine) => prices.has(priceOf(line) ?? '')
  const ofPeriod = read.filter((line) => isPeriod(line.line) && !isOf(others)(line))
  const dearest = priceOf(ofPeriod.toSorted((one, other) => other.net - one.net)[0])
  if (dearest !== null) own.add(dearest)
  return read.filter(isOf(own))
}

const priceOf = (read: ReadLine | undefined) => idOf(read?.line.pricing?.price_details?.price)

function tierTakenOver(
  billed: readonly Billed[],
  subscriptions: readonly Stripe.Subscription[],
  id: string,
): TierSlug | undefined {
  const heir = subscriptions.find((one) => one.id === id)
  if (heir === undefined) return undefined
  const start = heir.trial_end ?? heir.created
  const ended = new Set(
    subscriptions.flatMap((one) =>
      one.ended_at !== null && one.ended_at <= start + dayInSeconds && one.id !== id ? [one.id] : [],
    ),
  )
  const isPaidUntilThen = ({ invoice, read }: Billed) =>
    invoice.status === 'paid' &&
    ended.has(subscriptionOf(invoice) ?? '') &&
    read.some(({ tierSlug, line }) => tierSlug !== undefined && line.period.end >= start - dayInSeconds)
  return billed.find(isPaidUntilThen)?.read.find(({ tierSlug }) => tierSlug !== undefined)?.tierSlug
}
