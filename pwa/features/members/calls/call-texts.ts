import { formatClock, formatLongDate, londonClock, weekdayName } from '#shared/rules/london.ts'

export const callNames = { coaching: 'Coaching call', 'catch-up': 'Catch-up call' }

export const catchUpText = 'A catch-up is a short call for one question that won’t wait.'

/** London time, and it says so if the device shows another. */
export function whenOf(at: string): string {
  const time = londonClock(at)
  const when = `${weekdayName(at)} ${formatLongDate(at)}, ${time}`
  return time === formatClock(at) ? when : `${when} UK time`
}
