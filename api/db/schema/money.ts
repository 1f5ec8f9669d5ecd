import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { revenueMovements } from '#shared/contract/revenue.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, oneOf, oneOfOrNull, pence } from './columns.ts'
import { subscriptions } from './membership.ts'
import { customers } from './people.ts'
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
    isRetroactive: flag(false),
    isMissingAddress: flag(false),
    taxPoint: text().notNull(),
    issuedOn: text().notNull(),
    seller: text({ mode: 'json' }).$type<{ name: string; address: string; vatNumber: string }>().notNull(),
    /** As it was on the day of issue; the address has a line break between its lines. */
    customer: text({ mode: 'json' })
      .$type<{ name: string; businessName?: string | null; address: string | null }>()
      .notNull(),
    lines: text({ mode: 'json' }).$type<InvoiceLine[]>().notNull(),
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
    net: pence().notNull(),
    vat: pence().notNull(),
    gross: pence().notNull(),
    issuedOn: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('credit_notes_invoice').on(table.invoiceId),
    index('credit_notes_issued').on(table.issuedOn, table.sequence),
    check('credit_notes_kind', sql.raw(oneOf('kind', creditNoteKinds))),
  ],
)

/** The sales partner's rate per tier, in per cent, from a day on: history never changes. */
export const commissionRates = sqliteTable(
  'commission_rates',
  { tierSlug: text({ enum: tierSlugs }).notNull(), rate: integer().notNull(), validFrom: text().notNull() },
  (table) => [
    primaryKey({ columns: [table.tierSlug, table.validFrom] }),
    check('commission_rates_tier', sql.raw(oneOf('tierSlug', tierSlugs))),
  ],
)

const commissionKinds = ['invoice', 'upsell', 'clawback', 'payment', 'reversal'] as const

/**
 * Append-only: triggers refuse every update and delete. `amount` is signed pence, in the partner's favour; `reverses` names
 * the entry that this one takes back, or settles. `invoiceId` is the first legal invoice of the payment, whatever replaced it later.
 */
export const commissionLedger = sqliteTable(
  'commission_ledger',
  {
    id: id(),
    kind: text({ enum: commissionKinds }).notNull(),
    customerId: text().references(() => customers.id, { onDelete: 'restrict' }),
    invoiceId: text().references(() => invoices.id, { onDelete: 'restrict' }),
    manualCommissionId: text(),
    reverses: text(),
    /** The refund that is clawed back. */
    providerRefundId: text().references(() => providerRefunds.id, { onDelete: 'restrict' }),
    /** YYYY-MM of Europe/London: the month whose statement carries the line. */
    month: text().notNull(),
    /** The month of the payment, or of the up-sell, that the line is about. */
    paymentMonth: text().notNull(),
    tierSlug: text({ enum: tierSlugs }),
    net: pence().notNull(),
    rate: integer(),
    amount: pence().notNull(),
    /** The day after the guarantee ends; before it the line is held. */
    dueOn: text().notNull(),
    createdAt: instant().notNull(),
    /** It moves what was paid out, not what was earned: a payment, or the reversal of one. */
    isSettlement: flag(false),
  },
  (table) => [
    index('commission_ledger_month').on(table.month, table.kind, table.amount),
    index('commission_ledger_lines').on(table.month, table.id),
    index('commission_ledger_reverses').on(table.reverses),
    index('commission_ledger_customer').on(table.customerId, table.paymentMonth, table.isSettlement, table.amount),
    index('commission_ledger_upsell').on(table.manualCommissionId),
    uniqueIndex('commission_ledger_refund').on(table.providerRefundId).where(sql.raw(`"kind" = 'clawback'`)),
    uniqueIndex('commission_ledger_invoice').on(table.invoiceId).where(sql.raw(`"kind" = 'invoice'`)),
    check('commission_ledger_tier', sql.raw(oneOfOrNull('tierSlug', tierSlugs))),
    check('commission_ledger_kind', sql.raw(oneOf('kind', commissionKinds))),
  ],
)

/** Up-sells that were agreed by hand; amounts are pence. */
export const manualCommissions = sqliteTable('manual_commissions', {
  id: id(),
  description: text().notNull(),
  totalAmount: pence().notNull(),
  commissionAmount: pence().notNull(),
  saleDate: text().notNull(),
  commissionPaid: flag(false),
  commissionPaidDate: instant(),
  createdAt: instant().notNull(),
  /** Taken back: out of every list, its ledger lines reversed. */
  deletedAt: instant(),
})

/** Append-only: each time what a customer brings in a month changes, from `before` to `after` pence excluding VAT. */
export const revenueChanges = sqliteTable(
  'revenue_changes',
  {
    id: id(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    subscriptionId: text()
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'restrict' }),
    kind: text({ enum: revenueMovements }).notNull(),
    /** After the change; where nothing is left, the one that was. */
    tierSlug: text({ enum: tierSlugs }).notNull(),
    /** Before the change; null where nothing was counted. */
    tierBefore: text({ enum: tierSlugs }),
    before: pence().notNull(),
    after: pence().notNull(),
    /** When it took effect at the provider; never inside a month that is frozen already. */
    at: instant().notNull(),
    /** YYYY-MM of `at` in Europe/London. */
    month: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('revenue_changes_month').on(
      table.month,
      table.kind,
      table.tierSlug,
      table.tierBefore,
      table.before,
      table.after,
    ),
    index('revenue_changes_customer').on(table.customerId, table.id),
    check('revenue_changes_kind', sql.raw(oneOf('kind', revenueMovements))),
    check('revenue_changes_tier', sql.raw(oneOf('tierSlug', tierSlugs))),
  ],
)

/** Revenue of a month, frozen when it ends in Europe/London. */
export const revenueMonths = sqliteTable('revenue_months', {
  month: text().primaryKey(),
  figures: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
  frozenAt: instant().notNull(),
})
