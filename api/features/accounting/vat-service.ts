import type { Context } from '#api/context.ts'
import { revenueMonths } from '#api/features/earnings/revenue/month-service.ts'
import {
  type Days,
  documentsWithin,
  linesWithin,
  noSums,
  notesWithin,
  type Sums,
} from '#api/features/invoices/vat-queries.ts'
import type { VatReturn } from '#shared/contract/accounting.ts'
import { londonDay } from '#shared/rules/london.ts'
import { daysOf, monthsOf } from '#shared/rules/periods.ts'
import { noteByRate, vatByRate } from '#shared/rules/vat-by-rate.ts'

function ratesWithin(ctx: Context, days: Days): VatReturn['rates'] {
  const credited = notesWithin.all(ctx, days).flatMap(({ lines, ...note }) => noteByRate(lines, note))
  return vatByRate([
    ...linesWithin.all(ctx, days),
    ...credited.map(({ rate, net, vat }) => ({ rate, net: 0 - net, vat: 0 - vat })),
  ])
}

const added = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  net: one.net + other.net,
  vat: one.vat + other.vat,
  gross: one.gross + other.gross,
})

/** A quarter's VAT return boxes, from exactly the documents its export contains. */
export async function vatReturn(ctx: Context, quarter: string): Promise<VatReturn> {
  const days = daysOf(quarter)
  const { invoiced, corrected, refunded } = documentsWithin(ctx, days)
  const credited = added(refunded, corrected)
  const [vat, net] = [invoiced.vat - credited.vat, invoiced.net - credited.net]
  return {
    quarter,
    ...days,
    hasEnded: londonDay(ctx.billingNow()) > days.to,
    boxes: { 1: vat, 2: 0, 3: vat, 4: null, 5: vat, 6: net, 7: null, 8: 0, 9: 0 },
    invoiced,
    credited,
    rates: ratesWithin(ctx, days),
    late: lateIn(ctx, monthsOf(quarter)),
  }
}

function lateIn(ctx: Context, months: string[]): VatReturn['late'] {
  const sums = { ...noSums }
  for (const { month, vat } of revenueMonths(ctx, 240)) {
    if (!months.includes(month)) continue
    sums.net += vat.late.net
    sums.vat += vat.late.vat
    sums.gross += vat.late.gross
  }
  const { net, vat, gross } = sums
  return { net, vat, gross }
}
