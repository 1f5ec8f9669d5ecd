import { describe, expect, test } from 'vitest'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { changeStarts, isNewPriceBooked, type TierNets } from './tier-changes.ts'

/** By the month, and by the year with two months free. */
const sold = {
  lite: { month: 12_500, year: 125_000 },
  standard: { month: 25_000, year: 250_000 },
  xl: { month: 45_000, year: 450_000 },
} satisfies Partial<Record<TierSlug, Record<PricePeriod, number>>>

type Name = keyof typeof sold
const names = Object.keys(sold) as Name[]
const periods = ['month', 'year'] as const
const prices = names.flatMap((tierSlug) => periods.map((every) => ({ tierSlug, every, net: sold[tierSlug][every] })))
const pairs = prices.flatMap((from) => prices.map((to) => ({ from, to })))

const whenOf = (from: (typeof prices)[number], to: (typeof prices)[number]) =>
  changeStarts(from, to, { from: sold[from.tierSlug], to: sold[to.tierSlug] })

/** Rows are what they have, columns what they choose: `=` the same, `T` today, `n` with the next bill. */
const table = `
                lite month  lite year  standard month  standard year  xl month  xl year
lite month          =          T             T               T            T         T
lite year           n          =             n               T            n         T
standard month      n          n             =               T            T         T
standard year       n          n             n               =            n         T
xl month            n          n             n               n            =         T
xl year             n          n             n               n            n         =
`

test('when a change starts, over all pairs', () => {
  const rows = table.trim().split('\n').slice(1)
  const said = rows.map((row) => row.slice(16).trim().split(/\s+/))
  const letter = { same: '=', today: 'T', 'next-bill': 'n' }
  expect(prices.map((from) => prices.map((to) => letter[whenOf(from, to)]))).toEqual(said)
})

test.each(pairs)('$from.tierSlug by the $from.every → $to.tierSlug by the $to.every', ({ from, to }) => {
  const when = whenOf(from, to)
  // Nothing that leaves a year starts today, and nothing smaller does.
  if (when === 'today') {
    expect(names.indexOf(to.tierSlug)).toBeGreaterThanOrEqual(names.indexOf(from.tierSlug))
    expect(from.every === 'year' && to.every === 'month').toBe(false)
  }
  expect(when === 'same').toBe(from === to)
})

describe('which tier is dearer', () => {
  const at = (tierSlug: TierSlug, every: PricePeriod, net: number) => ({ tierSlug, every, net })
  const yearAlone = (year: number): TierNets => ({ month: null, year })
  const neither: TierNets = { month: null, year: null }

  test('of the same period, by what’s paid: an old price may be below or above the tier’s own', () => {
    const nets = { from: sold.standard, to: sold.xl }
    expect(changeStarts(at('standard', 'month', 46_000), at('xl', 'month', 45_000), nets)).toBe('next-bill')
    expect(changeStarts(at('standard', 'month', 45_000), at('xl', 'month', 45_000), nets)).toBe('next-bill')
    expect(changeStarts(at('standard', 'month', 44_999), at('xl', 'month', 45_000), nets)).toBe('today')
  })

  test('from a month to a year, by the month where both are sold so: a cheap year makes no tier smaller', () => {
    const nets = { from: sold.standard, to: { month: 45_000, year: 100_000 } }
    expect(changeStarts(at('standard', 'month', 25_000), at('xl', 'year', 100_000), nets)).toBe('today')
  })

  test('a tier by the year alone, by the years of both', () => {
    const to = at('xl', 'year', 290_000)
    const nets = { from: sold.standard, to: yearAlone(290_000) }
    expect(changeStarts(at('standard', 'month', 25_000), to, nets)).toBe('today')
    expect(changeStarts(at('xl', 'month', 45_000), at('lite', 'year', 290_000), { ...nets, from: sold.xl })).toBe(
      'next-bill',
    )
  })

  test('never sold alike, by what each comes to in a year', () => {
    const nets = { from: neither, to: yearAlone(290_000) }
    expect(changeStarts(at('standard', 'month', 25_000), at('xl', 'year', 290_000), nets)).toBe('next-bill')
    expect(changeStarts(at('standard', 'month', 24_000), at('xl', 'year', 290_000), nets)).toBe('today')
  })

  test('the same tier’s year starts today, whatever it costs', () => {
    const nets = { from: sold.standard, to: sold.standard }
    expect(changeStarts(at('standard', 'month', 25_000), at('standard', 'year', 1_000), nets)).toBe('today')
  })
})

describe('the owners’ new price', () => {
  const standard = { tierSlug: 'standard', chargeMonths: 1, chargeDays: null } as const

  test.each([
    ['nothing booked', { nextTierSlug: null, nextTierPrice: null }, false],
    ['the same tier by the month', { nextTierSlug: 'standard', nextTierPrice: {} }, true],
    ['read by an earlier version', { nextTierSlug: 'standard', nextTierPrice: null }, true],
    ['another tier', { nextTierSlug: 'xl', nextTierPrice: {} }, false],
    ['the same tier by the year', { nextTierSlug: 'standard', nextTierPrice: { months: 12 } }, false],
    ['the same tier by the week', { nextTierSlug: 'standard', nextTierPrice: { days: 7 } }, false],
  ] as const)('%s', (_what, booked, expected) => {
    expect(isNewPriceBooked({ ...standard, ...booked })).toBe(expected)
  })

  test('a year’s own new price, and a year that becomes a month', () => {
    const year = { ...standard, chargeMonths: 12, nextTierSlug: 'standard' } as const
    expect(isNewPriceBooked({ ...year, nextTierPrice: { months: 12 } })).toBe(true)
    expect(isNewPriceBooked({ ...year, nextTierPrice: {} })).toBe(false)
  })
})
