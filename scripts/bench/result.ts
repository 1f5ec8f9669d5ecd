export type Result = {
  row: string
  floor: string
  product: string
  ratio: string
  limit: string
  isMet: boolean
  note?: string | undefined
}

export type Limit = { atLeast: number } | { atMost: number }
export type Comparison = { floor: number; product: number; ratio: number }

/** The limit is on the ratio of product to floor. `format` prints both. */
export function ratioRow(row: string, comparison: Comparison, format: (value: number) => string, limit: Limit): Result {
  const isMet = 'atLeast' in limit ? comparison.ratio >= limit.atLeast : comparison.ratio <= limit.atMost
  return {
    row,
    floor: format(comparison.floor),
    product: format(comparison.product),
    ratio: comparison.ratio.toFixed(2),
    limit: 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`,
    isMet,
  }
}

export const limitRow = (row: string, value: number, most: number, format: (value: number) => string): Result => ({
  row,
  floor: '',
  product: format(value),
  ratio: '',
  limit: `≤ ${format(most)}`,
  isMet: value <= most,
})

export const durationRow = (row: string, ms: number, mostMs: number) => limitRow(row, ms, mostMs, formatMs)

export const formatRate = (rate: number) => `${Math.round(rate).toLocaleString('en-GB')}/s`
export const formatMs = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
export const formatKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
