import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '#api/context.ts'
import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'
import { firstOpenMonth } from './frozen-months-queries.ts'
import { type Figures, figuresOf, monthOf, readFigures } from './month-rules.ts'
import { revenueStatements } from './queries.ts'

/** The newest so many months, oldest first: frozen ones as they were kept, open ones from their rows. */
export async function revenueMonths(ctx: Context, limit: number): Promise<RevenueMonth[]> {
  const frozen = revenueStatements(ctx).frozen.all(limit)
  const open: RevenueMonth[] = []
  let before = lastFrozen(ctx)
  for (const month of openMonths(ctx)) {
    before = figuresOf(ctx, month, before)
    open.push(monthOf(month, null, before))
    // Many invoices are added up a month at a time: other requests have their turn in between.
    await nextTurn()
  }
  const kept = frozen.map((row) => monthOf(row.month, row.frozenAt, readFigures(row.figures)))
  return [...kept.toReversed(), ...open].slice(-limit)
}

/** Every month that is not frozen, from the first that has anything in it to the running one. */
export function openMonths(ctx: Context): string[] {
  const running = londonMonth(ctx.billingNow())
  const first = firstOpenMonth(ctx) ?? revenueStatements(ctx).earliest.get()?.month ?? running
  const months: string[] = []
  for (let month = first; month < running; month = nextMonth(month)) months.push(month)
  return [...months, running]
}

export function lastFrozen(ctx: Context): Figures | null {
  const [row] = revenueStatements(ctx).frozen.all(1)
  return row === undefined ? null : readFigures(row.figures)
}
