import { usageError } from '#cli/exit-codes.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { mostNet, mostText } from '#shared/rules/tier-prices.ts'

/** A price as it's typed, in pence of its period: 250, £250, 249.50. */
export function parsePounds(text: string, name: string, every: PricePeriod): number {
  const [, pounds, pence = '0'] = /^£?(\d+)(?:\.(\d\d))?$/.exec(text.trim().replaceAll(',', '')) ?? []
  if (pounds === undefined) throw usageError(`${name} takes pounds, such as 250 or 249.50.`)
  const net = Number(pounds) * 100 + Number(pence)
  if (net > mostNet[every]) throw usageError(`${name} takes ${mostText(every)}.`)
  return net
}
