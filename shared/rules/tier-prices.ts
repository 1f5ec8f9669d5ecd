import type { MembershipTier, OfferedPrice, PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { formatPounds, formatPoundsAndPence, type Pence } from './money.ts'
import { everyPeriod, type Period } from './price-words.ts'

/* What a tier's prices are called where somebody chooses. A tier has one by the month, by the year, or both. */

type Priced = Pick<MembershipTier, 'prices'>

export const monthsOf: Record<PricePeriod, number> = { month: 1, year: 12 }

/** Completes “£300.00”: a month, a year. */
export const everyText = (every: PricePeriod) => everyPeriod({ months: monthsOf[every] })

/** The price of a period, or the only one that the tier has. */
export const priceFor = ({ prices }: Priced, every: PricePeriod): OfferedPrice | undefined =>
  prices.find((price) => price.every === every) ?? prices[0]

export const priceWithId = ({ prices }: Priced, id: string | undefined): OfferedPrice | undefined =>
  prices.find((price) => price.id === id)

/** A choice as this device keeps it. Without a price, the month’s is meant. */
export type ChosenTier = { slug: TierSlug; priceId?: string | undefined }

type Tier = Priced & Pick<MembershipTier, 'slug'>

/** How often the chosen price is paid. */
export function periodOf(tiers: readonly Tier[], chosen: ChosenTier | null): PricePeriod | undefined {
  const tier = tiers.find(({ slug }) => slug === chosen?.slug)
  return tier && priceWithId(tier, chosen?.priceId)?.every
}

/** The price that’s chosen; where it isn’t offered any more, the month’s or the only one. */
export const chosenPrice = (tier: Priced, chosen: ChosenTier | null): OfferedPrice | undefined =>
  priceWithId(tier, chosen?.priceId) ?? priceFor(tier, 'month')

type Choice = Pick<OfferedPrice, 'every'> & { id?: string | undefined }

export const chosenOf = ({ slug }: Pick<Tier, 'slug'>, { id, every }: Choice): ChosenTier =>
  every === 'month' ? { slug } : { slug, priceId: id }

/** Whether there’s anything to choose between. */
export const hasBothPeriods = (tiers: readonly Priced[]): boolean => tiers.some(({ prices }) => prices.length > 1)

/** £250 + VAT a month. */
export const priceText = ({ net, every }: Pick<OfferedPrice, 'net' | 'every'>) =>
  `${formatPounds(net)} + VAT ${everyText(every)}`

/** £250.00 + VAT a month. */
export const exactPriceText = ({ net, every }: Pick<OfferedPrice, 'net' | 'every'>) =>
  `${formatPoundsAndPence(net)} + VAT ${everyText(every)}`

const counts = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven']

/** “two months free”, “saves £100”. Null where a year saves nothing. */
export function savingText({ prices }: { prices: readonly Offered[] }): string | null {
  const [month, year] = [prices.find(({ every }) => every === 'month'), prices.find(({ every }) => every === 'year')]
  if (month === undefined || year === undefined) return null
  const saved = 12 * month.net - year.net
  if (saved <= 0) return null
  const months = counts[saved / month.net]
  return months ? `${months} ${months === 'one' ? 'month' : 'months'} free` : `saves ${formatPounds(saved)}`
}

/** How often a period is paid, where a tier can be sold so. Another program’s price may have a period of its own. */
export function everyOfPeriod({ months = 1, days }: Period): PricePeriod | undefined {
  if (days !== undefined) return undefined
  return months === 1 ? 'month' : months === 12 ? 'year' : undefined
}

/** What stands small beside the price that’s shown: the other one with its saving, or what a year comes to a month. */
export function besidePrice(tier: Priced, shown: OfferedPrice): string | null {
  const other = tier.prices.find(({ id }) => id !== shown.id)
  const saving = savingText(tier)
  if (other === undefined)
    return shown.every === 'year' ? `That’s ${formatPounds(shareOfMonth(shown))} + VAT a month` : null
  if (other.every === 'year') return `or ${priceText(other)}${saving === null ? '' : `: ${saving}`}`
  return saving === null ? `or ${priceText(other)}` : `${capitalised(saving)}, or ${priceText(other)}`
}

/** A year’s twelfth, rounded up. */
export const shareOfMonth = ({ net, every }: Pick<OfferedPrice, 'net' | 'every'>) => Math.ceil(net / monthsOf[every])

export const capitalised = (text: string) => text[0]?.toUpperCase() + text.slice(1)

/** What the payer agrees to. `first`: the day of the first payment; null if that’s today. */
export const consentText = ({ total, every, first }: { total: number; every: PricePeriod; first: string | null }) => {
  const sum = formatPoundsAndPence(total)
  return first === null
    ? `Take ${sum} today and ${sum} ${everyText(every)} until I cancel.`
    : `Take ${sum} on ${first}, and ${sum} ${everyText(every)} from then until I cancel.`
}

type Offered = { every: PricePeriod; net: Pence }

/** What looks like a slip in a tier's prices. It's allowed. */
export function priceNotes(prices: readonly Offered[]): string[] {
  const [month, year] = (['month', 'year'] as const).map((every) => prices.find((one) => one.every === every)?.net)
  if (month === undefined || year === undefined) return []
  if (year < month) return ['A year costs less than a month.']
  return year > month * 12 ? ['A year costs more than 12 months.'] : []
}

/** More looks like a slip, and a month’s like a year’s. */
export const mostNet: Record<PricePeriod, Pence> = { month: 1_000_000, year: 12_000_000 }

export const isLikelyPrice = ({ every, net }: Offered): boolean => net <= mostNet[every]

/** Up to £10,000 a month. */
export const mostText = (every: PricePeriod) => `up to ${formatPounds(mostNet[every])} ${everyText(every)}`
