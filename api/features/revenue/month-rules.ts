import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { type Amounts, type RevenueMonth, revenueMovements } from '#shared/contract/revenue.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { nextMonth } from '#shared/rules/london.ts'
import { type InvoiceSum, revenueStatements } from './queries.ts'

/** A month's figures as they are kept when it is frozen, by name, such as `closing`, `lite.customers`, `invoiced.vat`. */
export type Figures = Record<string, number>

const KeptFigures = v.record(v.string(), v.number())
export const readFigures = (json: string): Figures => v.parse(KeptFigures, JSON.parse(json))

/** A month's figures from its rows; `before` are those of the month before it, null where it is the first. */
export function figuresOf(ctx: Context, month: string, before: Figures | null): Figures {
  const statements = revenueStatements(ctx)
  const [from, to] = [`${month}-01`, `${nextMonth(month)}-01`]
  const invoices = statements.invoiced.all(from, to)
  const credited = statements.credited.get(from, to) ?? nought
  return {
    ...movedIn(ctx, month, before ?? {}),
    ...invoicedByTier(invoices),
    ...named('invoiced', added(invoices)),
    ...named('credited', credited),
    ...named('late', before === null ? nought : lateSince(ctx, from, before)),
    ...statements.issued.get(),
  }
}

/** What was issued since the last freezing and belongs, by its date, in a month that was frozen by then. */
function lateSince(ctx: Context, from: string, before: Figures): Amounts {
  const { late, lateCredit } = revenueStatements(ctx)
  const invoices = late.get(at(before, 'lastInvoice'), from) ?? nought
  const credited = lateCredit.get(at(before, 'lastCreditNote'), from) ?? nought
  return added([invoices, negated(credited)])
}

/** What the sales partner is owed at the end of a month, due or not. */
export const commissionAt = (ctx: Context, month: string, before: Figures | null): number =>
  at(before ?? {}, 'commission') + (revenueStatements(ctx).commission.get(month)?.amount ?? 0)

/** Opening, movements and closing, and who counts in which tier at the end. */
function movedIn(ctx: Context, month: string, before: Figures): Figures {
  const figures: Figures = { opening: at(before, 'closing'), payingCustomers: at(before, 'payingCustomers') }
  for (const kind of revenueMovements) figures[kind] = 0
  for (const tier of tierSlugs) {
    for (const name of [`${tier}.customers`, `${tier}.monthlyRevenue`]) figures[name] = at(before, name)
  }
  const add = (name: string, amount: number) => {
    figures[name] = at(figures, name) + amount
  }
  for (const change of revenueStatements(ctx).changes.all(month)) {
    add(change.kind, change.after - change.before)
    add('payingCustomers', change.countedAfter - change.countedBefore)
    add(`${change.tierSlug}.customers`, change.countedAfter)
    add(`${change.tierSlug}.monthlyRevenue`, change.after)
    if (change.tierBefore === null) continue
    add(`${change.tierBefore}.customers`, -change.countedBefore)
    add(`${change.tierBefore}.monthlyRevenue`, -change.before)
  }
  const moved = revenueMovements.reduce((sum, kind) => sum + at(figures, kind), 0)
  return { ...figures, closing: at(figures, 'opening') + moved }
}

const nought: Amounts = { net: 0, vat: 0, gross: 0 }
const at = (figures: Figures, name: string) => figures[name] ?? 0

const added = (rows: readonly Amounts[]) =>
  rows.reduce(
    (sum, { net, vat, gross }) => ({ net: sum.net + net, vat: sum.vat + vat, gross: sum.gross + gross }),
    nought,
  )

const negated = ({ net, vat, gross }: Amounts): Amounts => ({ net: 0 - net, vat: 0 - vat, gross: 0 - gross })

const named = (name: string, { net, vat, gross }: Amounts): Figures => ({
  [`${name}.net`]: net,
  [`${name}.vat`]: vat,
  [`${name}.gross`]: gross,
})

function invoicedByTier(invoices: readonly InvoiceSum[]): Figures {
  const figures: Figures = {}
  for (const { tierSlug, net } of invoices) {
    const name = `${tierSlug ?? 'other'}.invoicedNet`
    figures[name] = at(figures, name) + net
  }
  return figures
}

/** The same in the shape of the wire; `frozenAt` is null for a month that is still open. */
export function monthOf(month: string, frozenAt: string | null, figures: Figures): RevenueMonth {
  const figure = (name: string) => at(figures, name)
  const amounts = (name: string): Amounts => ({
    net: figure(`${name}.net`),
    vat: figure(`${name}.vat`),
    gross: figure(`${name}.gross`),
  })
  const [invoiced, credited, late] = [amounts('invoiced'), amounts('credited'), amounts('late')]
  return {
    month,
    isFrozen: frozenAt !== null,
    frozenAt,
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
    tiers: [...tierSlugs, null].map((tier) => ({
      tier,
      customers: figure(`${tier}.customers`),
      monthlyRevenue: figure(`${tier}.monthlyRevenue`),
      invoicedNet: figure(`${tier ?? 'other'}.invoicedNet`),
    })),
    vat: { invoiced, credited, late, total: added([invoiced, late, negated(credited)]) },
  }
}
