import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { tierSlugs } from '#shared/contract/tier.ts'
import { documentSeries } from '#shared/rules/invoice-number.ts'
import { day, flag, id, instant, json, oneOf, oneOfOrNull, pence } from './columns.ts'
import { customers } from './customers.ts'
import { type InvoiceLine, providerInvoices, providerRefunds } from './provider.ts'

/** The one legal VAT invoice per payment, in an unbroken series. Issued, it is never edited or deleted: triggers refuse it. */
export const invoices = sqliteTable(
  'invoices',
  {
    id: id(),
    /** Position in the series; the printed number is made from it. */
    sequence: integer().notNull().unique(),
    number: text().notNull().unique(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    providerInvoiceId: text().references(() => providerInvoices.id, { onDelete: 'restrict' }),
    /** Re-issue of this invoice, after a credit note. */
    replacesId: text().unique(),
    /** The number of a document for the same payment that a restore left out: this one takes its place. */
    takesPlaceOf: text(),
    isRetroactive: flag(false),
    isMissingAddress: flag(false),
    taxPoint: day().notNull(),
    issuedOn: day().notNull(),
    /** On the day of issue, with the brand's colour where it was not the shipped one, and the owners' own logo. */
    seller: json<{ name: string; address: string; vatNumber: string; accent?: string; logo?: string }>().notNull(),
    /** As it was on the day of issue; the address has a line break between its lines. */
    customer: json<{ name: string; businessName?: string | null; address: string | null }>().notNull(),
    lines: json<InvoiceLine[]>().notNull(),
    tierSlug: text({ enum: tierSlugs }),
    net: pence().notNull(),
    vat: pence().notNull(),
    gross: pence().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('invoices_customer').on(table.customerId, table.createdAt),
    index('invoices_revenue').on(table.taxPoint, table.tierSlug, table.net, table.vat, table.gross),
    index('invoices_tax_point').on(table.taxPoint, table.sequence),
    index('invoices_chain').on(table.providerInvoiceId),
    // Hardly any replaces another. By the unique index alone, statistics would tell the planner that all replace the same.
    index('invoices_replaces').on(table.replacesId).where(sql.raw('"replacesId" is not null')),
    uniqueIndex('invoices_payment').on(table.providerInvoiceId).where(sql.raw('"replacesId" is null')),
    check('invoices_tier', sql.raw(oneOfOrNull('tierSlug', tierSlugs))),
  ],
)

const creditNoteKinds = ['refund', 'correction', 'removal'] as const

/** Takes an invoice back, whole or in part; the only way an issued invoice is ever corrected. */
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
    /** As an invoice's, for the same refund. */
    takesPlaceOf: text(),
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
 * Numbers of a series that were left out for good, because documents with them may be out already: after a restore they are
 * in no row. Recorded, so that a gap can be explained; a number is never given twice. Triggers hold it, as the series.
 */
export const skippedNumbers = sqliteTable(
  'skipped_numbers',
  {
    series: text({ enum: documentSeries }).notNull(),
    first: integer().notNull(),
    last: integer().notNull(),
    reason: text().notNull(),
    /** By number, the provider's payment or refund that its document was for, as far as that is known. */
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
 * Each document's row of the accountant's CSV, its CRLF with it. A document never changes, so its row is made once: triggers
 * take it from the view `documents_as_csv` when the document is issued. `taxPoint` is the day whose VAT return it belongs to.
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
