type Interval = { interval: string; interval_count: number }

const secondsPerDay = 86_400

/** UTC months. A shorter one gives its last day. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return Math.floor(first.getTime() / 1000)
}

function nthBoundary(anchor: number, { interval, interval_count }: Interval, n: number): number {
  const count = n * interval_count
  if (interval === 'day') return anchor + count * secondsPerDay
  if (interval === 'week') return anchor + count * 7 * secondsPerDay
  return addMonths(anchor, interval === 'year' ? count * 12 : count)
}

/**
 * The first period boundary after `from`, counted from the anchor: 31 Jan → 28 or 29 Feb → 31 Mar.
 * Times are in unix seconds, and months are UTC months, as at Stripe.
 */
export function nextBoundary(anchor: number, interval: Interval, from: number): number {
  const length = nthBoundary(0, interval, 1)
  let n = Math.max(0, Math.floor((from - anchor) / length) - 1)
  while (nthBoundary(anchor, interval, n) <= from) n += 1
  return nthBoundary(anchor, interval, n)
}
