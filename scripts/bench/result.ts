/** One line of the table: what was measured, beside its floor, and what must hold. */
export type Result = {
  row: string
  floor: string
  product: string
  ratio: string
  limit: string
  isMet: boolean
  /** What the line itself has no room for. */
  note?: string | undefined
}

export type Limit = { atLeast: number } | { atMost: number }
export type Pair = { floor: number; product: number; ratio: number }

/** A line about both, each as `show` writes it. */
export function compared(row: string, pair: Pair, show: (value: number) => string, limit: Limit): Result {
  const isMet = 'atLeast' in limit ? pair.ratio >= limit.atLeast : pair.ratio <= limit.atMost
  return {
    row,
    floor: show(pair.floor),
    product: show(pair.product),
    ratio: pair.ratio.toFixed(2),
    limit: 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`,
    isMet,
  }
}

/** A line about a figure that stands for itself. */
export const atMost = (row: string, value: number, most: number, show: (value: number) => string): Result => ({
  row,
  floor: '',
  product: show(value),
  ratio: '',
  limit: `≤ ${show(most)}`,
  isMet: value <= most,
})

/** A line about a time that stands for itself, in ms. */
export const within = (row: string, ms: number, mostMs: number) => atMost(row, ms, mostMs, inMs)

export const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en-GB')}/s`
export const inMs = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
export const inKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
