import { and, asc, between, count, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { customerBelongsTo, userIdOfCustomer } from '#api/db/customers.ts'
import { isOneOf, jsonFieldOf, jsonOf, tookMoney, total } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { type CreditedLine, providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import type { Invoice, InvoiceCreditNote } from '#shared/contract/billing.ts'
import { Id } from '#shared/contract/fields.ts'
import type { AdminInvoice, AdminInvoiceQuery, invoiceStates } from '#shared/contract/invoices.ts'
import type { MemberPayment } from '#shared/contract/member-record.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { unusedMonths } from '#shared/rules/paid-months.ts'
import { daysOf } from '#shared/rules/periods.ts'
import { listCoolingOff } from './cooling-off-queries.ts'
import { type DocumentRef, documentPath } from './document-service.ts'
import { debtTaken, isNewest, replaced, replacedNumber } from './queries.ts'

const urlOf = (ctx: Context, ref: DocumentRef) => `${ctx.settings.publicUrl}${documentPath(ref)}`
const seconds = (instant: string) => Math.floor(Date.parse(instant) / 1000)

const replacement = alias(invoices, 'replacement')

/** The first invoice of a started purchase. While unpaid it's only an attempt, not a debt. */
const isAttempt = sql`(${isOneOf(providerInvoices.billingReason, 'subscription_create')} and exists (
  select 1 from ${subscriptions} where ${subscriptions.id} = ${providerInvoices.subscriptionId}
    and ${isOneOf(subscriptions.status, 'incomplete', 'incomplete_expired', 'canceled')}))`

/** Of the void unpaid ones, members only ever saw renewals as owed. Drafts aren't due yet. */
export const isShownPayment = or(
  and(
    isOneOf(providerInvoices.status, 'open', 'uncollectible'),
    sql`not ${isAttempt}`,
    eq(providerInvoices.isUpgrade, false),
  ),
  tookMoney(),
  and(isOneOf(providerInvoices.status, 'void'), isOneOf(providerInvoices.billingReason, 'subscription_cycle')),
)

const paymentsByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      id: providerInvoices.id,
      status: providerInvoices.status,
      net: providerInvoices.net,
      vat: providerInvoices.vat,
      total: providerInvoices.total,
      amountPaid: providerInvoices.amountPaid,
      created: providerInvoices.created,
      paidAt: providerInvoices.paidAt,
      periodStart: providerInvoices.periodStart,
      periodEnd: providerInvoices.periodEnd,
      amountRefunded: providerInvoices.amountRefunded,
      fromBefore: debtTaken,
      hostedInvoiceUrl: providerInvoices.hostedInvoiceUrl,
      isHistory: providerInvoices.isHistory,
      invoiceId: invoices.id,
      number: invoices.number,
      replaces: replacedNumber,
    })
    .from(customers)
    .innerJoin(providerInvoices, eq(providerInvoices.customerId, customers.id))
    .leftJoin(
      invoices,
      and(eq(invoices.providerInvoiceId, providerInvoices.id), isOneOf(providerInvoices.status, 'paid'), isNewest),
    )
    .leftJoin(replaced, eq(replaced.id, invoices.replacesId))
    .where(and(customerBelongsTo(unplanned(userId)), isShownPayment))
    .orderBy(desc(providerInvoices.created), desc(invoices.sequence), desc(providerInvoices.id)),
)

type PaymentRow = ReturnType<typeof paymentsByUser.all>[number]

/** A person's payments with our invoices, and unpaid ones, newest first. */
export function listInvoicesOfUser(ctx: Context, userId: string): Invoice[] {
  const notes = creditNotesByPayment(ctx, userId)
  return paymentsByUser.all(ctx, { userId }).map((payment) => toInvoice(ctx, payment, notes.get(payment.id) ?? []))
}

/** The same, plus what an owner needs for a refund. */
export function listPaymentsOfUser(ctx: Context, userId: string): MemberPayment[] {
  const notes = creditNotesByPayment(ctx, userId)
  const documents = Map.groupBy(notedByUser.all(ctx, { userId }), ({ paymentId }) => paymentId)
  const now = ctx.billingNow()
  const coolingOff = new Map(listCoolingOff(ctx, now, userId).map((one) => [one.paymentId, one]))
  return paymentsByUser.all(ctx, { userId }).map((payment) => {
    const { id: paymentId, net, vat, status, amountPaid, amountRefunded } = payment
    const refundable = status === 'paid' ? Math.max(0, amountPaid - amountRefunded) : 0
    const unused = unusedOf(payment, refundable, now)
    const cooling = coolingOff.get(paymentId)
    const noted = refundable === 0 ? undefined : documents.get(paymentId)
    return {
      ...toInvoice(ctx, payment, notes.get(paymentId) ?? []),
      paymentId,
      net,
      vat,
      refundable,
      ...(unused === null ? {} : { unused }),
      ...(cooling === undefined ? {} : { coolingOff: coolingOffOf(cooling, refundable) }),
      ...(noted === undefined ? {} : { noted: notedOf(noted) }),
    }
  })
}

const coolingOffOf = ({ days, of, amount, until }: ReturnType<typeof listCoolingOff>[number], refundable: number) => ({
  days,
  of,
  amount: Math.min(refundable, amount),
  until,
})

/** What went back already was for them. */
function unusedOf(payment: PaymentRow, refundable: number, now: Date) {
  const { periodStart: start, periodEnd: end, total: paid, amountRefunded } = payment
  if (start === null || end === null) return null
  const { months, of, amount } = unusedMonths({ start, end }, paid, now)
  const left = Math.min(refundable, amount - amountRefunded)
  return left > 0 ? { months, of, amount: left } : null
}

const notedByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      paymentId: invoices.providerInvoiceId,
      invoice: { net: invoices.net, vat: invoices.vat, gross: invoices.gross, lines: invoices.lines },
      note: { net: creditNotes.net, vat: creditNotes.vat, gross: creditNotes.gross, lines: creditNotes.lines },
    })
    .from(customers)
    .innerJoin(invoices, eq(invoices.customerId, customers.id))
    .innerJoin(creditNotes, eq(creditNotes.invoiceId, invoices.id))
    .where(and(customerBelongsTo(unplanned(userId)), isNewest))
    .orderBy(asc(creditNotes.sequence)),
)

type Noted = ReturnType<typeof notedByUser.all>

function notedOf(rows: Noted): MemberPayment['noted'] {
  const [first] = rows
  if (first === undefined) return undefined
  const { lines, ...amounts } = first.invoice
  const notes = rows.map(({ note }) => ({ ...note, lines: note.lines?.map(toNotedLine) ?? null }))
  return { ...amounts, lines: lines.map(toNotedLine), notes }
}

const toNotedLine = ({ description, rate, net, vat }: CreditedLine) => ({ description, rate, net, vat })

function toInvoice(ctx: Context, payment: PaymentRow, notes: InvoiceCreditNote[]): Invoice {
  const { status, total, amountRefunded: refunded, fromBefore } = payment
  const url = payment.invoiceId === null ? null : urlOf(ctx, { kind: 'invoice', id: payment.invoiceId })
  return {
    id: payment.invoiceId ?? payment.id,
    number: payment.number,
    status,
    total,
    created: seconds(payment.created),
    hosted_invoice_url: url ?? payment.hostedInvoiceUrl,
    invoice_pdf: url && `${url}/pdf`,
    ...(status === 'paid' && payment.paidAt !== null ? { paid_at: seconds(payment.paidAt) } : {}),
    ...(payment.replaces === null ? {} : { replaces: payment.replaces }),
    ...(payment.isHistory ? { isHistory: true } : {}),
    ...(status === 'paid' && fromBefore > 0 ? { fromBefore } : {}),
    ...(refunded > 0 ? { refunded } : {}),
    ...(notes.length > 0 ? { credit_notes: notes } : {}),
  }
}

const notesByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      id: creditNotes.id,
      number: creditNotes.number,
      kind: creditNotes.kind,
      invoice: invoices.number,
      total: creditNotes.gross,
      issuedAt: creditNotes.createdAt,
      providerInvoiceId: invoices.providerInvoiceId,
    })
    .from(customers)
    .innerJoin(invoices, eq(invoices.customerId, customers.id))
    .innerJoin(creditNotes, eq(creditNotes.invoiceId, invoices.id))
    .where(and(customerBelongsTo(unplanned(userId)), isNotNull(invoices.providerInvoiceId)))
    .orderBy(asc(creditNotes.sequence)),
)

/** By the payment's provider id, across every invoice the payment ever had. */
function creditNotesByPayment(ctx: Context, userId: string): Map<string | null, InvoiceCreditNote[]> {
  const byPayment = Map.groupBy(notesByUser.all(ctx, { userId }), ({ providerInvoiceId }) => providerInvoiceId)
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

const notesOfInvoice = sql`from ${creditNotes} where ${creditNotes.invoiceId} = ${invoices.id}`

const credited = sql`(select ${total(creditNotes.gross)} ${notesOfInvoice})`

const adminFields = {
  id: invoices.id,
  number: invoices.number,
  memberId: userIdOfCustomer(),
  customer: invoices.customer,
  issuedOn: invoices.issuedOn,
  taxPoint: invoices.taxPoint,
  net: invoices.net,
  vat: invoices.vat,
  gross: invoices.gross,
  credited: credited.mapWith(Number),
  isRetroactive: invoices.isRetroactive,
  isMissingAddress: invoices.isMissingAddress,
  replaces: replacedNumber,
  replacedBy: replacement.number,
  creditNotes: sql`(select json_group_array(${creditNotes.number}) ${notesOfInvoice})`.mapWith(
    jsonOf(v.array(v.string())),
  ),
}

const nameOnIt = jsonFieldOf(invoices.customer, 'name')
const inPounds = sql`printf('£%d.%02d £%,d.%02d', ${invoices.gross} / 100, ${invoices.gross} % 100,
  ${invoices.gross} / 100, ${invoices.gross} % 100)`

const invoiceListing: Listing<'issued' | 'name' | 'gross'> = {
  id: invoices.id,
  sorts: { issued: invoices.sequence, name: sql`fold(${nameOnIt})`, gross: invoices.gross },
  defaultSort: '-issued',
  search: [
    invoices.number,
    sql`(select group_concat(${creditNotes.number}, ' ') ${notesOfInvoice})`,
    nameOnIt,
    users.email,
    inPounds,
  ],
}

const isReplaced = sql`exists (select 1 from ${invoices} as later where later."replacesId" = ${invoices.id})`

const states: Record<(typeof invoiceStates)[number], SQL> = {
  uncredited: sql`not exists (select 1 ${notesOfInvoice})`,
  'part-credited': sql`(${credited} > 0 and ${credited} < ${invoices.gross})`,
  credited: sql`(${credited} > 0 and ${credited} >= ${invoices.gross})`,
  replaced: isReplaced,
  'no-address': sql`(${eq(invoices.isMissingAddress, true)} and not ${isReplaced})`,
}

function inPeriod({ month, quarter }: AdminInvoiceQuery): SQL | undefined {
  const within = (period: string | undefined) => {
    if (period === undefined) return undefined
    const { from, to } = daysOf(period)
    return between(invoices.taxPoint, from, to)
  }
  return and(within(month), within(quarter))
}

/** An id or an address names one account. A name is the account’s or the invoice’s: orders have no account. */
function ofPerson(member: string | undefined): SQL | undefined {
  if (member === undefined) return undefined
  const isAccount = member.includes('@') || v.is(Id, member)
  return isAccount
    ? or(eq(users.id, member), eq(users.email, member.toLowerCase()))
    : sql`instr(fold(concat_ws(' ', ${nameOnIt}, ${users.firstName}, ${users.lastName})), ${foldText(member)}) > 0`
}

/** Newest first by default. */
export function listInvoices(ctx: Context, request: AdminInvoiceQuery & { limit: number }): ListPage<AdminInvoice> {
  const ofMember = ofPerson(request.member)
  const own = and(inPeriod(request), request.show && states[request.show])
  const { rows, ...rest } = readPage(invoiceListing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...adminFields, position })
        .from(invoices)
        // A left join, so that SQLite doesn't read customers first and sort all invoices for one page.
        .leftJoin(customers, eq(customers.id, invoices.customerId))
        .leftJoin(users, eq(users.id, userIdOfCustomer()))
        .leftJoin(replaced, eq(replaced.id, invoices.replacesId))
        .leftJoin(replacement, eq(replacement.replacesId, invoices.id))
        .where(and(ofMember, own, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) =>
      // Counting follows each join, even if no condition needs it.
      ofMember === undefined && where.length === 0
        ? countWhere(ctx, invoices, own)
        : (ctx.db
            .select({ count: count() })
            .from(invoices)
            .leftJoin(customers, eq(customers.id, invoices.customerId))
            .leftJoin(users, eq(users.id, userIdOfCustomer()))
            .where(and(ofMember, own, ...where))
            .get()?.count ?? 0),
  })
  return { rows: rows.map((row) => toAdminInvoice(ctx, row)), ...rest }
}

function toAdminInvoice(ctx: Context, { customer, ...row }: AdminRow): AdminInvoice {
  const url = urlOf(ctx, { kind: 'invoice', id: row.id })
  return { ...row, name: customer.name, url, pdf: `${url}/pdf` }
}

type AdminRow = Omit<AdminInvoice, 'name' | 'url' | 'pdf'> & Pick<typeof invoices.$inferSelect, 'customer'>
