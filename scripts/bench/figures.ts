/** What's measured against what. The limit is on the ratio of product to floor: absolute times depend on the machine. */
export type Limit = { atLeast: number } | { atMost: number }
export type Comparison = { floor: number; product: number; ratio: number }
type Format = (value: number) => string

type Row = {
  floor?: string
  product: string
  ratio?: string
  limit?: string
  isMet?: boolean
  note?: string | undefined
}

/** A row is printed when it's measured, so that what's lost later costs no other. */
export function printRow(row: string, { floor = '', product, ratio = '', limit = '', isMet = true, note }: Row): void {
  const cells = [floor.padStart(12), product.padStart(16), ratio.padStart(8), limit.padStart(16)]
  console.log(`${row.padEnd(84)}${cells.join('')}  ${isMet ? 'ok' : 'short'}`)
  if (note) console.log(`  ${note}.`)
  if (!isMet) process.exitCode = 1
}

type Ratio = { format: Format; limit: Limit; note?: string | undefined }

export function printRatio(row: string, { floor, product, ratio }: Comparison, { format, limit, note }: Ratio): void {
  printRow(row, {
    floor: format(floor),
    product: format(product),
    ratio: ratio.toFixed(2),
    limit: 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`,
    isMet: 'atLeast' in limit ? ratio >= limit.atLeast : ratio <= limit.atMost,
    note,
  })
}

type Most = { most: number; format?: Format; note?: string | undefined }

/** Milliseconds, unless `format` says otherwise. */
export function printMost(row: string, value: number, { most, format = formatMs, note }: Most): void {
  printRow(row, { product: format(value), limit: `≤ ${format(most)}`, isMet: value <= most, note })
}

type Measurements = { rounds: number; floor: () => Promise<number>; product: () => Promise<number> }

/** Measures floor and product alternately. The median of the rounds' ratios cancels out other load on the machine. */
export async function medianOfRounds(measurements: Measurements): Promise<Comparison> {
  const rounds = await runRounds(measurements)
  const middle = (of: keyof Comparison) => median(rounds.map((round) => round[of]))
  return { floor: middle('floor'), product: middle('product'), ratio: middle('ratio') }
}

/**
 * Compares the fastest run of each, for programs that start and end: other work on the machine can only slow them down, and slows
 * a long run by more than its share, because a short one may be over before it loses the CPU.
 */
export async function fastestOfRounds(measurements: Measurements): Promise<Comparison> {
  const rounds = await runRounds(measurements)
  const [floor, product] = [Math.min(...rounds.map((one) => one.floor)), Math.min(...rounds.map((one) => one.product))]
  return { floor, product, ratio: product / floor }
}

/** The first round warms both up, and isn't counted. */
async function runRounds({ rounds, floor, product }: Measurements): Promise<Comparison[]> {
  const measured: Comparison[] = []
  while (measured.length <= rounds) {
    const round = { floor: await floor(), product: await product() }
    measured.push({ ...round, ratio: round.product / round.floor })
  }
  return measured.slice(1)
}

export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const formatRate = (rate: number) => `${Math.round(rate).toLocaleString('en-GB')}/s`
export const formatMs = (ms: number) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
export const formatKb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
