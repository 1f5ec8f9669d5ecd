import type { CommissionPayment } from '#shared/contract/commission.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type Amounts, creditNoteAmounts } from './credit-note.ts'
import { guaranteeDays } from './guarantee.ts'
import { addDays } from './london.ts'
import { formatPoundsAndPence, type Pence } from './money.ts'

/** Per cent, for a tier without a rate of its own. */
export const defaultCommissionRate = 10

/** The guarantee is counted in hours and ends during its last day, so commission waits for the day after. */
export const commissionHeldDays = guaranteeDays + 1

export const commissionDueOn = (taxPoint: string) => addDays(taxPoint, commissionHeldDays)

/** Per cent of an amount excluding VAT, half a penny up. */
export const commissionOn = (net: Pence, rate: number): Pence => partOf(net, rate, 100)

/**
 * What to claw back in total, and on which net amount, once `refunded` pence (including VAT) of the invoice are refunded. It's what
 * was `earned` on it in proportion, rounded over the whole so that the parts always add up.
 */
export function clawedBack(earned: Earned, invoice: Amounts, refunded: Pence): Earned {
  const { net } = creditNoteAmounts(invoice, { net: 0, vat: 0, gross: 0 }, refunded)
  if (invoice.net === 0) return { amount: 0, net: 0 }
  return { amount: partOf(earned.amount, net, invoice.net), net: partOf(earned.net, net, invoice.net) }
}

type Refund = { amount: Pence; lines: readonly CreditedLine[] | null }

/**
 * The same for refunds of which some name the lines they credit: such a one takes its tier's part, any other its share of what
 * those before it have left. Oldest first.
 */
export function clawedBackBy(earned: Earned, invoice: Amounts, refunds: readonly Refund[]): Earned {
  if (refunds.every(({ lines }) => lines === null)) {
    return clawedBack(earned, invoice, sum(refunds.map(({ amount }) => amount)))
  }
  const left = { net: earned.net, gross: invoice.gross }
  for (const { amount, lines } of refunds) {
    const { of, whole } = lines === null ? { of: left.net, whole: left.gross } : partOfTier(lines)
    left.net -= whole <= 0 ? 0 : Math.max(0, Math.min(left.net, partOf(of, Math.min(amount, whole), whole)))
    left.gross -= amount
  }
  const net = earned.net - left.net
  return { net, amount: earned.net === 0 ? 0 : partOf(earned.amount, net, earned.net) }
}

type CreditedLine = Line & { vat: Pence }

function partOfTier(lines: readonly CreditedLine[]): { of: Pence; whole: Pence } {
  const ofTier = lines.filter(({ tierSlug }) => tierSlug !== undefined)
  return { of: sum(ofTier.map(({ net }) => net)), whole: sum(lines.map(({ net, vat }) => net + vat)) }
}

const sum = (amounts: readonly Pence[]) => amounts.reduce((all, one) => all + one, 0)

type Earned = { amount: Pence; net: Pence }

type Line = { net: Pence; tierSlug?: TierSlug }

/** What of an invoice's net counts for commission: its tier's lines, and never more than the whole. All of it where none is marked. */
export function tierNet({ net, lines }: { net: Pence; lines: readonly Line[] }): Pence {
  const own = lines.filter(({ tierSlug }) => tierSlug !== undefined)
  if (own.length === 0) return net
  return Math.max(
    0,
    Math.min(
      net,
      own.reduce((sum, line) => sum + line.net, 0),
    ),
  )
}

const partOf = (amount: Pence, part: number, whole: number) => Math.floor((2 * amount * part + whole) / (2 * whole))

export type LedgerLine = {
  id: string
  kind: 'invoice' | 'upsell' | 'clawback' | 'payment' | 'reversal'
  /** The id of the line this one reverses or pays out. */
  reverses: string | null
  amount: Pence
  dueOn: string
  /** True for a line that changes what was paid out, not what was earned. */
  isSettlement: boolean
}

export function livePayments<Line extends LedgerLine>(lines: readonly Line[]): Line[] {
  const reversed = reversedIn(lines)
  return lines.filter(({ id, kind }) => kind === 'payment' && !reversed.has(id))
}

export function liveEarnings<Line extends LedgerLine>(lines: readonly Line[]): Line[] {
  const reversed = reversedIn(lines)
  return lines.filter(({ id, kind, isSettlement }) => !isSettlement && kind !== 'reversal' && !reversed.has(id))
}

/** Lines no payment has settled yet, due or not. A line and its reversal cancel out if neither was paid. */
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
 * What the partner would earn on a month of this revenue: per tier, its rate (per cent) of a twelfth of its year, rounded once. A
 * forecast only: the ledger has what's owed.
 */
export function forecastCommission(
  tiers: readonly { slug: TierSlug; name: string; count: number; nextYearlyNet: Pence; rate: number }[],
): { total: Pence; breakdown: CommissionRow[] } {
  const breakdown = tiers.map(({ name, count, nextYearlyNet, rate }) => ({
    name,
    count,
    rate,
    total: Math.round((nextYearlyNet * rate) / (12 * 100)),
  }))
  return { total: breakdown.reduce((sum, row) => sum + row.total, 0), breakdown }
}

/** What to say about a month that refunds clawed back from and that isn't settled since; null for any other. */
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
