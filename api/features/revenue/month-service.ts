import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '#api/context.ts'
import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'
import { firstOpenMonth, frozenMonths, lastFrozen } from './month-queries.ts'
import { figuresOf, toRevenueMonth } from './month-rules.ts'
import { earliestMonth } from './queries.ts'

/** The newest `limit` months, oldest first: frozen ones as stored, open ones computed from their rows. */
export async function revenueMonths(ctx: Context, limit: number): Promise<RevenueMonth[]> {
  const frozen = frozenMonths(ctx, limit)
  const open: RevenueMonth[] = []
  let before = lastFrozen(ctx)?.figures ?? null
  for (const month of openMonths(ctx)) {
    before = figuresOf(ctx, month, before)
    open.push(toRevenueMonth(month, null, before))
    // A month may have many invoices to add up, so let other requests run in between.
    await nextTurn()
  }
  const stored = frozen.map(({ month, frozenAt, figures }) => toRevenueMonth(month, frozenAt, figures))
  return [...stored.toReversed(), ...open].slice(-limit)
}

/** Every open month, from the first with data to the current one. Empty if the current month is frozen. */
export function openMonths(ctx: Context): string[] {
  const current = londonMonth(ctx.billingNow())
  const open = firstOpenMonth(ctx)
  if (open !== null && open > current) return []
  const first = open ?? earliestMonth(ctx) ?? current
  const months: string[] = []
  for (let month = first; month < current; month = nextMonth(month)) months.push(month)
  return [...months, current]
}
