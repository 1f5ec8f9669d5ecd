import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { invoiceNumber } from '#shared/rules/invoice-number.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { areNumbersOpen, assertNumbersKnown, leftOutNumberOf } from './left-out-numbers-service.ts'
import { particularsOf } from './particulars-rules.ts'
import { type InvoiceRow, lastInvoiceSequence, type Payment, paymentsWithoutInvoice } from './queries.ts'

/** A VAT invoice is due within 30 days of the time of supply: regulation 13(5) of the VAT Regulations 1995. */
const daysToIssue = 30

/**
 * Call it in the transaction that wrote the payments. Issues nothing while a restored backup's numbers are unknown. Retroactive are
 * those the owners' tool issues (`isFix`), and those later than the law allows.
 */
export function issueInvoices(ctx: Context, { id }: { id: string }, isFix: boolean): void {
  if (areNumbersOpen(ctx)) return
  const today = londonDay(ctx.billingNow())
  for (const payment of paymentsWithoutInvoice.all(ctx, { customerId: id })) {
    if (payment.waitsForFix && !isFix) continue
    const paidOn = londonDay(new Date(payment.paidAt ?? payment.created))
    issueInvoice(ctx, payment, { isRetroactive: isFix || addDays(paidOn, daysToIssue) < today })
  }
}

type Issue = { isRetroactive: boolean; replacesId?: string }

/** Reads and takes the next number in one immediate transaction. The database refuses any other number. */
export function issueInvoice(ctx: Context, payment: Payment, { isRetroactive, replacesId }: Issue): InvoiceRow {
  assertNumbersKnown(ctx)
  const sequence = lastInvoiceSequence(ctx) + 1
  const now = ctx.billingNow()
  const invoice: InvoiceRow = {
    ...particularsOf(ctx, payment),
    id: ctx.newId(),
    sequence,
    number: invoiceNumber(sequence),
    customerId: payment.customerId,
    providerInvoiceId: payment.id,
    replacesId: replacesId ?? null,
    isRetroactive,
    takesPlaceOf: replacesId === undefined ? leftOutNumberOf(ctx, 'invoice', payment.id) : null,
    issuedOn: londonDay(now),
    createdAt: now.toISOString(),
  }
  insertRow(ctx, invoices, invoice)
  return invoice
}
