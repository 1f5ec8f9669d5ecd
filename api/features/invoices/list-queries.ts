import type { Context } from '#api/context.ts'
import { isHisCustomer, personOfCustomer } from '#api/db/whose.ts'
import type { Invoice, InvoiceCreditNote } from '#shared/contract/billing.ts'
import type { AdminInvoice } from '#shared/contract/invoices.ts'
import type { DocumentRef } from './document-service.ts'

/** Where a document is shown; its PDF is beside it. */
export function pathOf({ kind, id }: DocumentRef): string {
  return `/api/billing/${kind === 'invoice' ? 'invoices' : 'credit-notes'}/${id}`
}

const urlOf = (ctx: Context, ref: DocumentRef) => `${ctx.settings.publicUrl}${pathOf(ref)}`
const seconds = (instant: string) => Math.floor(Date.parse(instant) / 1000)

type DemandRow = {
  id: string
  status: string
  total: number
  created: string
  amountRefunded: number
  hostedInvoiceUrl: string | null
  invoiceId: string | null
  number: string | null
  replaces: string | null
}

/** The first invoice of a purchase that was begun: unpaid it is an attempt, which may be left, and no debt. */
const isAttempt = `(demand.billingReason = 'subscription_create' and exists (
  select 1 from subscriptions begun where begun.id = demand.subscriptionId
    and begun.status in ('incomplete', 'incomplete_expired', 'canceled')))`

/** Never paid and void: only renewals were ever shown to the member as owed. Drafts are not asked for yet. */
const isShown = `((demand.status in ('open', 'uncollectible') and not ${isAttempt}) or (demand.status = 'paid' and demand.amountPaid > 0)
  or (demand.status = 'void' and demand.billingReason = 'subscription_cycle'))`

/** A person's payments with our invoices, and what is not paid, the newest first. */
export function invoicesOf(ctx: Context, userId: string): Invoice[] {
  const demands = ctx.sqlite
    .prepare<{ userId: string }, DemandRow>(
      `select demand.id, demand.status, demand.total, demand.created, demand.amountRefunded, demand.hostedInvoiceUrl,
         invoices.id as invoiceId, invoices.number,
         (select number from invoices replaced where replaced.id = invoices.replacesId) as replaces
       from customers join provider_invoices demand on demand.customerId = customers.id
       left join invoices on invoices.providerInvoiceId = demand.id and demand.status = 'paid'
         and not exists (select 1 from invoices newer where newer.replacesId = invoices.id)
       where ${isHisCustomer('@userId')} and ${isShown} order by demand.created desc, invoices.sequence desc, demand.id desc`,
    )
    .all({ userId })
  const notes = creditNotesOf(ctx, userId)
  return demands.map((demand) => toInvoice(ctx, demand, notes.get(demand.id) ?? []))
}

function toInvoice(ctx: Context, demand: DemandRow, notes: InvoiceCreditNote[]): Invoice {
  const { status, total, amountRefunded: refunded } = demand
  const url = demand.invoiceId === null ? null : urlOf(ctx, { kind: 'invoice', id: demand.invoiceId })
  return {
    id: demand.invoiceId ?? demand.id,
    number: demand.number,
    ...{ status, total, created: seconds(demand.created) },
    hosted_invoice_url: url ?? demand.hostedInvoiceUrl,
    invoice_pdf: url && `${url}/pdf`,
    ...(demand.replaces === null ? {} : { replaces: demand.replaces }),
    ...(refunded > 0 ? { refunded } : {}),
    ...(notes.length > 0 ? { credit_notes: notes } : {}),
  }
}

type NoteRow = Pick<InvoiceCreditNote, 'id' | 'number' | 'kind' | 'invoice' | 'total'> & {
  issuedAt: string
  providerInvoiceId: string
}

/** By the provider's id of the payment: those of every invoice that its payment ever had. */
function creditNotesOf(ctx: Context, userId: string): Map<string, InvoiceCreditNote[]> {
  const rows = ctx.sqlite
    .prepare<{ userId: string }, NoteRow>(
      `select credit_notes.id, credit_notes.number, kind, invoices.number as invoice, credit_notes.gross as total,
         credit_notes.createdAt as issuedAt, providerInvoiceId
       from customers join invoices on invoices.customerId = customers.id
       join credit_notes on credit_notes.invoiceId = invoices.id
       where ${isHisCustomer('@userId')} and providerInvoiceId is not null order by credit_notes.sequence`,
    )
    .all({ userId })
  const byPayment = Map.groupBy(rows, ({ providerInvoiceId }) => providerInvoiceId)
  return new Map(
    [...byPayment].map(([payment, notes]) => [
      payment,
      notes.map(({ issuedAt, providerInvoiceId: _, ...note }) => {
        const url = urlOf(ctx, { kind: 'credit_note', id: note.id })
        return { ...note, created: seconds(issuedAt), url, pdf: `${url}/pdf` }
      }),
    ]),
  )
}

type AdminRow = Omit<AdminInvoice, 'isRetroactive' | 'isMissingAddress' | 'creditNotes' | 'url' | 'pdf'> & {
  isRetroactive: 0 | 1
  isMissingAddress: 0 | 1
  creditNotes: string
}

export type InvoiceFilter = {
  limit: number
  cursor: string | undefined
  member: string | undefined
  month: string | undefined
}

/** Every invoice there is, the newest first; pages follow the number. */
export function listInvoices(ctx: Context, { limit, cursor, member, month }: InvoiceFilter): AdminInvoice[] {
  const conditions = [
    ...(cursor === undefined ? [] : ['invoices.sequence < cast(substr(@cursor, 3) as integer)']),
    ...(member === undefined ? [] : ['(users.id = @member or users.email = lower(@member))']),
    ...(month === undefined ? [] : [`invoices.taxPoint between @month || '-01' and @month || '-31'`]),
  ]
  const rows = ctx.sqlite
    .prepare<[Partial<InvoiceFilter>], AdminRow>(
      `select invoices.id, invoices.number, ${personOfCustomer()} as memberId, invoices.customer ->> 'name' as name,
         invoices.issuedOn, invoices.taxPoint, invoices.net, invoices.vat, invoices.gross,
         (select coalesce(sum(gross), 0) from credit_notes where invoiceId = invoices.id) as credited,
         invoices.isRetroactive, invoices.isMissingAddress,
         (select number from invoices replaced where replaced.id = invoices.replacesId) as replaces,
         (select number from invoices newer where newer.replacesId = invoices.id) as replacedBy,
         (select json_group_array(number) from credit_notes where invoiceId = invoices.id) as creditNotes
       from invoices join customers on customers.id = invoices.customerId
       left join users on users.id = ${personOfCustomer()}
       ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`} order by invoices.sequence desc limit @limit`,
    )
    .all({ limit, cursor, member, month })
  return rows.map((row) => {
    const url = urlOf(ctx, { kind: 'invoice', id: row.id })
    const flags = { isRetroactive: row.isRetroactive === 1, isMissingAddress: row.isMissingAddress === 1 }
    return { ...row, ...flags, creditNotes: numbersIn(row.creditNotes), url, pdf: `${url}/pdf` }
  })
}

const numbersIn = (json: string): string[] => JSON.parse(json)
