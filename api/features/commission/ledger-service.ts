import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { openMonth } from '#api/features/revenue/frozen-months-queries.ts'
import { clawedBack, commissionDueOn, commissionOn } from '#shared/rules/commission.ts'
import { londonDay, londonMonth } from '#shared/rules/london.ts'
import { defaultRate } from '#shared/rules/mrr.ts'
import { accountOf } from './accounts.ts'
import { type Line, ledgerStatements, toLine } from './ledger-queries.ts'
import { rewriteRepeats } from './repeats.ts'

type NewLine = Pick<Line, 'kind' | 'paymentMonth' | 'net' | 'amount' | 'dueOn'> &
  Partial<Omit<Line, 'id' | 'createdAt'>>

/**
 * Writes what is missing in the ledger of a customer: a line for the first legal invoice of each payment of a tier, and a
 * claw-back for each refund of one. To be called in the transaction that wrote invoices and refunds.
 */
export function writeLedger(ctx: Context, customer: Customer): void {
  const { unlined, refunds, failed } = ledgerStatements(ctx)
  const [invoices, broken] = [unlined.all(customer.id), failed.all(customer.id)]
  for (const invoice of invoices) {
    const rate = rateOn(ctx, invoice.tierSlug, invoice.taxPoint)
    const { tierSlug, net } = invoice
    appendLine(ctx, {
      ...{
        kind: 'invoice',
        customerId: customer.id,
        invoiceId: invoice.id,
        paymentMonth: invoice.taxPoint.slice(0, 7),
      },
      ...{ tierSlug, net, rate, amount: commissionOn(net, rate), dueOn: commissionDueOn(invoice.taxPoint) },
    })
  }
  for (const clawback of broken) reverseLine(ctx, toLine(clawback))
  const owed = refunds.all(customer.id)
  for (const { id } of owed) clawBack(ctx, id)
  const account = invoices.length + broken.length + owed.length > 0 ? accountOf(ctx, customer.id) : null
  if (account !== null) rewriteRepeats(ctx, account)
}

/** In per cent, as it stood on that day. */
const rateOn = (ctx: Context, tierSlug: string, day: string): number =>
  ledgerStatements(ctx).rate.get(tierSlug, day)?.rate ?? defaultRate

/** Booked in the refund's month; due with the payment's own line, or where that was due before, on the refund's day. */
function clawBack(ctx: Context, refundId: string): void {
  const { refund: find, line: read, ofMonth } = ledgerStatements(ctx)
  const refund = find.get(refundId)
  const line = refund && read.get(refund.lineId)
  if (refund === undefined || line === undefined) return
  const lines = ofMonth.all(line.customerId ?? '', line.paymentMonth).map(toLine)
  const ofInvoice = lines.filter(({ invoiceId, isSettlement }) => invoiceId === line.invoiceId && !isSettlement)
  // What an owner has deleted earns nothing any more, and nothing of it can be clawed back.
  const commission = sumOf(ofInvoice.filter(({ providerRefundId }) => providerRefundId === null))
  const before = ofInvoice.filter(({ providerRefundId }) => providerRefundId !== null)
  const invoice = { net: line.net, vat: refund.vat, gross: refund.gross }
  const wanted = clawedBack(commission.amount, invoice, refund.refundedBefore + refund.amount)
  const day = londonDay(new Date(refund.created))
  appendLine(ctx, {
    ...{ kind: 'clawback', customerId: line.customerId, invoiceId: line.invoiceId, providerRefundId: refundId },
    ...{ month: day.slice(0, 7), paymentMonth: line.paymentMonth, tierSlug: line.tierSlug, rate: line.rate },
    net: 0 - (commission.net === 0 ? 0 : wanted.net + sumOf(before).net),
    amount: 0 - (wanted.amount + sumOf(before).amount),
    dueOn: later(day, line.dueOn),
  })
}

const later = (one: string, other: string) => (one.localeCompare(other) > 0 ? one : other)

const sumOf = (lines: readonly Line[]) =>
  lines.reduce((sum, { net, amount }) => ({ net: sum.net + net, amount: sum.amount + amount }), { net: 0, amount: 0 })

/**
 * The one place that adds to the ledger. `month`, whose statement carries the line, is the month of the payment unless
 * another is given; a line for a month that is frozen goes on the statement of the first open one.
 */
export function appendLine(ctx: Context, line: NewLine): void {
  const blank = { customerId: null, invoiceId: null, manualCommissionId: null, reverses: null, providerRefundId: null }
  ledgerStatements(ctx).append.run({
    ...{ ...blank, tierSlug: null, rate: null },
    ...line,
    id: ctx.newId(),
    month: openMonth(ctx, line.month ?? line.paymentMonth),
    isSettlement: line.isSettlement ? 1 : 0,
    createdAt: ctx.billingNow().toISOString(),
  })
}

/** Takes a line back by another, on the statement of the running month. */
export const reverseLine = (ctx: Context, line: Line): void => appendAbout(ctx, line, 'reversal')

/** Pays a line out, or where it is a claw-back, keeps it from what is paid. */
export const settleLine = (ctx: Context, line: Line): void => appendAbout(ctx, line, 'payment')

function appendAbout(ctx: Context, line: Line, kind: 'reversal' | 'payment'): void {
  const { customerId, invoiceId, manualCommissionId, paymentMonth, tierSlug, rate, dueOn } = line
  const isSettlement = kind === 'payment' || line.isSettlement
  appendLine(ctx, {
    ...{ kind, customerId, invoiceId, manualCommissionId, reverses: line.id, paymentMonth, tierSlug, rate, dueOn },
    providerRefundId: line.providerRefundId,
    month: londonMonth(ctx.billingNow()),
    net: isSettlement ? 0 : 0 - line.net,
    amount: 0 - line.amount,
    isSettlement,
  })
}
