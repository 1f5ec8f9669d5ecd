import * as v from 'valibot'
import type { AdminTier, AdminTierPrice, NextPrice } from '#shared/contract/admin-tier.ts'
import type { CardColour, PricePeriod } from '#shared/contract/tier.ts'
import { mostNet, mostText } from '#shared/rules/tier-prices.ts'
import { typedPence } from '#shared/rules/typed-pence.ts'

export const priceOf = ({ prices }: Pick<AdminTier, 'prices'>, every: PricePeriod) =>
  prices.find((price) => price.every === every)

export const offeredOf = ({ prices }: Pick<AdminTier, 'prices'>) => prices.filter(({ isOffered }) => isOffered)

/** A price that waits, by the name the acts on it use. */
export const waitingOf = ({ nextPrice }: AdminTierPrice): NextPrice | null =>
  nextPrice && { price: nextPrice.net, from: nextPrice.from }

export const colourLabels: Record<CardColour, string> = { paper: 'Paper', yellow: 'Yellow', dark: 'Dark' }

/** Pounds as they’re typed, to pence of the period. */
export const PriceField = (every: PricePeriod) =>
  v.pipe(
    v.string(),
    v.transform(typedPence),
    v.number('Enter the price in pounds, such as 250 or 250.50.'),
    v.minValue(100, 'Enter at least £1.'),
    v.maxValue(mostNet[every], `Enter ${mostText(every)}.`),
  )
