import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { mrrFigures } from './month-figures.ts'
import { changeSentence, lifetimeValue, mrrDefinitions, mrrLines, mrrSentence } from './mrr-figures.ts'

const nought = { net: 0, vat: 0, gross: 0 }

type Given = Partial<Omit<RevenueMonth, 'movements'>> & { movements?: Partial<RevenueMonth['movements']> }

const monthOf = ({ movements, ...more }: Given): RevenueMonth => ({
  month: '2026-06',
  isFrozen: true,
  frozenAt: null,
  opening: 0,
  closing: 0,
  tiers: [],
  payingCustomers: 0,
  openingCustomers: 0,
  lostCustomers: 0,
  trialsEnded: 0,
  trialsConverted: 0,
  vat: { invoiced: nought, credited: nought, late: nought, total: nought },
  ...more,
  movements: {
    new: 0,
    expansion: 0,
    contraction: 0,
    churn_voluntary: 0,
    churn_failed_payment: 0,
    reactivation: 0,
    ...movements,
  },
})

test('a month in figures, and nothing where there is nothing to divide by', () => {
  const june = monthOf({
    opening: 100_000,
    closing: 117_500,
    openingCustomers: 8,
    payingCustomers: 9,
    lostCustomers: 2,
    trialsEnded: 3,
    trialsConverted: 2,
    movements: { new: 60_000, contraction: -12_500, churn_voluntary: -20_000, churn_failed_payment: -10_000 },
  })
  expect(mrrFigures(june)).toEqual({
    netChange: 17_500,
    memberChurn: 0.25,
    revenueChurn: 0.3,
    trialConversion: 2 / 3,
    averageRevenue: 13_056,
  })
  expect(changeSentence([june])).toBe('This month so far: New +£600.00, Downgrades −£125.00, Churn −£300.00.')
  expect(mrrFigures(monthOf({}))).toEqual({
    netChange: 0,
    memberChurn: null,
    revenueChurn: null,
    trialConversion: null,
    averageRevenue: null,
  })
})

const year = (churn: readonly number[], more: Given = {}) => [
  ...churn.map((lostCustomers) => monthOf({ openingCustomers: 20, payingCustomers: 20, lostCustomers })),
  // The running month has lost everybody so far, and counts only as now.
  monthOf({ isFrozen: false, closing: 500_000, payingCustomers: 20, openingCustomers: 20, lostCustomers: 20, ...more }),
]

test('lifetime value is the average per member over the churn of six full months, from 20 members on', () => {
  // £250 ÷ (6 lost of 120) = £250 ÷ 5%.
  expect(lifetimeValue(year([9, 1, 1, 1, 1, 1, 1]))).toBe(500_000)
  expect(lifetimeValue(year([2, 0, 0, 2, 0, 2]))).toBe(500_000)
  expect(lifetimeValue(year([1, 1, 1, 1, 1, 1], { payingCustomers: 19 }))).toBeNull()
  expect(lifetimeValue(year([1, 1, 1, 1, 1]))).toBeNull()
  expect(lifetimeValue(year([0, 0, 0, 0, 0, 0]))).toBeNull()
  const told = (months: RevenueMonth[]) => mrrLines(months).at(-1)
  expect(told(year([2, 0, 0, 2, 0, 2]))).toMatchObject({ value: '£5,000.00', note: 'Now' })
  expect(told(year([0, 0, 0, 0, 0, 0]))).toMatchObject({ value: '–', note: 'No one has left' })
  expect(told([])).toMatchObject({ value: '–', note: 'Fewer than 20 paying customers' })
})

test('the sentence compares with last month and with the first one shown', () => {
  const may = monthOf({ month: '2026-05', closing: 80_000 })
  const june = monthOf({ opening: 80_000, closing: 125_000 })
  const april = monthOf({ month: '2026-04', closing: 130_050 })
  expect(mrrSentence([june])).toBe('MRR is £1,250. June 2026 is your first month.')
  expect(mrrSentence([may, june])).toBe('MRR is £1,250: £450 more than last month.')
  expect(mrrSentence([april, may, june])).toBe(
    'MRR is £1,250: £450 more than last month, and £50.50 less than in April 2026.',
  )
  expect(mrrSentence([])).toBe('')
})

/** One person's amount at the end of each month, as a list nobody adds up cleverly. */
const person = fc.array(fc.constantFrom(0, 12_500, 25_000), { minLength: 8, maxLength: 8 })

test('churn and net change are what a naive count of every person at the end of every month gives', () => {
  fc.assert(
    fc.property(fc.array(person, { maxLength: 30 }), (people) => {
      for (let at = 1; at < 8; at += 1) {
        const pairs = people.map((amounts) => [amounts[at - 1] ?? 0, amounts[at] ?? 0] as const)
        const left = pairs.filter(([before, after]) => before > 0 && after === 0)
        const sum = (of: number[]) => of.reduce((all, one) => all + one, 0)
        const moved = (kept: (before: number, after: number) => boolean) =>
          sum(pairs.filter(([before, after]) => kept(before, after)).map(([before, after]) => after - before))
        const [opening, closing] = [sum(pairs.map(([before]) => before)), sum(pairs.map(([, after]) => after))]
        const figures = mrrFigures(
          monthOf({
            opening,
            closing,
            lostCustomers: left.length,
            openingCustomers: pairs.filter(([before]) => before > 0).length,
            payingCustomers: pairs.filter(([, after]) => after > 0).length,
            movements: {
              new: moved((before) => before === 0),
              expansion: moved((before, after) => before > 0 && after > before),
              contraction: moved((before, after) => after > 0 && after < before),
              churn_voluntary: moved((before, after) => before > 0 && after === 0),
            },
          }),
        )
        const paying = pairs.filter(([before]) => before > 0)
        expect(figures.netChange).toBe(sum(pairs.map(([before, after]) => after - before)))
        expect(figures.memberChurn).toBe(paying.length === 0 ? null : left.length / paying.length)
        const gone = sum(left.map(([before]) => before))
        expect(figures.revenueChurn).toBe(opening === 0 ? null : gone / opening)
      }
    }),
  )
})

test('docs/money.md defines each figure in the same words', () => {
  const docs = readFileSync('docs/money.md', 'utf8').replaceAll(/\s+/g, ' ')
  for (const { name, formula } of Object.values(mrrDefinitions)) expect(docs).toContain(`**${name}.** ${formula}`)
})
