import type { Context } from '#api/context.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import type { RevenueMonth } from '#shared/contract/revenue.ts'
import { londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { closedMonths, firstOpenMonth, lastClosed } from './month-queries.ts'
import { figuresOf, toRevenueMonth } from './month-rules.ts'
import { lostByMonth, type MonthCounts, movedByMonth, trialsBetween } from './movement-queries.ts'
import { earliestMonth } from './queries.ts'

/** The newest `limit` months, oldest first: closed ones as stored, open ones from their sums. */
export function revenueMonths(ctx: Context, limit: number): RevenueMonth[] {
  const tiers = allTiers(ctx)
  const closed = closedMonths(ctx, limit).toReversed()
  const open: Omit<(typeof closed)[number], 'frozenAt'>[] = []
  let before = lastClosed(ctx)?.figures ?? null
  for (const month of openMonths(ctx)) {
    before = figuresOf(ctx, month, before)
    open.push({ month, figures: before })
  }
  const shown = [...closed, ...open.map((row) => ({ ...row, frozenAt: null }))].slice(-limit)
  const countsOf = countsByMonth(ctx, shown[0]?.month)
  return shown.map((row) => toRevenueMonth({ ...row, counts: countsOf(row.month), tiers }))
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

/** Of this month and later. For closed months too: nothing is booked there any more, so they can't change. */
function countsByMonth(ctx: Context, first: string | undefined): (month: string) => MonthCounts {
  const moved = new Map(movedByMonth.all(ctx).map((row) => [row.month, row]))
  const lost = new Map(lostByMonth.all(ctx).map((row) => [row.month, row.lost]))
  const from = first === undefined ? '' : startOfMonth(first).toISOString()
  const trials = Map.groupBy(trialsBetween.all(ctx, { from, now: ctx.billingNow().toISOString() }), ({ trialEnd }) =>
    londonMonth(new Date(trialEnd)),
  )
  return (month) => {
    const ended = trials.get(month) ?? []
    const fromStripe = monthlyOf(moved.get(month)?.fromStripeYearly ?? 0)
    return {
      movedCustomers: moved.get(month)?.moved ?? 0,
      lostCustomers: lost.get(month) ?? 0,
      trialsEnded: ended.reduce((sum, row) => sum + row.ended, 0),
      trialsConverted: ended.reduce((sum, row) => sum + row.converted, 0),
      ...(fromStripe === 0 ? {} : { fromStripe }),
    }
  }
}
