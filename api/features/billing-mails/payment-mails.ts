import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { receiptMail } from '#api/mail/templates/receipt.ts'
import { refundFailedMail, refundMail } from '#api/mail/templates/refund.ts'
import { type Addressee, billingUrl, knownSince, queueTemplate } from './mails.ts'
import { type FailedRefundRow, type IssuedRow, queriesOf, type RefundRow } from './queries.ts'

/** Null where the account is deleted: there is nobody left to write to. */
const addresseeOf = ({ email, firstName, userId }: IssuedRow | FailedRefundRow): Addressee | null =>
  email === null ? null : { email, firstName, userId }

/** The VAT invoice of each payment, and each one that was put right. */
export function queueReceipts(ctx: Context, customer: Pick<Customer, 'id'>): void {
  const since = knownSince(ctx, customer.id)
  for (const row of queriesOf(ctx).issued.all(customer.id, since, since)) queueReceipt(ctx, row)
}

function queueReceipt(ctx: Context, row: IssuedRow): void {
  const to = addresseeOf(row)
  const invoice = ctx.db.select().from(invoices).where(eq(invoices.id, row.id)).get()
  if (to === null || invoice === undefined) return
  const { id, number, lines, net, vat, gross, isMissingAddress } = invoice
  const message = receiptMail({
    firstName: to.firstName,
    number,
    lines: lines.map(({ description }) => description),
    ...{ net, vat, total: gross, paidOn: row.paidAt },
    billingUrl: to.userId === null ? null : billingUrl(ctx),
    isMissingAddress,
    replaces: row.replaced === null ? null : { number: row.replaced, creditNote: row.creditNote },
  })
  queueTemplate(ctx, to, { cause: `receipt:${id}`, attachment: { kind: 'invoice', id }, message })
}

/** Money that went back, with the credit note for it; and what did not arrive after all. */
export function queueRefunds(ctx: Context, customer: Pick<Customer, 'id'>): void {
  for (const row of queriesOf(ctx).refunds.all(customer.id, knownSince(ctx, customer.id))) queueRefund(ctx, row)
  for (const row of queriesOf(ctx).failedRefunds.all(customer.id)) queueRefundFailed(ctx, row)
}

function queueRefund(ctx: Context, row: RefundRow): void {
  const to = addresseeOf(row)
  if (to === null) return
  const { id, amount, created, noteId, note, invoice } = row
  const creditNote = note === null || invoice === null ? null : { number: note, invoiceNumber: invoice }
  const message = refundMail({ firstName: to.firstName, amount, refundedOn: created, creditNote })
  queueTemplate(ctx, to, {
    cause: `refund:${id}`,
    ...(noteId === null ? {} : { attachment: { kind: 'credit_note', id: noteId } as const }),
    message,
  })
}

function queueRefundFailed(ctx: Context, row: FailedRefundRow): void {
  const to = addresseeOf(row)
  if (to === null) return
  const { id, amount, created } = row
  const contactUrl = `${ctx.settings.publicUrl}/contact`
  const message = refundFailedMail({ firstName: to.firstName, amount, refundedOn: created, contactUrl })
  queueTemplate(ctx, to, { cause: `refund-failed:${id}`, message })
}
