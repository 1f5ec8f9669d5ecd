import type { Comparison } from './result.ts'

type Measurements = { floor: () => Promise<number>; product: () => Promise<number> }

/** Measures floor and product alternately. The median of the rounds' ratios cancels out other load on the machine. */
export async function medianOfRounds(count: number, measurements: Measurements): Promise<Comparison> {
  const rounds = await runRounds(count, measurements)
  return {
    floor: median(rounds.map((round) => round.floor)),
    product: median(rounds.map((round) => round.product)),
    ratio: median(rounds.map((round) => round.ratio)),
  }
}

/**
 * Compares the fastest run of each, for programs that start and end: other work on the machine can only slow them down, and slows
 * a long run by more than its share, because a short one may be over before it loses the CPU.
 */
export async function fastestOfRounds(count: number, measurements: Measurements): Promise<Comparison> {
  const rounds = await runRounds(count, measurements)
  const floor = Math.min(...rounds.map((round) => round.floor))
  const product = Math.min(...rounds.map((round) => round.product))
  return { floor, product, ratio: product / floor }
}

async function runRounds(count: number, { floor, product }: Measurements): Promise<Comparison[]> {
  await floor()
  await product()
  const rounds: Comparison[] = []
  while (rounds.length < count) {
    const round = { floor: await floor(), product: await product() }
    rounds.push({ ...round, ratio: round.product / round.floor })
  }
  return rounds
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
