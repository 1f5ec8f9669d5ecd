import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { invoices } from '#api/db/schema/money.ts'
import { receiptMail } from '#api/mail/templates/receipt.ts'
import { refundMail } from '#api/mail/templates/refund.ts'
import type { Customer } from '#api/stripe/consequences.ts'
import { type Addressee, billingUrl, knownSince, tell } from './news.ts'

/** Who paid: an order's own buyer goes before the account. `u` and `o` are its left joins. */
const payer = `coalesce(o.email, u.email) as email, coalesce(o.firstName, u.firstName) as firstName,
  iif(o.id is null, u.id, null) as userId`
const payerJoins = `left join quotient_orders o on o.id = p.quotientOrderId
  left join customers c on c.id = p.customerId left join users u on u.id = c.userId`

type Payer = { email: string | null; firstName: string | null; userId: string | null }

/** Null where the account is deleted: there is nobody left to write to. */
const addresseeOf = ({ email, firstName, userId }: Payer): Addressee | null =>
  email === null ? null : { email, firstName, userId }

type IssuedRow = Payer & { id: string; paidAt: string; replaced: string | null; creditNote: string | null }

/** The VAT invoice of each payment, and each one that was put right. */
export function queueReceipts(ctx: Context, customer: Pick<Customer, 'id'>): void {
  const since = knownSince(ctx, customer.id)
  const rows = ctx.sqlite
    .prepare<[string, string, string], IssuedRow>(
      `select invoices.id, coalesce(p.paidAt, p.created) as paidAt, replaced.number as replaced, ${payer},
         (select number from credit_notes where invoiceId = replaced.id and kind = 'correction' limit 1) as creditNote
       from invoices join provider_invoices p on p.id = invoices.providerInvoiceId
         left join invoices replaced on replaced.id = invoices.replacesId ${payerJoins}
       where invoices.customerId = ? and invoices.createdAt >= ?
         and (coalesce(p.paidAt, p.created) >= ? or invoices.replacesId is not null)
         and not exists (select 1 from mail_outbox where cause = 'receipt:' || invoices.id)
       order by invoices.sequence`,
    )
    .all(customer.id, since, since)
  for (const row of rows) queueReceipt(ctx, row)
}

function queueReceipt(ctx: Context, row: IssuedRow): void {
  const to = addresseeOf(row)
  const invoice = ctx.db.select().from(invoices).where(eq(invoices.id, row.id)).get()
  if (to === null || invoice === undefined) return
  const { id, number, lines, net, vat, gross, isMissingAddress } = invoice
  const letter = receiptMail({
    firstName: to.firstName,
    number,
    lines: lines.map(({ description }) => description),
    ...{ net, vat, total: gross, paidOn: row.paidAt },
    billingUrl: to.userId === null ? null : billingUrl(ctx),
    isMissingAddress,
    replaces: row.replaced === null ? null : { number: row.replaced, creditNote: row.creditNote },
  })
  tell(ctx, to, { cause: `receipt:${id}`, attachment: { kind: 'invoice', id }, letter })
}

type RefundRow = Payer & {
  id: string
  amount: number
  created: string
  noteId: string | null
  note: string | null
  invoice: string | null
}

/** Money that went back, with the credit note for it. */
export function queueRefunds(ctx: Context, customer: Pick<Customer, 'id'>): void {
  const rows = ctx.sqlite
    .prepare<[string, string], RefundRow>(
      `select r.id, r.amount, r.created, notes.id as noteId, notes.number as note, invoices.number as invoice, ${payer}
       from provider_refunds r join provider_invoices p on p.id = r.providerInvoiceId
         left join credit_notes notes on notes.providerRefundId = r.id
         left join invoices on invoices.id = notes.invoiceId ${payerJoins}
       where r.customerId = ? and r.status = 'succeeded' and r.created >= ?
         and not exists (select 1 from mail_outbox where cause = 'refund:' || r.id)
       order by r.created, r.id`,
    )
    .all(customer.id, knownSince(ctx, customer.id))
  for (const row of rows) queueRefund(ctx, row)
}

function queueRefund(ctx: Context, row: RefundRow): void {
  const to = addresseeOf(row)
  if (to === null) return
  const { id, amount, created, noteId, note, invoice } = row
  const creditNote = note === null || invoice === null ? null : { number: note, invoiceNumber: invoice }
  const letter = refundMail({ firstName: to.firstName, amount, refundedOn: created, creditNote })
  tell(ctx, to, {
    cause: `refund:${id}`,
    ...(noteId === null ? {} : { attachment: { kind: 'credit_note', id: noteId } as const }),
    letter,
  })
}
