import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '#api/context.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { closedMonths, firstOpenMonth, lastClosed } from './month-queries.ts'
import { figuresOf, toRevenueMonth } from './month-rules.ts'
import { type MonthCounts, movedByMonth, trialsUntil } from './movement-queries.ts'
import { earliestMonth } from './queries.ts'

/** The newest `limit` months, oldest first: closed ones as stored, open ones computed from their rows. */
export async function revenueMonths(ctx: Context, limit: number): Promise<RevenueMonth[]> {
  const countsOf = countsByMonth(ctx)
  const tiers = allTiers(ctx)
  const closed = closedMonths(ctx, limit)
  const open: RevenueMonth[] = []
  let before = lastClosed(ctx)?.figures ?? null
  for (const month of openMonths(ctx)) {
    before = figuresOf(ctx, month, before)
    open.push(toRevenueMonth({ month, frozenAt: null, figures: before, counts: countsOf(month), tiers }))
    // A month may have many invoices to add up, so let other requests run in between.
    await nextTurn()
  }
  const stored = closed.map((row) => toRevenueMonth({ ...row, counts: countsOf(row.month), tiers }))
  return [...stored.toReversed(), ...open].slice(-limit)
}

/** Every open month, from the first with data to the current one. Empty if the current month is closed. */
export function openMonths(ctx: Context): string[] {
  const current = londonMonth(ctx.billingNow())
  const open = firstOpenMonth(ctx)
  if (open !== null && open > current) return []
  const first = open ?? earliestMonth(ctx) ?? current
  const months: string[] = []
  for (let month = first; month < current; month = nextMonth(month)) months.push(month)
  return [...months, current]
}

/** From the rows for closed months too: nothing is booked there any more, so they can't change. */
function countsByMonth(ctx: Context): (month: string) => MonthCounts {
  const moved = new Map(movedByMonth.all(ctx).map((row) => [row.month, row]))
  const trials = Map.groupBy(trialsUntil.all(ctx, { now: ctx.billingNow().toISOString() }), ({ trialEnd }) =>
    londonMonth(new Date(trialEnd)),
  )
  return (month) => {
    const ended = trials.get(month) ?? []
    const fromStripe = monthlyOf(moved.get(month)?.fromStripeYearly ?? 0)
    return {
      movedCustomers: moved.get(month)?.moved ?? 0,
      lostCustomers: moved.get(month)?.lost ?? 0,
      trialsEnded: ended.reduce((sum, row) => sum + row.ended, 0),
      trialsConverted: ended.reduce((sum, row) => sum + row.converted, 0),
      ...(fromStripe === 0 ? {} : { fromStripe }),
    }
  }
}
