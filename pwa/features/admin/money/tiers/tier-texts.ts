import * as v from 'valibot'
import type { AdminTier, AdminTierPrice, NextPrice, TierUses } from '#shared/contract/admin-tier.ts'
import type { CardColour, PricePeriod } from '#shared/contract/tier.ts'
import { formatPoundsAndPence, type Pence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { everyText, monthsOf } from '#shared/rules/tier-prices.ts'

/** `net`: pence of the whole period. Without the year, the month is meant. */
export const sumText = (net: Pence, every: PricePeriod = 'month') =>
  `${formatPoundsAndPence(net)} + VAT${every === 'year' ? ` ${everyText(every)}` : ''}`

export const periodText = (net: Pence, every: PricePeriod) => `${formatPoundsAndPence(net)} + VAT ${everyText(every)}`

export const priceOf = ({ prices }: Pick<AdminTier, 'prices'>, every: PricePeriod) =>
  prices.find((price) => price.every === every)

export const offeredOf = ({ prices }: Pick<AdminTier, 'prices'>) => prices.filter(({ isOffered }) => isOffered)

/** A price that waits, by the name the acts on it use. */
export const waitingOf = ({ nextPrice }: AdminTierPrice): NextPrice | null =>
  nextPrice && { price: nextPrice.net, from: nextPrice.from }

export const waitingPriceText = (price: AdminTierPrice, next: NextPrice) =>
  `${nextPriceText(next)}${price.every === 'year' ? `, ${everyText(price.every)}` : ''}`

export const colourLabels: Record<CardColour, string> = { paper: 'Paper', yellow: 'Yellow', dark: 'Dark' }

/** Pounds as they’re typed, to pence of the period. */
export const PriceField = (every: PricePeriod) =>
  v.pipe(
    v.string(),
    v.transform((typed) => typed.replace(/[£,\s]/g, '')),
    v.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Enter the price in pounds, such as 250 or 250.50.'),
    v.transform((pounds) => Math.round(Number(pounds) * 100)),
    v.minValue(100, 'Enter at least £1.'),
    v.maxValue(1_000_000 * monthsOf[every], `Enter up to £${every === 'month' ? '10,000' : '120,000'}.`),
  )

const pages: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/membership-tiers': 'the tiers',
  '/membership-application': 'the application',
  '/reactivate': 'coming back today',
  '/reactivate-delayed': 'coming back later',
}

/** Where visitors see it. */
export const pagesText = ({ pages: shown }: Pick<TierUses, 'pages'>): string =>
  shown.length === 0 ? 'No public page shows it.' : `It’s on ${listText(shown.map((page) => pages[page] ?? page))}.`

/** Who is with it, a line each. */
export function usesLines(uses: TierUses): string[] {
  const { payers, moving, booked, granted, openInvitations, pendingApplications } = uses
  const lines = [
    ...payers.map(
      ({ every, net, members }) =>
        `${plural(members, 'member')} ${members === 1 ? 'pays' : 'pay'} ${formatPoundsAndPence(net)} + VAT a month${every === 'year' ? ', by the year' : ''}`,
    ),
    ...counted(moving, 'member', (one) => `${one ? 'has' : 'have'} had notice of a new price`),
    ...counted(booked, 'member', (one) => `${one ? 'has' : 'have'} booked a change to it`),
    ...counted(granted, 'member', (one) => `${one ? 'has' : 'have'} free access to it`),
    ...counted(openInvitations, 'open invitation', (one) => `${one ? 'is' : 'are'} for it`),
    ...counted(pendingApplications, 'waiting application', (one) => `${one ? 'names' : 'name'} it`),
  ]
  return lines.length === 0 ? ['Nobody’s with it.'] : lines.map((line) => `${line}.`)
}

const counted = (count: number, noun: string, does: (isOne: boolean) => string) =>
  count === 0 ? [] : [`${plural(count, noun)} ${does(count === 1)}`]

export const listText = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words)
