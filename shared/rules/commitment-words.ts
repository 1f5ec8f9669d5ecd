import { addDays, formatLongDate, weekdayName } from './london.ts'

/** `Friday 4 December`, with the year only if it's another one; `today` and the like for what's near. */
export function dayText(day: string, today: string): string {
  if (day === today) return 'today'
  if (day === addDays(today, 1)) return 'tomorrow'
  if (day === addDays(today, -1)) return 'yesterday'
  const date = `${weekdayName(day)} ${formatLongDate(day)}`
  return day.slice(0, 4) === today.slice(0, 4) ? date.replace(/ \d+$/, '') : date
}

/** `Fri 4 Dec`, for a button. */
export function shortDay(day: string): string {
  const [date = '', month = ''] = formatLongDate(day).split(' ')
  return `${weekdayName(day).slice(0, 3)} ${date} ${month.slice(0, 3)}`
}

type Share = { month: string; due: number; kept: number }

/** `This month: 3 of 4 done on time`. */
export function shareText({ month, due, kept }: Share, today: string): string {
  const [, name = ''] = formatLongDate(`${month}-01`).split(' ')
  return `${month === today.slice(0, 7) ? 'This month' : name}: ${kept} of ${due} done on time`
}
