import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { insertRow } from '#api/db/insert.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import type { InvoiceLine } from '#api/db/schema/provider.ts'
import { AppError } from '#api/errors.ts'
import { areBookingsHeld, holdBookings } from '#api/features/earnings/revenue/clock-service.ts'
import { openMonth } from '#api/features/earnings/revenue/month-queries.ts'
import { newestInvoice } from '#api/features/invoices/queries.ts'
import {
  clawedBackBy,
  commissionDueOn,
  commissionOn,
  defaultCommissionRate,
  tierNet,
} from '#shared/rules/commission.ts'
import type { Amounts } from '#shared/rules/credit-note.ts'
import { londonDay, londonMonth } from '#shared/rules/london.ts'
import {
  clawBacksOfFailedRefunds,
  clawedRefunds,
  invoicesWithoutLine,
  type Line,
  lineById,
  linesOfMonth,
  rateOnDay,
  refundById,
  refundsWithoutClawBack,
  reissuedWithLine,
} from './ledger-queries.ts'
import { accountOf, updateCommissionColumns } from './month-queries.ts'

type NewLine = Pick<Line, 'kind' | 'paymentMonth' | 'net' | 'amount' | 'dueOn'> &
  Partial<Omit<Line, 'id' | 'createdAt'>>

/** Writes missing lines and claw-backs, unless bookings are held. Call it in the transaction that wrote invoices and refunds. */
export function writeLedger(ctx: Context, { id: customerId }: Customer): void {
  if (holdBookings(ctx)) return
  const invoices = invoicesWithoutLine.all(ctx, { customerId })
  const failed = clawBacksOfFailedRefunds.all(ctx, { customerId })
  for (const { id: invoiceId, taxPoint, tierSlug, ...invoice } of invoices) {
    const net = tierNet(invoice)
    const rate = rateOnDay.get(ctx, { tierSlug, day: taxPoint })?.rate ?? defaultCommissionRate
    appendLine(ctx, {
      kind: 'invoice',
      customerId,
      invoiceId,
      paymentMonth: taxPoint.slice(0, 7),
      tierSlug,
      net,
      rate,
      amount: commissionOn(net, rate),
      dueOn: commissionDueOn(taxPoint),
    })
  }
  for (const line of failed) reverseLine(ctx, line)
  const corrected = reissuedWithLine.all(ctx, { customerId }).filter((reissued) => correctLine(ctx, reissued))
  const refunds = refundsWithoutClawBack.all(ctx, { customerId })
  for (const { id } of refunds) clawBack(ctx, id)
  const account =
    invoices.length + failed.length + corrected.length + refunds.length > 0 ? accountOf(ctx, customerId) : null
  if (account !== null) updateCommissionColumns(ctx, account)
}

/** An invoice issued again for another amount earns the difference, or gives it back. A deleted line earns nothing. */
function correctLine(
  ctx: Context,
  {
    lineId,
    payment,
    paid,
    ...invoice
  }: Amounts & { lineId: string; payment: string; lines: InvoiceLine[]; paid: number },
): boolean {
  const line = lineById.get(ctx, { id: lineId })
  if (line === undefined) return false
  const { customerId, invoiceId, paymentMonth, tierSlug, rate, dueOn } = line
  const booked = linesOfMonth
    .all(ctx, { customerId: customerId ?? '', paymentMonth })
    .filter((one) => one.invoiceId === invoiceId && !one.isSettlement)
  const lines = booked.filter(({ providerRefundId }) => providerRefundId === null)
  const earned = sumOf(lines)
  const net = paid === 0 ? 0 : tierNet(invoice)
  if (earned.net === net || lines.some(({ kind }) => kind === 'reversal')) return false
  const now = { net, amount: commissionOn(net, rate ?? defaultCommissionRate) }
  // What refunds gave back isn't given back twice.
  const clawed = clawedBackBy(now, invoice, clawedRefunds.all(ctx, { providerInvoiceId: payment }))
  const today = londonDay(ctx.billingNow())
  appendLine(ctx, {
    kind: 'clawback',
    customerId,
    invoiceId,
    month: today.slice(0, 7),
    paymentMonth,
    tierSlug,
    rate,
    net: net - earned.net,
    amount: now.amount - clawed.amount - sumOf(booked).amount,
    dueOn: later(today, dueOn),
  })
  return true
}

/** Booked in the refund's month. Due with the payment's own line or, if that was due earlier, on the day of the refund. */
function clawBack(ctx: Context, refundId: string): void {
  const refund = refundById.get(ctx, { refundId })
  const line = refund && lineById.get(ctx, { id: refund.lineId })
  if (refund === undefined || line === undefined) return
  const { customerId, invoiceId, paymentMonth, tierSlug, rate } = line
  const lines = linesOfMonth.all(ctx, { customerId: customerId ?? '', paymentMonth })
  const ofInvoice = lines.filter((one) => one.invoiceId === invoiceId && !one.isSettlement)
  // A deleted line earns nothing, so there's nothing to claw back.
  const commission = sumOf(ofInvoice.filter(({ providerRefundId }) => providerRefundId === null))
  const before = sumOf(ofInvoice.filter(({ providerRefundId }) => providerRefundId !== null))
  const invoice = newestInvoice(ctx, refund.providerInvoiceId) ?? refund
  const earlier = clawedRefunds.all(ctx, refund)
  const wanted = clawedBackBy(commission, invoice, [...earlier, refund])
  const day = londonDay(new Date(refund.created))
  appendLine(ctx, {
    kind: 'clawback',
    customerId,
    invoiceId,
    providerRefundId: refundId,
    month: day.slice(0, 7),
    paymentMonth,
    tierSlug,
    rate,
    net: 0 - (commission.net === 0 ? 0 : wanted.net + before.net),
    amount: 0 - (wanted.amount + before.amount),
    dueOn: later(day, line.dueOn),
  })
}

const later = (one: string, other: string) => (one.localeCompare(other) > 0 ? one : other)

const sumOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { net, amount }) => ({ net: sum.net + net, amount: sum.amount + amount }), { net: 0, amount: 0 })

/** The only writer of the ledger. `month` defaults to the payment's; if that's closed, to the first open month. */
export function appendLine(ctx: Context, line: NewLine): void {
  const ownMonth = line.month ?? line.paymentMonth
  const month = openMonth(ctx, ownMonth)
  if (month !== ownMonth && areBookingsHeld(ctx)) {
    throw new AppError('conflict', 'You can’t change commission until the clock is checked. See: alliance doctor')
  }
  insertRow(ctx, commissionLedger, { ...line, id: ctx.newId(), month, createdAt: ctx.billingNow().toISOString() })
}

export const reverseLine = (ctx: Context, line: Line): void =>
  appendAbout(ctx, line, { kind: 'reversal', month: line.month, amount: line.amount })

/** Pays out a line, or part of it, on the current month's statement. A negative line, owed back to us, reduces the payout. */
export const settleLine = (ctx: Context, line: Line, amount = line.amount): void =>
  appendAbout(ctx, line, { kind: 'payment', month: londonMonth(ctx.billingNow()), amount })

type About = { kind: 'reversal' | 'payment'; month: string; amount: number }

function appendAbout(ctx: Context, line: Line, { kind, month, amount }: About): void {
  const { customerId, invoiceId, manualCommissionId, paymentMonth, tierSlug, rate, dueOn } = line
  const isSettlement = kind === 'payment' || line.isSettlement
  appendLine(ctx, {
    kind,
    customerId,
    invoiceId,
    manualCommissionId,
    reverses: line.id,
    paymentMonth,
    tierSlug,
    rate,
    dueOn,
    providerRefundId: line.providerRefundId,
    month,
    net: isSettlement ? 0 : 0 - line.net,
    amount: 0 - amount,
    isSettlement,
  })
}
