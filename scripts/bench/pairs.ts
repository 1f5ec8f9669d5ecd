import type { Pair } from './result.ts'

type Sides = { floor: () => Promise<number>; product: () => Promise<number> }

/**
 * Measures both in turn. The ratio is the median of the rounds' own: whatever else slows the machine for a while slows
 * both of a round.
 */
export async function inPairs(rounds: number, sides: Sides): Promise<Pair> {
  const taken = await takeTurns(rounds, sides)
  return {
    floor: median(taken.map((pair) => pair.floor)),
    product: median(taken.map((pair) => pair.product)),
    ratio: median(taken.map((pair) => pair.ratio)),
  }
}

/**
 * The fastest of each. For programs that start and end: other work on the machine only adds to them, and to a long one
 * more than in proportion, since a short one is over before it loses its turn on the processor.
 */
export async function fastestOf(rounds: number, sides: Sides): Promise<Pair> {
  const taken = await takeTurns(rounds, sides)
  const floor = Math.min(...taken.map((pair) => pair.floor))
  const product = Math.min(...taken.map((pair) => pair.product))
  return { floor, product, ratio: product / floor }
}

/** A first round warms up and does not count. */
async function takeTurns(rounds: number, { floor, product }: Sides): Promise<Pair[]> {
  await floor()
  await product()
  const taken: Pair[] = []
  while (taken.length < rounds) {
    const one = { floor: await floor(), product: await product() }
    taken.push({ ...one, ratio: one.product / one.floor })
  }
  return taken
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

/** The value that this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
