import { addDays, formatMonthAndYear, nextMonth } from './london.ts'

/*
 * The spans money is added up by: a month (2026-06), a quarter (2026-Q2) or a tax year (2026/27). All are whole months. A tax year
 * here is April to March: HMRC lets a business that ends its year on 31 March count it as ended on 5 April.
 */

export const quarterOf = (month: string): string => `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`

export function taxYearOf(month: string): string {
  const first = Number(month.slice(0, 4)) - (Number(month.slice(5)) < 4 ? 1 : 0)
  return `${first}/${String((first + 1) % 100).padStart(2, '0')}`
}

/** The period’s months, oldest first. */
export function monthsOf(period: string): string[] {
  if (/-Q/.test(period)) return following(`${period.slice(0, 4)}-${twoDigits(Number(period.slice(6)) * 3 - 2)}`, 3)
  return period.includes('/') ? following(`${period.slice(0, 4)}-04`, 12) : [period]
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

function following(first: string, count: number): string[] {
  const months = [first]
  while (months.length < count) months.push(nextMonth(months.at(-1) ?? first))
  return months
}

/** Its first and last day. */
export function daysOf(period: string): { from: string; to: string } {
  const months = monthsOf(period)
  return { from: `${months[0]}-01`, to: addDays(`${nextMonth(months.at(-1) ?? period)}-01`, -1) }
}

/** “June 2026”, “Apr to Jun 2026”, “2026/27”. */
export function periodName(period: string): string {
  if (period.includes('/')) return period
  const months = monthsOf(period)
  const [first = '', last = ''] = [months[0], months.at(-1)].map((month) => formatMonthAndYear(`${month}-15`))
  return months.length === 1 ? first : `${first.slice(0, 3)} to ${last.slice(0, 3)} ${period.slice(0, 4)}`
}
