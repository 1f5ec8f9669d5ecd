import type { Context } from '#api/context.ts'
import { creditNotes } from '#api/db/schema/invoices.ts'
import { type Amounts, creditOf, leftOf } from '#shared/rules/credit-note.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { nextInSeries } from './issue-service.ts'
import type { InvoiceRow } from './particulars-rules.ts'
import { newestInvoice } from './queries.ts'

export type CreditNoteRow = typeof creditNotes.$inferSelect

type RefundRow = { id: string; providerInvoiceId: string; amount: number; created: string }

/**
 * One credit note for each refund of the customer that went through, on the invoice of its payment that stands. A refund
 * whose invoice was removed waits until it is issued anew.
 */
export function issueCreditNotes(ctx: Context, { id }: { id: string }): void {
  const refunds = ctx.sqlite
    .prepare<[string], RefundRow>(
      `select id, providerInvoiceId, amount, created from provider_refunds
       where customerId = ? and status = 'succeeded'
         and not exists (select 1 from credit_notes where providerRefundId = provider_refunds.id)
       order by created, id`,
    )
    .all(id)
  for (const refund of refunds) {
    const invoice = newestInvoice(ctx, refund.providerInvoiceId)
    if (invoice === undefined) continue
    const amounts = creditOf(invoice, creditedOf(ctx, invoice.id), refund.amount)
    if (amounts.gross === 0) continue
    const day = londonDay(new Date(refund.created))
    writeNote(ctx, invoice, {
      ...{ kind: 'refund', amounts, providerRefundId: refund.id, issuedOn: day },
      reason: `Refund of ${formatLongDate(day)}`,
    })
  }
}

type Why = { kind: 'correction' | 'removal'; reason: string }

/** Takes back what is left of an invoice. */
export function creditRest(ctx: Context, invoice: InvoiceRow, why: Why): void {
  const amounts = leftOf(invoice, creditedOf(ctx, invoice.id))
  if (amounts.gross > 0) writeNote(ctx, invoice, { ...why, amounts })
}

/**
 * What had been refunded under the invoice that this one replaces is taken off this one too: so each document is right by
 * itself, and all of them together are.
 */
export function carryRefunds(ctx: Context, replaced: InvoiceRow, { invoice, amounts }: Carried): void {
  if (amounts.gross === 0) return
  const reason = `Carries over what was refunded under invoice ${replaced.number}`
  writeNote(ctx, invoice, { kind: 'correction', reason, amounts })
}

type Carried = { invoice: InvoiceRow; amounts: Amounts }

/** All that an invoice's credit notes took back, those of the kind `except` left out. */
export function creditedOf(ctx: Context, invoiceId: string, except?: CreditNoteRow['kind']): Amounts {
  const row = ctx.sqlite
    .prepare<[string, string], Amounts>(
      `select coalesce(sum(net), 0) as net, coalesce(sum(vat), 0) as vat, coalesce(sum(gross), 0) as gross
       from credit_notes where invoiceId = ? and kind <> ?`,
    )
    .get(invoiceId, except ?? '')
  return row ?? { net: 0, vat: 0, gross: 0 }
}

type Note = Pick<CreditNoteRow, 'kind' | 'reason'> & { amounts: Amounts; providerRefundId?: string; issuedOn?: string }

function writeNote(
  ctx: Context,
  invoice: InvoiceRow,
  { kind, reason, amounts, providerRefundId, issuedOn }: Note,
): void {
  const now = ctx.billingNow()
  ctx.db
    .insert(creditNotes)
    .values({
      ...{ id: ctx.newId(), ...nextInSeries(ctx, 'credit_notes'), invoiceId: invoice.id, kind, reason, ...amounts },
      ...{ providerRefundId: providerRefundId ?? null, issuedOn: issuedOn ?? londonDay(now) },
      createdAt: now.toISOString(),
    })
    .run()
}
