import type { Context } from '#api/context.ts'
import type { RevenueFigures } from '#api/db/schema/revenue.ts'
import { lastCreditNoteSequence, lastInvoiceSequence } from '#api/features/invoices/queries.ts'
import { type Amounts, type RevenueMonth, revenueMovements } from '#shared/contract/revenue.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { monthlyOf, monthlyShares } from '#shared/rules/mrr.ts'
import { firstOpenMonth } from './month-queries.ts'
import type { MonthCounts } from './movement-queries.ts'
import { changesOfMonth, commissionOfMonth, creditedIn, invoicedByTier, issuedLate } from './queries.ts'

/** A month's figures from its rows. `before` is the previous month's figures, or null for the first month. */
export function figuresOf(ctx: Context, month: string, before: RevenueFigures | null): RevenueFigures {
  const invoices = invoicedByTier.all(ctx, { month })
  const credited = creditedIn.get(ctx, { month }) ?? nothing
  return {
    ...movedIn(ctx, month, before ?? {}),
    ...invoicedFigures(invoices),
    ...named('invoiced', added(invoices)),
    ...named('credited', credited),
    ...named('late', lateIn(ctx, month)),
    lastInvoice: lastInvoiceSequence(ctx),
    lastCreditNote: lastCreditNoteSequence(ctx),
  }
}

/** Documents issued since the last month was closed but dated in a month that was closed by then. The first open month has them. */
const lateIn = (ctx: Context, month: string): Amounts =>
  (month === firstOpenMonth(ctx) ? issuedLate.get(ctx, { month }) : undefined) ?? nothing

/** What the sales partner is owed at the end of a month, due or not. */
export const commissionAt = (ctx: Context, month: string, before: RevenueFigures | null): number =>
  at(before ?? {}, 'commission') + (commissionOfMonth.get(ctx, { month })?.amount ?? 0)

/**
 * Opening MRR, movements and closing MRR, and the number of customers on each tier at the end. Counted in pence a year, and rounded
 * to months last, so that movements and tiers add up.
 */
function movedIn(ctx: Context, month: string, before: RevenueFigures): RevenueFigures {
  const figures: RevenueFigures = { payingCustomers: at(before, 'payingCustomers') }
  const moved = new Map(revenueMovements.map((kind) => [kind, 0]))
  const tiers = new Map<string, number>()
  for (const [name, figure] of Object.entries(before)) {
    const [tier = '', what] = name.split('.')
    if (what === 'customers') figures[name] = figure
    if (what === 'monthlyRevenue') tiers.set(tier, yearlyOf(before, `${tier}.monthlyRevenue`))
  }
  const add = (name: string, amount: number) => {
    figures[name] = at(figures, name) + amount
  }
  for (const change of changesOfMonth.all(ctx, { month })) {
    const { kind, tierSlug, tierBefore, beforeYearly, afterYearly } = change
    moved.set(kind, (moved.get(kind) ?? 0) + afterYearly - beforeYearly)
    add('payingCustomers', change.countedAfter - change.countedBefore)
    add(`${tierSlug}.customers`, change.countedAfter)
    tiers.set(tierSlug, (tiers.get(tierSlug) ?? 0) + afterYearly)
    if (tierBefore === null) continue
    add(`${tierBefore}.customers`, -change.countedBefore)
    tiers.set(tierBefore, (tiers.get(tierBefore) ?? 0) - beforeYearly)
  }
  const openingYearly = closingYearlyOf(before)
  const closingYearly = [...moved.values()].reduce((sum, amount) => sum + amount, openingYearly)
  const [opening, closing] = [monthlyOf(openingYearly), monthlyOf(closingYearly)]
  return {
    ...figures,
    opening,
    closing,
    [yearly('closing')]: closingYearly,
    ...rounded([...moved], closing - opening),
    ...rounded(
      [...tiers].map(([tier, amount]) => [`${tier}.monthlyRevenue`, amount]),
      closing,
    ),
    ...Object.fromEntries([...tiers].map(([tier, amount]) => [yearly(`${tier}.monthlyRevenue`), amount])),
  }
}

const yearly = (name: string) => `${name}.yearly`

/** A month that was closed before years were counted has months alone, and each was whole. */
const yearlyOf = (figures: RevenueFigures, name: string) => figures[yearly(name)] ?? at(figures, name) * 12

/** Pence a year. */
export const closingYearlyOf = (figures: RevenueFigures): number => yearlyOf(figures, 'closing')

function rounded(amounts: readonly (readonly [name: string, yearly: number])[], total: number): RevenueFigures {
  const shares = monthlyShares(
    amounts.map(([, amount]) => amount),
    total,
  )
  return Object.fromEntries(amounts.map(([name], index) => [name, shares[index] ?? 0]))
}

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
  const figures: RevenueFigures = { [invoicedOf(null)]: 0 }
  for (const { tierSlug, net } of invoices) {
    const name = invoicedOf(tierSlug)
    figures[name] = at(figures, name) + net
  }
  return figures
}

/** No slug is empty, but one may be `other`, under which months kept what has no tier before slugs were the owners'. */
const invoicedOf = (tier: TierSlug | null) => `${tier ?? ''}.invoicedNet`

type Month = {
  month: string
  frozenAt: string | null
  figures: RevenueFigures
  counts: MonthCounts
  /** Retired ones are left out of months that have nothing of them. */
  tiers: readonly { slug: TierSlug; isActive: boolean }[]
}

/** The figures in the contract's shape. `frozenAt` is null for an open month. */
export function toRevenueMonth({ month, frozenAt: closedAt, figures, counts, tiers }: Month): RevenueMonth {
  const figure = (name: string) => at(figures, name)
  const isInMonth = ({ slug, isActive }: (typeof tiers)[number]) =>
    isActive || [`${slug}.customers`, `${slug}.monthlyRevenue`, invoicedOf(slug)].some((name) => figure(name) !== 0)
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
    tiers: [...tiers.filter(isInMonth).map(({ slug }) => slug), null].map((tier) => ({
      tier,
      customers: tier === null ? 0 : figure(`${tier}.customers`),
      monthlyRevenue: tier === null ? 0 : figure(`${tier}.monthlyRevenue`),
      invoicedNet: figures[invoicedOf(tier)] ?? (tier === null ? figure('other.invoicedNet') : 0),
    })),
    vat: { invoiced, credited, late, total: added([invoiced, late, negated(credited)]) },
  }
}
