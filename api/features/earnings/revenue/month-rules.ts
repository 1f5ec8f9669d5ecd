import type { Context } from '#api/context.ts'
import type { RevenueFigures } from '#api/db/schema/revenue.ts'
import { lastCreditNoteSequence, lastInvoiceSequence } from '#api/features/invoices/queries.ts'
import { type Amounts, type RevenueMonth, revenueMovements } from '#shared/contract/revenue.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { nextMonth } from '#shared/rules/london.ts'
import type { MonthCounts } from './movement-queries.ts'
import { changesOfMonth, commissionOfMonth, creditedIn, creditedLate, invoicedByTier, invoicedLate } from './queries.ts'

/** A month's figures from its rows. `before` is the previous month's figures, or null for the first month. */
export function figuresOf(ctx: Context, month: string, before: RevenueFigures | null): RevenueFigures {
  const [from, to] = [`${month}-01`, `${nextMonth(month)}-01`]
  const invoices = invoicedByTier.all(ctx, { from, to })
  const credited = creditedIn.get(ctx, { from, to }) ?? nothing
  return {
    ...movedIn(ctx, month, before ?? {}),
    ...invoicedFigures(invoices),
    ...named('invoiced', added(invoices)),
    ...named('credited', credited),
    ...named('late', before === null ? nothing : lateSince(ctx, from, before)),
    lastInvoice: lastInvoiceSequence(ctx),
    lastCreditNote: lastCreditNoteSequence(ctx),
  }
}

/** Documents issued since the last month was closed but dated in a month that was closed by then. */
function lateSince(ctx: Context, from: string, before: RevenueFigures): Amounts {
  const invoices = invoicedLate.get(ctx, { sequence: at(before, 'lastInvoice'), day: from }) ?? nothing
  const credited = creditedLate.get(ctx, { sequence: at(before, 'lastCreditNote'), day: from }) ?? nothing
  return added([invoices, negated(credited)])
}

/** What the sales partner is owed at the end of a month, due or not. */
export const commissionAt = (ctx: Context, month: string, before: RevenueFigures | null): number =>
  at(before ?? {}, 'commission') + (commissionOfMonth.get(ctx, { month })?.amount ?? 0)

/** Opening MRR, movements and closing MRR, and the number of customers on each tier at the end. */
function movedIn(ctx: Context, month: string, before: RevenueFigures): RevenueFigures {
  const figures: RevenueFigures = { opening: at(before, 'closing'), payingCustomers: at(before, 'payingCustomers') }
  for (const kind of revenueMovements) figures[kind] = 0
  for (const [name, figure] of Object.entries(before)) if (isOfTier(name)) figures[name] = figure
  const add = (name: string, amount: number) => {
    figures[name] = at(figures, name) + amount
  }
  for (const change of changesOfMonth.all(ctx, { month })) {
    add(change.kind, change.after - change.before)
    add('payingCustomers', change.countedAfter - change.countedBefore)
    add(`${change.tierSlug}.customers`, change.countedAfter)
    add(`${change.tierSlug}.monthlyRevenue`, change.after)
    if (change.tierBefore === null) continue
    add(`${change.tierBefore}.customers`, -change.countedBefore)
    add(`${change.tierBefore}.monthlyRevenue`, -change.before)
  }
  const movement = revenueMovements.reduce((sum, kind) => sum + at(figures, kind), 0)
  return { ...figures, closing: at(figures, 'opening') + movement }
}

/** What each tier has at the end of a month, and carries into the next. */
const isOfTier = (name: string) => name.endsWith('.customers') || name.endsWith('.monthlyRevenue')

const nothing: Amounts = { net: 0, vat: 0, gross: 0 }
const at = (figures: RevenueFigures, name: string) => figures[name] ?? 0

const added = (rows: readonly Amounts[]) =>
  rows.reduce(
    (sum, { net, vat, gross }) => ({ net: sum.net + net, vat: sum.vat + vat, gross: sum.gross + gross }),
    nothing,
  )

const negated = ({ net, vat, gross }: Amounts): Amounts => ({ net: 0 - net, vat: 0 - vat, gross: 0 - gross })

const named = (name: string, { net, vat, gross }: Amounts): RevenueFigures => ({
  [`${name}.net`]: net,
  [`${name}.vat`]: vat,
  [`${name}.gross`]: gross,
})

function invoicedFigures(invoices: readonly (Amounts & { tierSlug: TierSlug | null })[]): RevenueFigures {
  const figures: RevenueFigures = {}
  for (const { tierSlug, net } of invoices) {
    const name = `${tierSlug ?? 'other'}.invoicedNet`
    figures[name] = at(figures, name) + net
  }
  return figures
}

type Month = {
  month: string
  frozenAt: string | null
  figures: RevenueFigures
  counts: MonthCounts
  tiers: readonly TierSlug[]
}

/** The figures in the contract's shape. `frozenAt` is null for an open month. */
export function toRevenueMonth({ month, frozenAt: closedAt, figures, counts, tiers }: Month): RevenueMonth {
  const figure = (name: string) => at(figures, name)
  const amounts = (name: string): Amounts => ({
    net: figure(`${name}.net`),
    vat: figure(`${name}.vat`),
    gross: figure(`${name}.gross`),
  })
  const { movedCustomers, ...rest } = counts
  const [invoiced, credited, late] = [amounts('invoiced'), amounts('credited'), amounts('late')]
  return {
    month,
    isFrozen: closedAt !== null,
    frozenAt: closedAt,
    opening: figure('opening'),
    movements: {
      new: figure('new'),
      expansion: figure('expansion'),
      contraction: figure('contraction'),
      churn_voluntary: figure('churn_voluntary'),
      churn_failed_payment: figure('churn_failed_payment'),
      reactivation: figure('reactivation'),
    },
    closing: figure('closing'),
    payingCustomers: figure('payingCustomers'),
    openingCustomers: figure('payingCustomers') - movedCustomers,
    ...rest,
    tiers: [...tiers, null].map((tier) => ({
      tier,
      customers: figure(`${tier}.customers`),
      monthlyRevenue: figure(`${tier}.monthlyRevenue`),
      invoicedNet: figure(`${tier ?? 'other'}.invoicedNet`),
    })),
    vat: { invoiced, credited, late, total: added([invoiced, late, negated(credited)]) },
  }
}
