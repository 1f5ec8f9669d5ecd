import type { Pair } from './result.ts'

type Sides = { floor: () => Promise<number>; product: () => Promise<number> }

/**
 * Measures both in turn. The ratio is the median of the rounds' own: whatever else slows the machine for a while slows
 * both of a round. A first round warms up and does not count.
 */
export async function inPairs(rounds: number, { floor, product }: Sides): Promise<Pair> {
  await floor()
  await product()
  const taken: Pair[] = []
  while (taken.length < rounds) {
    const one = { floor: await floor(), product: await product() }
    taken.push({ ...one, ratio: one.product / one.floor })
  }
  return {
    floor: median(taken.map((pair) => pair.floor)),
    product: median(taken.map((pair) => pair.product)),
    ratio: median(taken.map((pair) => pair.ratio)),
  }
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** The value that this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
