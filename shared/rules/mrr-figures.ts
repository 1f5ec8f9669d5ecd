import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { comparedWith } from './compared-with.ts'
import { formatMonthAndYear } from './london.ts'
import { formatPounds, formatPoundsAndPence, type Pence } from './money.ts'
import { churnOf, formatShare, type Moved, type MrrFigures, mrrFigures, noFigure } from './month-figures.ts'

/* What each figure about MRR is. The terminal and the browser show these, and docs/money.md has the same sentences. */

export type MrrFigure = keyof MrrFigures | 'lifetimeValue'

const churnMonths = 6
const fewestMembers = 20

export const mrrDefinitions: Record<MrrFigure, { name: string; formula: string }> = {
  netChange: { name: 'Net change', formula: 'New, reactivations and upgrades, less downgrades and churn.' },
  memberChurn: {
    name: 'Member churn',
    formula: 'People who stopped paying in the month ÷ paying customers when it began.',
  },
  revenueChurn: { name: 'MRR churn', formula: 'MRR lost to people who stopped paying ÷ MRR when the month began.' },
  trialConversion: {
    name: 'Trial conversion',
    formula: 'Trials that turned into paying members ÷ trials whose first payment was due in the month.',
  },
  averageRevenue: { name: 'Average per member', formula: 'MRR ÷ paying customers at the month’s end.' },
  lifetimeValue: {
    name: 'Lifetime value',
    formula: `Average per member ÷ average monthly member churn over the last ${churnMonths} full months. Needs ${fewestMembers} paying customers.`,
  },
}

/** What's drawn above and below the line, in this order from it. Losses are negative. */
export const mrrMovements = [
  { name: 'New', of: ({ movements }: Moved) => movements.new },
  { name: 'Reactivations', of: ({ movements }: Moved) => movements.reactivation },
  { name: 'Upgrades', of: ({ movements }: Moved) => movements.expansion },
  { name: 'Downgrades', of: ({ movements }: Moved) => movements.contraction },
  { name: 'Churn', of: (month: Moved) => churnOf(month) },
] as const

/** Months that are over; the last may still be running. Oldest first. */
const fullMonths = (months: readonly RevenueMonth[]): RevenueMonth[] =>
  months.filter(({ isFrozen: isClosed }, at) => isClosed || at < months.length - 1)

/**
 * Null for fewer than 20 paying customers, before six full months, and when nobody has left: a share of a few people says nothing,
 * and one that nobody leaves would last for ever.
 */
export function lifetimeValue(months: readonly RevenueMonth[]): Pence | null {
  const now = months.at(-1)
  const last = fullMonths(months).slice(-churnMonths)
  if (now === undefined || now.payingCustomers < fewestMembers || last.length < churnMonths) return null
  const churns = last.map((month) => mrrFigures(month).memberChurn).filter((churn) => churn !== null)
  const churn = churns.reduce((sum, one) => sum + one, 0) / Math.max(churns.length, 1)
  return churn === 0 ? null : Math.round(now.closing / now.payingCustomers / churn)
}

const formatAmount = (of: Pence | null): string => (of === null ? noFigure : formatPoundsAndPence(of))

/** `+£450.00`, `−£125.00`. */
const formatChange = (of: Pence): string => `${of > 0 ? '+' : ''}${formatPoundsAndPence(of)}`

const compared = (now: Pence, before: Pence, when: string) =>
  comparedWith(now, before, { when, format: formatPounds, fewer: 'less' })

export const monthName = (month: string) => formatMonthAndYear(`${month}-15`)

/** MRR now, beside the end of last month and the beginning of what's shown. `months` is what's drawn. */
export function mrrSentence(months: readonly RevenueMonth[]): string {
  const now = months.at(-1)
  if (now === undefined) return ''
  const mrr = `MRR is ${formatPounds(now.closing)}`
  const [first] = months
  if (first === undefined || months.length === 1) return `${mrr}. ${monthName(now.month)} is your first month.`
  const since = months.length > 2 ? `, and ${compared(now.closing, first.closing, `in ${monthName(first.month)}`)}` : ''
  return `${mrr}: ${compared(now.closing, now.opening, 'last month')}${since}.`
}

/** This month's gains and losses. */
export function changeSentence(months: readonly RevenueMonth[]): string {
  const now = months.at(-1)
  if (now === undefined) return ''
  const moved = mrrMovements.flatMap(({ name, of }) => (of(now) === 0 ? [] : [`${name} ${formatChange(of(now))}`]))
  return moved.length === 0 ? 'No changes this month so far.' : `This month so far: ${moved.join(', ')}.`
}

/** A month's figures as text. */
export const mrrFigureTexts: Record<keyof MrrFigures, (month: RevenueMonth) => string> = {
  netChange: (month) => formatChange(mrrFigures(month).netChange),
  memberChurn: (month) => formatShare(mrrFigures(month).memberChurn),
  revenueChurn: (month) => formatShare(mrrFigures(month).revenueChurn),
  trialConversion: (month) => formatShare(mrrFigures(month).trialConversion),
  averageRevenue: (month) => formatAmount(mrrFigures(month).averageRevenue),
}

type MrrLine = { figure: MrrFigure; value: string; note: string }

/** What the whole business asks for, each beside the month before. Shares are of full months: a running one has lost too few. */
export function mrrLines(months: readonly RevenueMonth[]): MrrLine[] {
  const full = fullMonths(months)
  const line = (figure: keyof MrrFigures, of: readonly RevenueMonth[]): MrrLine => {
    const [before, last] = of.length < 2 ? [undefined, of[0]] : of.slice(-2)
    const text = mrrFigureTexts[figure]
    if (last === undefined) return { figure, value: noFigure, note: 'No full month yet' }
    const isComparable = before !== undefined && text(before) !== noFigure
    const than = isComparable ? `; ${text(before)} in ${monthName(before.month)}` : ''
    return { figure, value: text(last), note: `${monthName(last.month)}${than}` }
  }
  const value = lifetimeValue(months)
  return [
    line('netChange', months),
    line('memberChurn', full),
    line('revenueChurn', full),
    line('trialConversion', full),
    line('averageRevenue', months),
    { figure: 'lifetimeValue', value: formatAmount(value), note: value === null ? missingValue(months) : 'Now' },
  ]
}

function missingValue(months: readonly RevenueMonth[]): string {
  if ((months.at(-1)?.payingCustomers ?? 0) < fewestMembers) return `Fewer than ${fewestMembers} paying customers`
  return fullMonths(months).length < churnMonths ? `Fewer than ${churnMonths} full months` : 'No one has left'
}
