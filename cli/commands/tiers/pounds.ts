import { usageError } from '#cli/exit-codes.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { mostNet, mostText } from '#shared/rules/tier-prices.ts'
import { typedPence } from '#shared/rules/typed-pence.ts'

/** A price as it's typed, in pence of its period: 250, £250, 249.50. */
export function parsePounds(text: string, name: string, every: PricePeriod): number {
  const net = typedPence(text)
  if (net === null) throw usageError(`${name} takes pounds, such as 250 or 249.50.`)
  if (net > mostNet[every]) throw usageError(`${name} takes ${mostText(every)}.`)
  return net
}
