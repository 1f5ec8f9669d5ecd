import type { MembershipTier } from '#shared/contract/tier.ts'
import { formatPounds, type Pence } from './money.ts'

/** A monthly price in one of the site's texts. `place` is the path to the text, such as `site.prices.lowest`. */
export type PriceMention = { place: string; words: string; price: Pence }

const amount = /£ ?(\d[\d,]*(?:\.\d{1,2})?)/g
const month = /(?:\/ ?|\b(?:per|each|every) |(?<!\b(?:in|within|for|after) )\ba )month\b|\bmonthly\b|\bpcm\b/i
const vat = /\bVAT\b/i

/** How far from a price its words may be. The next price and the next sentence end that range anyway. */
const after = /^(?:[^£.;!?]|\.(?! )|\.(?= VAT)){0,24}/
const mostBetween = 24
const before = /(?:[^£.;!?]|\.(?! )){0,24}$/

export function priceMentions(content: unknown, place = ''): PriceMention[] {
  if (typeof content === 'string') {
    return [...content.matchAll(amount)].flatMap((found) => {
      const words = monthlyWords(content, found)
      const price = Math.round(Number(found[1]?.replaceAll(',', '')) * 100)
      return words === null ? [] : [{ place, words, price }]
    })
  }
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([name, part]) =>
    priceMentions(part, place === '' ? name : `${place}.${name}`),
  )
}

/** Mentions of a price no tier has, which we'd never charge. */
export const unknownPriceMentions = (content: unknown, tiers: readonly { price: Pence }[]): PriceMention[] =>
  priceMentions(content).filter(({ price }) => !tiers.some((tier) => tier.price === price))

/** The words that make it a monthly price; null for a one-off price. */
function monthlyWords(text: string, { 0: figure, index }: RegExpExecArray): string | null {
  const [behind = ''] = text.slice(index + figure.length).match(after) ?? []
  const tax = vat.exec(behind)
  if (tax === null) return null
  const rate = month.exec(behind)
  if (rate !== null) return figure + behind.slice(0, Math.max(endOf(tax), endOf(rate)))
  const [ahead = ''] = text.slice(Math.max(0, index - mostBetween), index).match(before) ?? []
  const rateAhead = vat.test(ahead) ? null : month.exec(ahead)
  return rateAhead === null ? null : `${ahead.slice(rateAhead.index)}${figure}${behind.slice(0, endOf(tax))}`
}

const endOf = ({ 0: words, index }: RegExpExecArray) => index + words.length

type Tier = Pick<MembershipTier, 'slug' | 'prices'>
type ShippedTier = { slug: string; price: Pence; isActive: boolean }
type Shipped = { line: string; tiers: readonly ShippedTier[] }

/**
 * "from £147 + VAT per month". The shipped line stays while the tiers are those that shipped, at their prices. After that it follows
 * the lowest price by the month, or by the year where there's none by the month, unless an owner has written another line.
 */
export function lowestPriceLine(line: string, tiers: readonly Tier[], shipped: Shipped): string {
  const isSold = ({ slug, price }: ShippedTier) =>
    tiers.some((tier) => tier.slug === slug && tier.prices.some(({ every, net }) => every === 'month' && net === price))
  const offered = shipped.tiers.filter(({ isActive }) => isActive)
  const isAsShipped = tiers.length === offered.length && offered.every(isSold)
  if (line !== shipped.line || tiers.length === 0 || isAsShipped) return line
  const all = tiers.flatMap(({ prices }) => prices)
  const monthly = all.filter(({ every }) => every === 'month')
  const [lowest] = (monthly.length > 0 ? monthly : all).toSorted((one, other) => one.net - other.net)
  return lowest === undefined ? line : `from ${formatPounds(lowest.net)} + VAT per ${lowest.every}`
}
