import type { Pence } from './money.ts'

/** A monthly price as the site's words give it. `place` says where it stands, such as `site.prices.lowest`. */
export type PriceReading = { place: string; words: string; price: Pence }

const monthlyPrice = /£([\d,]+(?:\.\d{2})?) \+ VAT(?:\/month| (?:per|a) month)/g

/** Every "£N + VAT per month" in a piece of content, however deep it stands. */
export function priceReadings(content: unknown, place = ''): PriceReading[] {
  if (typeof content === 'string') {
    return [...content.matchAll(monthlyPrice)].map(([words, pounds = '']) => ({
      place,
      words,
      price: Math.round(Number(pounds.replaceAll(',', '')) * 100),
    }))
  }
  if (typeof content !== 'object' || content === null) return []
  return Object.entries(content).flatMap(([name, part]) =>
    priceReadings(part, place === '' ? name : `${place}.${name}`),
  )
}

/** Those that are the price of none of the tiers: nothing else is ever charged. */
export const strayReadings = (content: unknown, tiers: readonly { price: Pence }[]): PriceReading[] =>
  priceReadings(content).filter(({ price }) => !tiers.some((tier) => tier.price === price))
