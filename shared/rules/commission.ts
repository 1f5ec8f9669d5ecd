import type { CommissionPayment } from '#shared/contract/commission.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type Amounts, creditNoteAmounts } from './credit-note.ts'
import { guaranteeDays } from './guarantee.ts'
import { addDays } from './london.ts'
import { formatPoundsAndPence, type Pence } from './money.ts'

/** In per cent, where no rate was ever set for a tier. */
export const defaultCommissionRate = 10

/** The guarantee, counted in hours, ends in the course of its last day; commission waits for the day after it. */
export const commissionHeldDays = guaranteeDays + 1

/** The day on which the commission of a payment falls due: the day after its guarantee ends. */
export const commissionDueOn = (taxPoint: string) => addDays(taxPoint, commissionHeldDays)

/** Per cent of an amount excluding VAT, half a penny up. */
export const commissionOn = (net: Pence, rate: number): Pence => partOf(net, rate, 100)

/**
 * What is clawed back in all, and of which net amount, once `refunded` pence (including VAT) of the invoice are refunded: the
 * commission in proportion, rounded over the whole so that parts always add up to it.
 */
export function clawedBack(commission: Pence, invoice: Amounts, refunded: Pence): { amount: Pence; net: Pence } {
  const { net } = creditNoteAmounts(invoice, { net: 0, vat: 0, gross: 0 }, refunded)
  return { amount: invoice.net === 0 ? 0 : partOf(commission, net, invoice.net), net }
}

const partOf = (amount: Pence, part: number, whole: number) => Math.floor((2 * amount * part + whole) / (2 * whole))

/** The part of a ledger line that settling looks at. */
export type LedgerLine = {
  id: string
  kind: 'invoice' | 'upsell' | 'clawback' | 'payment' | 'reversal'
  /** The line that this one takes back or pays out. */
  reverses: string | null
  amount: Pence
  dueOn: string
  /** It changes what was paid out, not what was earned. */
  isSettlement: boolean
}

/** Payments that were not taken back since. */
export function livePayments<Line extends LedgerLine>(lines: readonly Line[]): Line[] {
  const reversed = reversedIn(lines)
  return lines.filter(({ id, kind }) => kind === 'payment' && !reversed.has(id))
}

/** Earnings and claw-backs that were not taken back since. */
export function liveEarnings<Line extends LedgerLine>(lines: readonly Line[]): Line[] {
  const reversed = reversedIn(lines)
  return lines.filter(({ id, kind, isSettlement }) => !isSettlement && kind !== 'reversal' && !reversed.has(id))
}

/** Lines that no payment has settled yet, due or not. A line and its reversal that were both never paid cancel out. */
export function unsettledLines<Line extends LedgerLine>(lines: readonly Line[]): Line[] {
  const settled = new Set(livePayments(lines).map(({ reverses }) => reverses))
  const open = lines.filter(({ id, isSettlement, amount }) => !isSettlement && amount !== 0 && !settled.has(id))
  const openIds = new Set(open.map(({ id }) => id))
  const cancelled = new Set(
    open.flatMap(({ id, kind, reverses }) =>
      kind === 'reversal' && reverses !== null && openIds.has(reverses) ? [id, reverses] : [],
    ),
  )
  return open.filter(({ id }) => !cancelled.has(id))
}

const reversedIn = (lines: readonly LedgerLine[]) =>
  new Set(lines.flatMap(({ kind, reverses }) => (kind === 'reversal' ? [reverses] : [])))

export type CommissionRow = { name: string; count: number; rate: number; total: Pence }

/**
 * What the partner would earn on a month of this revenue: per tier, rate (per cent) of the tier's monthly net, rounded
 * once per tier. A forecast: what is owed is in the ledger.
 */
export function forecastCommission(
  tiers: readonly { slug: TierSlug; name: string; count: number; monthlyNet: Pence; rate: number }[],
): { total: Pence; breakdown: CommissionRow[] } {
  const breakdown = tiers.map(({ name, count, monthlyNet, rate }) => ({
    name,
    count,
    rate,
    total: Math.round((monthlyNet * rate) / 100),
  }))
  return { total: breakdown.reduce((sum, row) => sum + row.total, 0), breakdown }
}

/** What is to be said of a month of which refunds took something back, and which is not settled since; null of any other. */
export function clawbackText({
  commissionPaid,
  clawback,
}: Pick<CommissionPayment, 'commissionPaid' | 'clawback'>): string | null {
  if (commissionPaid || clawback === undefined || clawback.outstanding > 0) return null
  const { outstanding, takenBack } = clawback
  return outstanding < 0
    ? `${formatPoundsAndPence(outstanding)} owed back`
    : `${formatPoundsAndPence(takenBack)} clawed back`
}
