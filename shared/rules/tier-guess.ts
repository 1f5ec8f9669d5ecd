import type { TierGuess } from '#shared/contract/imports.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import type { PriceFacts } from './adoption.ts'
import { type Pence, withVat } from './money.ts'
import { monthsOfPeriod } from './mrr.ts'
import { monthsOf } from './tier-prices.ts'

export type GuessedTier = { tier: TierSlug; guess?: TierGuess }

/** `price` is what a month comes to; `prices` are those on sale. */
type Tier = { slug: TierSlug; name: string; price: Pence; prices: readonly Offered[] }
type Offered = { every: PricePeriod; net: Pence }
/** `name` is what people see: the product's and the price's own. */
type NamedPrice = PriceFacts & { name: string | null }

/** A yearly price is often ten months', so a guess allows that much less. */
const guessedFrom = 0.75
const guessedTo = 1.25
const isNear = (ratio: number) => ratio >= guessedFrom && ratio <= guessedTo

/**
 * The tier each price is most likely for: the one we made it for, else the one it's named after, else the nearest by what a month
 * costs: a year's by the tier's own year, where it has one. Null if none is near. An owner decides.
 */
export function guessTiers(prices: readonly NamedPrice[], tiers: readonly Tier[]): Map<string, GuessedTier | null> {
  const named = prices.flatMap((price) => {
    const tier = tierNamedIn(price.name ?? '', tiers)
    return tier === null ? [] : [{ price, tier }]
  })
  return new Map(prices.map((price) => [price.id, guessOf(price)]))

  function guessOf(price: NamedPrice): GuessedTier | null {
    if (price.ownTier !== null) return { tier: price.ownTier }
    const own = named.find((one) => one.price === price)
    if (own !== undefined) return { tier: own.tier, guess: 'name' }
    // Beside a “Coaching Lite” for £49, a “Coaching” for £99 isn't Lite, whatever Lite costs here.
    const isTaken = (slug: TierSlug) =>
      named.some((one) => one.tier === slug && !isNear(monthly(price) / monthly(one.price)))
    const free = tiers.filter(({ slug }) => !isTaken(slug))
    const tier = nearestTier(price, free)
    return tier === null ? null : { tier, guess: 'amount' }
  }
}

const monthly = (price: PriceFacts) => (price.amount ?? 0) / monthsOfPeriod(price)

/** With or without VAT, because another program's price may be either. */
function nearestTier(price: PriceFacts, tiers: readonly Tier[]): TierSlug | null {
  if (price.amount === null || price.currency !== 'gbp') return null
  const [charged, month] = [price.amount, monthly(price)]
  const near = tiers
    .flatMap(({ slug, price: net, prices }) => {
      const own = prices.find(({ every }) => monthsOf[every] === monthsOfPeriod(price))
      const [sum, whole] = own === undefined ? [month, net] : [charged, own.net]
      return [whole, withVat(whole).total].map((amount) => ({ slug, ratio: sum / amount }))
    })
    .filter(({ ratio }) => isNear(ratio))
    .toSorted((one, other) => Math.abs(Math.log(one.ratio)) - Math.abs(Math.log(other.ratio)))
  return near[0]?.slug ?? null
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A word that several tiers share says nothing: of “Club”, “Club Lite” and “Club XL”, only “Lite” and “XL” do. */
export function tierNamedIn(text: string, tiers: readonly Pick<Tier, 'slug' | 'name'>[]): TierSlug | null {
  const said = wordsOf(text)
  const found = tiers.filter((tier) => {
    const name = wordsOf(tier.name)
    const others = tiers.filter((one) => one !== tier).flatMap((one) => wordsOf(one.name))
    const own = name.filter((word) => !others.includes(word))
    const isNamed = own.length > 0 && own.every((word) => said.includes(word))
    return isNamed || said.includes(tier.slug) || said.join(' ') === name.join(' ')
  })
  return found.length === 1 ? (found[0]?.slug ?? null) : null
}
