import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'

import type { Pence } from './money.ts'
import type { Period } from './price-words.ts'

/** A tier at a price. `net`: pence of the whole period, excluding VAT. */
export type TierPrice = { tierSlug: TierSlug; every: PricePeriod; net: Pence }

/** What a tier costs by the month and by the year now, in pence excluding VAT; null where it isn't sold that way. */
export type TierNets = Record<PricePeriod, Pence | null>

export function netsOf(prices: readonly { every: PricePeriod; net: Pence }[]): TierNets {
  const net = (every: PricePeriod) => prices.find((price) => price.every === every)?.net ?? null
  return { month: net('month'), year: net('year') }
}

/** `same`: that's what they have. */
export type ChangeStarts = 'same' | 'today' | 'next-bill'

type Size = 'smaller' | 'same' | 'dearer'

/**
 * When a change from one price to another starts, by the periods of both and how the tiers compare. What leaves a year waits for its
 * end: a year's rest would be credit with nothing to take it.
 */
const starts: Record<PricePeriod, Record<PricePeriod, Record<Size, ChangeStarts>>> = {
  month: {
    month: { smaller: 'next-bill', same: 'same', dearer: 'today' },
    year: { smaller: 'next-bill', same: 'today', dearer: 'today' },
  },
  year: {
    month: { smaller: 'next-bill', same: 'next-bill', dearer: 'next-bill' },
    year: { smaller: 'next-bill', same: 'same', dearer: 'today' },
  },
}

/** The smallest payment that's taken on its own, in pence including VAT. A change that costs less today goes with the next bill. */
export const leastDueToday = 100

/** Any of these changes can be made with the next bill; some can start today. `nets` are those of the two tiers. */
export function changeStarts(from: TierPrice, to: TierPrice, nets: { from: TierNets; to: TierNets }): ChangeStarts {
  return starts[from.every][to.every][sizeOf(from, to, nets)]
}

/** A subscription as our row has it, with what's booked for its next bill. Periods are in months, or in days where they aren't null. */
export type Booked = {
  tierSlug: TierSlug
  nextTierSlug: TierSlug | null
  chargeMonths: number
  chargeDays: number | null
  /** Null where an earlier version read it, which knew months alone. */
  nextTierPrice: Period | null
}

const hasSamePeriod = ({ chargeMonths, chargeDays, nextTierPrice: next }: Booked) =>
  (next?.months ?? 1) === chargeMonths && (next?.days ?? null) === chargeDays

/** A change of period of the tier that a member has. */
export const isPeriodBooked = (booked: Booked) => booked.nextTierSlug === booked.tierSlug && !hasSamePeriod(booked)

/** What's booked is the owners' new price for the tier that a member has. Nobody chose it, and nobody can undo it. */
export const isNewPriceBooked = (booked: Booked) => booked.nextTierSlug === booked.tierSlug && hasSamePeriod(booked)

/** Another tier at the same price is no dearer. */
function sizeOf(from: TierPrice, to: TierPrice, nets: { from: TierNets; to: TierNets }): Size {
  if (from.tierSlug === to.tierSlug) return 'same'
  const [paid, asked] = comparable(from, to, nets)
  return asked > paid ? 'dearer' : 'smaller'
}

/**
 * Of the same period: what's paid, and what would be. Else what both tiers cost by the month, or by the year, and where they're
 * never sold alike, what each comes to in a year.
 */
function comparable(from: TierPrice, to: TierPrice, nets: { from: TierNets; to: TierNets }): [Pence, Pence] {
  if (from.every === to.every) return [from.net, to.net]
  for (const every of ['month', 'year'] as const) {
    const [paid, asked] = [from.every === every ? from.net : nets.from[every], nets.to[every]]
    if (paid !== null && asked !== null) return [paid, asked]
  }
  return [inAYear(from), inAYear(to)]
}

const inAYear = ({ every, net }: TierPrice): Pence => (every === 'month' ? net * 12 : net)
