import type { Context } from '#api/context.ts'
import { earliestMonth } from '#api/features/earnings/revenue/queries.ts'
import { documentsWithin } from '#api/features/invoices/vat-queries.ts'
import type { Bridge, Earned, EarnedLine, EarnedSpan } from '#shared/contract/earned.ts'
import { sumOfEarned, whatsLeft } from '#shared/rules/earned.ts'
import { londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { amountFrom, monthStarts } from '#shared/rules/paid-months.ts'
import { daysOf, monthsOf, quarterOf, taxYearOf } from '#shared/rules/periods.ts'
import { lastReading } from './balance-service.ts'
import { emptyBridge, moveInto } from './bridge-rules.ts'
import {
  balanceUntil,
  commissionByMonth,
  earliestPayment,
  earliestTransaction,
  longPayments,
  movedByMonth,
  paidWithin,
  refundedWithin,
} from './queries.ts'

const periodOf: Record<EarnedSpan, (month: string) => string> = {
  month: (month) => month,
  quarter: quarterOf,
  'tax-year': taxYearOf,
}

/** Every month since the first payment, or their sums, newest first. */
export function earned(ctx: Context, by: EarnedSpan = 'month'): Earned {
  const reading = lastReading(ctx)
  const ahead = paidAhead(ctx)
  const months = earnedMonths(ctx, reading, ahead)
  const lines =
    by === 'month'
      ? months
      : [...Map.groupBy(months, ({ period }) => periodOf[by](period))].map(([period, own]) =>
          sumOfEarned(period, own, forLaterOf(ahead, monthsOf(period))),
        )
  const balance = reading && { at: reading.at, ours: reading.before + balanceUntil(ctx), stripe: reading.balance }
  return { lines: lines.toReversed(), from: reading?.from ?? null, balance }
}

/** By the month it was taken in: what each month it's for is worth, in pence without VAT. */
type Ahead = Map<string, Map<string, number>>

/** Of payments for several months. What went back was for the last ones. */
function paidAhead(ctx: Context): Ahead {
  const ahead: Ahead = new Map()
  for (const { paidAt, start, end, net, total: gross, taken, refunded } of longPayments.all(ctx)) {
    const starts = monthStarts({ start, end })
    const [paid = 0, back = 0] = [taken, refunded].map((amount) => Math.round((net * amount) / gross))
    const leftFrom = (month: number) => Math.max(0, amountFrom(paid, month, starts.length) - back)
    const months = getOrInsert(ahead, londonMonth(new Date(paidAt)))
    for (const [at, begins] of starts.entries()) {
      const month = londonMonth(new Date(begins))
      months.set(month, (months.get(month) ?? 0) + leftFrom(at) - leftFrom(at + 1))
    }
  }
  return ahead
}

function getOrInsert(ahead: Ahead, taken: string): Map<string, number> {
  const known = ahead.get(taken) ?? new Map<string, number>()
  ahead.set(taken, known)
  return known
}

/** Of what was taken in these months, what's for those after. */
function forLaterOf(ahead: Ahead, months: readonly string[]): number {
  const last = months.at(-1) ?? ''
  const later = months.flatMap((taken) => [...(ahead.get(taken) ?? [])]).filter(([month]) => month > last)
  return later.reduce((sum, [, net]) => sum + net, 0)
}

type Reading = ReturnType<typeof lastReading>

/** Oldest first. */
function earnedMonths(ctx: Context, reading: Reading, ahead: Ahead): EarnedLine[] {
  const bridges = bridgesByMonth(ctx, reading)
  const commission = new Map(commissionByMonth.all(ctx).map(({ month, amount }) => [month, amount]))
  const lines: EarnedLine[] = []
  const last = londonMonth(ctx.billingNow())
  for (let month = firstMonth(ctx) ?? last; month <= last; month = nextMonth(month)) {
    const isKnown = reading !== null && month >= reading.from
    const bridge = isKnown ? bridgeOf(bridges, reading, month) : null
    const forLater = forLaterOf(ahead, [month])
    lines.push(lineOf(ctx, { month, bridge, commission: commission.get(month) ?? 0, forLater }))
  }
  return lines
}

function firstMonth(ctx: Context): string | undefined {
  const paid = earliestPayment(ctx)
  const months = [
    earliestMonth(ctx),
    paid === null ? undefined : londonMonth(new Date(paid)),
    earliestTransaction(ctx)?.slice(0, 7),
  ]
  return months.filter((month) => month !== undefined).sort()[0]
}

type Bridges = Map<string, Bridge>

/** A month without transactions moves nothing, so the balance before it is the last one’s. */
function bridgesByMonth(ctx: Context, reading: Reading): Bridges {
  const bridges: Bridges = new Map()
  if (reading === null) return bridges
  for (const { month, ...moved } of movedByMonth.all(ctx)) {
    bridges.set(month, moveInto(bridges.get(month) ?? emptyBridge(0), moved))
  }
  let { before } = reading
  for (const month of [...bridges.keys()].sort()) {
    const bridge = bridges.get(month) ?? emptyBridge(0)
    const after = before + bridge.after
    bridges.set(month, { ...bridge, before, after })
    before = after
  }
  return bridges
}

function bridgeOf(bridges: Bridges, { before }: { before: number }, month: string): Bridge {
  const own = bridges.get(month)
  if (own !== undefined) return own
  const earlier = [...bridges.keys()].filter((one) => one < month).sort()
  return emptyBridge(bridges.get(earlier.at(-1) ?? '')?.after ?? before)
}

type Month = { month: string; bridge: Bridge | null; commission: number; forLater: number }

function lineOf(ctx: Context, { month, bridge, commission, forLater }: Month): EarnedLine {
  const { invoiced, corrected, refunded: credited } = documentsWithin(ctx, daysOf(month))
  const vat = invoiced.vat - corrected.vat - credited.vat
  const { taken, refunded } =
    bridge === null ? rowsOf(ctx, month) : { ...bridge, refunded: bridge.refunded - bridge.disputes }
  return {
    period: month,
    taken,
    refunded,
    vat,
    commission,
    ...whatsLeft({ taken, refunded, vat, commission }, bridge),
    offInvoices: taken - (invoiced.gross - corrected.gross),
    offCredits: refunded - credited.gross,
    forLater,
    bridge,
  }
}

function rowsOf(ctx: Context, month: string): { taken: number; refunded: number } {
  const span = { from: startOfMonth(month).toISOString(), to: startOfMonth(nextMonth(month)).toISOString() }
  return { taken: paidWithin.get(ctx, span)?.amount ?? 0, refunded: refundedWithin.get(ctx, span)?.amount ?? 0 }
}
