import type Stripe from 'stripe'
import type { TierSlug } from '#shared/contract/tier.ts'
import { subscriptionOf } from './given-back.ts'
import { idOf } from './ids-and-times.ts'
import { isPeriod, type ReadLine } from './read-lines.ts'

const dayInSeconds = 86_400

type Billed = { invoice: Stripe.Invoice; read: ReadLine[] }

/**
 * The tier of subscriptions whose price names none, marked on their invoices' lines: the one that subscription had before, or that of
 * the membership whose place it took. That had been paid to the day it began, and ended by then.
 */
export function carryTiers(billed: readonly Billed[], subscriptions: readonly Stripe.Subscription[]) {
  const had = new Map<string, TierSlug>()
  // Stripe lists the newest first.
  for (const { invoice, read } of billed.toReversed()) {
    const id = subscriptionOf(invoice)
    if (id === null) continue
    const own = read.find(({ tierSlug }) => tierSlug !== undefined)?.tierSlug
    const tierSlug = own ?? had.get(id) ?? tierTakenOver(billed, subscriptions, id)
    if (tierSlug === undefined) continue
    had.set(id, tierSlug)
    if (own === undefined) for (const line of membershipLines(read)) line.tierSlug = tierSlug
  }
  for (const { id } of subscriptions) {
    const tierSlug = had.get(id) ?? tierTakenOver(billed, subscriptions, id)
    if (tierSlug !== undefined) had.set(id, tierSlug)
  }
  return had
}

/** The dearest is the membership, with what was credited or charged of the same price. */
function membershipLines(read: readonly ReadLine[]): ReadLine[] {
  const [dearest] = read.filter(({ line }) => isPeriod(line)).sort((one, other) => other.net - one.net)
  const price = priceOf(dearest ?? read[0])
  return read.filter((line) => line === dearest || (price !== null && priceOf(line) === price))
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
