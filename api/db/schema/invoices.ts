import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { documentSeries } from '#shared/rules/invoice-number.ts'
import { day, flag, id, instant, json, oneOf, pence } from './columns.ts'
import { customers } from './customers.ts'
import { type CreditedLine, type InvoiceLine, providerInvoices, providerRefunds } from './provider.ts'
import { tierReference } from './tiers.ts'

/** The one VAT invoice per payment, in an unbroken series. Once issued it's never edited or deleted: triggers refuse that. */
export const invoices = sqliteTable(
  'invoices',
  {
    id: id(),
    /** Position in the series. The printed number derives from it. */
    sequence: integer().notNull().unique(),
    number: text().notNull().unique(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    providerInvoiceId: text().references(() => providerInvoices.id, { onDelete: 'restrict' }),
    /** The invoice this one re-issues after a credit note. */
    replacesId: text().unique(),
    /** A document number for the same payment that's missing after a restore. This document replaces it. */
    takesPlaceOf: text(),
    isRetroactive: flag(false),
    isMissingAddress: flag(false),
    taxPoint: day().notNull(),
    issuedOn: day().notNull(),
    /** As on the day of issue. Includes the accent colour if it wasn't the default, and the owners' logo. */
    seller: json<{ name: string; address: string; vatNumber: string; accent?: string; logo?: string }>().notNull(),
    /** As on the day of issue. The address has line breaks. */
    customer: json<{ name: string; businessName?: string | null; address: string | null }>().notNull(),
    lines: json<InvoiceLine[]>().notNull(),
    tierSlug: tierReference(),
    net: pence().notNull(),
    vat: pence().notNull(),
    gross: pence().notNull(),
    /** What of it was paid from the customer's credit. */
    fromCredit: pence().notNull().default(0),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('invoices_customer').on(table.customerId, table.createdAt),
    index('invoices_revenue').on(table.taxPoint, table.tierSlug, table.net, table.vat, table.gross),
    index('invoices_tax_point').on(table.taxPoint, table.sequence),
    index('invoices_created').on(table.createdAt, table.sequence),
    index('invoices_chain').on(table.providerInvoiceId),
    // Partial, because hardly any invoice replaces another: the unique index's statistics would count all those nulls as one key.
    index('invoices_replaces').on(table.replacesId).where(sql.raw('"replacesId" is not null')),
    uniqueIndex('invoices_payment').on(table.providerInvoiceId).where(sql.raw('"replacesId" is null')),
  ],
)

const creditNoteKinds = ['refund', 'correction', 'removal'] as const

/** Cancels an invoice, in whole or in part. It's the only way to correct an issued one. */
export const creditNotes = sqliteTable(
  'credit_notes',
  {
    id: id(),
    sequence: integer().notNull().unique(),
    number: text().notNull().unique(),
    invoiceId: text()
      .notNull()
      .references(() => invoices.id, { onDelete: 'restrict' }),
    kind: text({ enum: creditNoteKinds }).notNull(),
    reason: text().notNull(),
    providerRefundId: text()
      .unique()
      .references(() => providerRefunds.id, { onDelete: 'restrict' }),
    takesPlaceOf: text(),
    /** What it credits, in proportion, where those aren't all its invoice's lines. */
    lines: json<CreditedLine[]>(),
    net: pence().notNull(),
    vat: pence().notNull(),
    gross: pence().notNull(),
    issuedOn: day().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('credit_notes_invoice').on(table.invoiceId),
    index('credit_notes_issued').on(table.issuedOn, table.sequence),
    check('credit_notes_kind', sql.raw(oneOf('kind', creditNoteKinds))),
  ],
)

/**
 * Numbers a series left out for good, because documents with them may have been issued before a restore. They explain the gap,
 * and no number is ever used twice. Triggers protect the rows, as they do the series.
 */
export const skippedNumbers = sqliteTable(
  'skipped_numbers',
  {
    series: text({ enum: documentSeries }).notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    reason: text().notNull(),
    /** By number, the Stripe payment or refund the document was for, if we know. */
    documents: json<Record<string, string>>(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.series, table.first] }),
    check('skipped_numbers_series_kind', sql.raw(oneOf('series', documentSeries))),
    check('skipped_numbers_order', sql.raw('"first" <= "last"')),
  ],
)

/**
 * Each document's row of the accountant's CSV, with its CRLF. A document never changes, so its row is made once: triggers copy it
 * from the view `documents_as_csv` on issue. `taxPoint` decides the VAT return.
 */
export const documentCsvRows = sqliteTable(
  'document_csv_rows',
  {
    series: text({ enum: documentSeries }).notNull(),
    taxPoint: day().notNull(),
    sequence: integer().notNull(),
    csv: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.series, table.taxPoint, table.sequence] }),
    check('document_csv_rows_series', sql.raw(oneOf('series', documentSeries))),
  ],
)
