import { and, asc, between, desc, eq, gt, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { filled, firstOf, greatest, isOneOf, nullable, tookMoney, total } from '#api/db/expressions.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, documentCsvRows, invoices, skippedNumbers } from '#api/db/schema/invoices.ts'
import { customerCredits, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import type { Amounts, Note } from '#shared/rules/credit-note.ts'

export type InvoiceRow = typeof invoices.$inferSelect
export type CreditNoteRow = typeof creditNotes.$inferSelect
export type Payment = typeof providerInvoices.$inferSelect

const newer = alias(invoices, 'newer')

export const replaced = alias(invoices, 'replaced')
/** The number of the replaced invoice, or of the document an invoice stands in for after a restore. */
export const replacedNumber = nullable(invoices.number, sql`coalesce(${replaced.number}, ${invoices.takesPlaceOf})`)

export const isNewest = sql`not exists (select 1 from ${invoices} ${newer} where ${newer.replacesId} = ${invoices.id})`

/** For a query of payments: what of a debt was taken with one, in pence. It's on no invoice. */
export const debtTaken = sql`(select max(0, 0 - ${total(customerCredits.amount)}) from ${customerCredits}
  where ${and(
    eq(customerCredits.customerId, providerInvoices.customerId),
    isOneOf(customerCredits.type, 'applied_to_invoice'),
    eq(customerCredits.invoice, providerInvoices.id),
  )})`.mapWith(Number)

/** Issued for a payment, not to replace an invoice. The `+` keeps SQLite off the `replacesId` index, which rarely narrows. */
export const isFirstOfPayment = sql`+${invoices.replacesId} is null`

const newestByPayment = preparedQuery<{ providerInvoiceId: string }>()((db, { providerInvoiceId }) =>
  db
    .select()
    .from(invoices)
    .where(and(eq(invoices.providerInvoiceId, providerInvoiceId), isNewest)),
)

const newestByCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select()
    .from(invoices)
    .where(and(eq(invoices.customerId, customerId), isNewest))
    .orderBy(asc(invoices.sequence)),
)

export const newestInvoice = (ctx: Context, providerInvoiceId: string): InvoiceRow | undefined =>
  newestByPayment.get(ctx, { providerInvoiceId })

/** Each payment's newest invoice, in order of issue. */
export const newestInvoices = (ctx: Context, customerId: string): InvoiceRow[] =>
  newestByCustomer.all(ctx, { customerId })

const invoicesById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(invoices).where(eq(invoices.id, id)),
)

export const invoiceById = (ctx: Context, id: string): InvoiceRow | undefined => invoicesById.get(ctx, { id })

const invoicesReplacing = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ id: invoices.id, number: invoices.number }).from(invoices).where(eq(invoices.replacesId, id)),
)

const refsBetween = preparedQuery<{ from: string; to: string }>()((db, { from, to }) =>
  db
    .select({
      kind: documentCsvRows.series,
      id: firstOf(invoices.id, creditNotes.id),
    })
    .from(documentCsvRows)
    .leftJoin(
      invoices,
      and(isOneOf(documentCsvRows.series, 'invoice'), eq(invoices.sequence, documentCsvRows.sequence)),
    )
    .leftJoin(
      creditNotes,
      and(isOneOf(documentCsvRows.series, 'credit_note'), eq(creditNotes.sequence, documentCsvRows.sequence)),
    )
    .where(between(documentCsvRows.taxPoint, from, to))
    .orderBy(desc(documentCsvRows.series), asc(documentCsvRows.sequence)),
)

/** Exactly the documents of the CSV export, invoices first. */
export const documentsBetween = (ctx: Context, days: { from: string; to: string }) => refsBetween.all(ctx, days)

export const replacementOf = (ctx: Context, { id }: InvoiceRow) => invoicesReplacing.get(ctx, { id })

const notesByInvoice = preparedQuery<{ invoiceId: string }>()((db, { invoiceId }) =>
  db
    .select({ id: creditNotes.id, number: creditNotes.number })
    .from(creditNotes)
    .where(eq(creditNotes.invoiceId, invoiceId))
    .orderBy(asc(creditNotes.sequence)),
)

export const creditNotesOf = (ctx: Context, { id }: InvoiceRow) => notesByInvoice.all(ctx, { invoiceId: id })

const notesById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(creditNotes).where(eq(creditNotes.id, id)),
)

export const creditNoteById = (ctx: Context, id: string): CreditNoteRow | undefined => notesById.get(ctx, { id })

const removalsByInvoice = preparedQuery<{ invoiceId: string }>()((db, { invoiceId }) =>
  db
    .select({ id: creditNotes.id })
    .from(creditNotes)
    .where(and(eq(creditNotes.invoiceId, invoiceId), eq(creditNotes.kind, 'removal'))),
)

/** An owner had it removed, by a credit note. */
export const isRemoved = (ctx: Context, { id }: { id: string }): boolean =>
  removalsByInvoice.get(ctx, { invoiceId: id }) !== undefined

const creditedByInvoice = preparedQuery<{ invoiceId: string }>()((db, { invoiceId }) =>
  db
    .select({ net: total(creditNotes.net), vat: total(creditNotes.vat), gross: total(creditNotes.gross) })
    .from(creditNotes)
    .where(eq(creditNotes.invoiceId, invoiceId)),
)

/** The sum of an invoice's credit notes. */
export const creditedAmounts = (ctx: Context, invoiceId: string): Amounts =>
  creditedByInvoice.get(ctx, { invoiceId }) ?? { net: 0, vat: 0, gross: 0 }

/** What a credit note credits, in proportion. Use it with the note joined to its invoice. */
export const linesOfNote = filled(creditNotes.lines, firstOf(creditNotes.lines, invoices.lines))

const notedAmounts = preparedQuery<{ invoiceId: string }>()((db, { invoiceId }) =>
  db
    .select({ net: creditNotes.net, vat: creditNotes.vat, gross: creditNotes.gross, lines: creditNotes.lines })
    .from(creditNotes)
    .where(eq(creditNotes.invoiceId, invoiceId))
    .orderBy(asc(creditNotes.sequence)),
)

/** Each of an invoice's credit notes, the oldest first. */
export const notesOn = (ctx: Context, { id }: { id: string }): Note[] => notedAmounts.all(ctx, { invoiceId: id })

const paymentsById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(providerInvoices).where(eq(providerInvoices.id, id)),
)

export const paymentOf = (ctx: Context, { providerInvoiceId }: InvoiceRow): Payment | undefined =>
  paymentsById.get(ctx, { id: providerInvoiceId ?? '' })

/** Oldest first. */
export const paymentsWithoutInvoice = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select()
    .from(providerInvoices)
    .where(
      and(
        eq(providerInvoices.customerId, customerId),
        tookMoney(),
        gt(providerInvoices.total, 0),
        eq(providerInvoices.isHistory, false),
        sql`not exists (select 1 from ${invoices}
          where ${invoices.providerInvoiceId} = ${providerInvoices.id} and ${invoices.replacesId} is null)`,
      ),
    )
    .orderBy(asc(providerInvoices.paidAt), asc(providerInvoices.id)),
)

/** Oldest first. */
export const uninvoicedPayments = preparedQuery()((db) =>
  db
    .select({ id: providerInvoices.id, paidAt: providerInvoices.paidAt, created: providerInvoices.created })
    .from(providerInvoices)
    .where(
      and(
        tookMoney(),
        gt(providerInvoices.total, 0),
        eq(providerInvoices.isHistory, false),
        notExists(
          db.select({ id: invoices.id }).from(invoices).where(eq(invoices.providerInvoiceId, providerInvoices.id)),
        ),
      ),
    )
    .orderBy(asc(providerInvoices.created)),
)

export const refundsWithoutNote = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      id: providerRefunds.id,
      providerInvoiceId: providerRefunds.providerInvoiceId,
      amount: providerRefunds.amount,
      created: providerRefunds.created,
      reason: providerRefunds.reason,
      lines: providerRefunds.lines,
      waitsForFix: providerRefunds.waitsForFix,
    })
    .from(providerRefunds)
    .where(
      and(
        eq(providerRefunds.customerId, customerId),
        eq(providerRefunds.status, 'succeeded'),
        notExists(
          db
            .select({ id: creditNotes.id })
            .from(creditNotes)
            .where(eq(creditNotes.providerRefundId, providerRefunds.id)),
        ),
      ),
    )
    .orderBy(asc(providerRefunds.created), asc(providerRefunds.id)),
)

export const failedRefundsWithNote = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ id: providerRefunds.id })
    .from(providerRefunds)
    .innerJoin(creditNotes, eq(creditNotes.providerRefundId, providerRefunds.id))
    .where(
      and(eq(providerRefunds.customerId, unplanned(customerId)), isOneOf(providerRefunds.status, 'failed', 'canceled')),
    ),
)

const refundedByPayment = preparedQuery<{ providerInvoiceId: string }>()((db, { providerInvoiceId }) =>
  db
    .select({ amount: total(providerRefunds.amount) })
    .from(providerRefunds)
    .where(and(eq(providerRefunds.providerInvoiceId, providerInvoiceId), eq(providerRefunds.status, 'succeeded'))),
)

/** Pence refunded of the invoice's payment, without refunds that failed later. */
export const refundedAmount = (ctx: Context, { providerInvoiceId }: InvoiceRow): number =>
  providerInvoiceId === null ? 0 : (refundedByPayment.get(ctx, { providerInvoiceId })?.amount ?? 0)

const notedByPayment = preparedQuery<{ providerInvoiceId: string }>()((db, { providerInvoiceId }) =>
  db
    .select({ amount: providerRefunds.amount, lines: providerRefunds.lines })
    .from(providerRefunds)
    .innerJoin(creditNotes, eq(creditNotes.providerRefundId, providerRefunds.id))
    .where(and(eq(providerRefunds.providerInvoiceId, providerInvoiceId), eq(providerRefunds.status, 'succeeded')))
    .orderBy(asc(creditNotes.sequence)),
)

/** Those of the payment's refunds that have their credit notes, in their order. */
export const notedRefunds = (ctx: Context, { providerInvoiceId }: InvoiceRow) =>
  providerInvoiceId === null ? [] : notedByPayment.all(ctx, { providerInvoiceId })

const lastInvoice = preparedQuery()((db) => db.select({ sequence: greatest(invoices.sequence) }).from(invoices))
const lastCreditNote = preparedQuery()((db) =>
  db.select({ sequence: greatest(creditNotes.sequence) }).from(creditNotes),
)

type Series = (typeof skippedNumbers.$inferSelect)['series']

const lastSkipped = preparedQuery<{ series: string }>()((db, { series }) =>
  db
    .select({ sequence: greatest(skippedNumbers.last) })
    .from(skippedNumbers)
    .where(eq(skippedNumbers.series, series)),
)

const lastGiven = (ctx: Context, series: Series, last: number | null | undefined) =>
  Math.max(last ?? 0, lastSkipped.get(ctx, { series })?.sequence ?? 0)

/** The sequence number of the newest invoice, or of a later number left out; 0 if there is none. */
export const lastInvoiceSequence = (ctx: Context): number => lastGiven(ctx, 'invoice', lastInvoice.get(ctx)?.sequence)
export const lastCreditNoteSequence = (ctx: Context): number =>
  lastGiven(ctx, 'credit_note', lastCreditNote.get(ctx)?.sequence)

const ownCustomer = preparedQuery<{ customerId: string; userId: string }>()((db, { customerId, userId }) =>
  db
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.id, customerId), customerBelongsTo(userId))),
)

export const isCustomerOf = (ctx: Context, customerId: string, userId: string): boolean =>
  ownCustomer.get(ctx, { customerId, userId }) !== undefined

const methodOfPayment = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ paidBy: providerInvoices.paidBy }).from(providerInvoices).where(eq(providerInvoices.id, id)),
)

/** Stripe's type of what paid an invoice there, if it was one. */
export const paidByOf = (ctx: Context, providerInvoiceId: string): string | null =>
  methodOfPayment.get(ctx, { id: providerInvoiceId })?.paidBy ?? null
