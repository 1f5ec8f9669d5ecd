import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, oneOf, oneOfOrNull, pence } from './columns.ts'
import { subscriptions } from './membership.ts'
import { customers } from './people.ts'

export const paymentStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const

/** The provider's record of a demand for payment; ours, the legal one, is in `invoices`. */
export const providerInvoices = sqliteTable(
  'provider_invoices',
  {
    /** The provider's id, in_…. */
    id: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    subscriptionId: text().references(() => subscriptions.id, { onDelete: 'restrict' }),
    status: text({ enum: paymentStatuses }).notNull(),
    /** subscription_create, subscription_cycle, … */
    billingReason: text(),
    tierSlug: text({ enum: tierSlugs }),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    amountPaid: pence().notNull(),
    amountRefunded: pence().notNull().default(0),
    hostedInvoiceUrl: text(),
    periodStart: instant(),
    periodEnd: instant(),
    created: instant().notNull(),
    paidAt: instant(),
  },
  (table) => [
    index('provider_invoices_customer').on(table.customerId, table.created),
    index('provider_invoices_subscription').on(table.subscriptionId, table.status, table.created),
    check('provider_invoices_tier', sql.raw(oneOfOrNull('tierSlug', tierSlugs))),
    check('provider_invoices_status', sql.raw(oneOf('status', paymentStatuses))),
  ],
)

export type InvoiceLine = {
  description: string
  quantity: number
  unitPrice: number
  net: number
  rate: number
  vat: number
}

/** The one legal VAT invoice per payment, in an unbroken series. Issued, it is never edited or deleted. */
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
    replacesId: text(),
    isRetroactive: flag(false),
    isMissingAddress: flag(false),
    taxPoint: text().notNull(),
    issuedOn: text().notNull(),
    seller: text({ mode: 'json' }).$type<{ name: string; address: string; vatNumber: string }>().notNull(),
    customer: text({ mode: 'json' }).$type<{ name: string; address: string | null }>().notNull(),
    lines: text({ mode: 'json' }).$type<InvoiceLine[]>().notNull(),
    tierSlug: text({ enum: tierSlugs }),
    net: pence().notNull(),
    vat: pence().notNull(),
    gross: pence().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('invoices_customer').on(table.customerId, table.createdAt),
    index('invoices_revenue').on(table.taxPoint, table.tierSlug, table.net),
    uniqueIndex('invoices_payment').on(table.providerInvoiceId).where(sql.raw('"replacesId" is null')),
    check('invoices_tier', sql.raw(oneOfOrNull('tierSlug', tierSlugs))),
  ],
)

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
    reason: text().notNull(),
    providerRefundId: text().unique(),
    net: pence().notNull(),
    vat: pence().notNull(),
    gross: pence().notNull(),
    issuedOn: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index('credit_notes_invoice').on(table.invoiceId)],
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

/** Append-only. `amount` is signed pence; `reverses` names the entry that this one takes back. */
export const commissionLedger = sqliteTable(
  'commission_ledger',
  {
    id: id(),
    kind: text({ enum: commissionKinds }).notNull(),
    customerId: text().references(() => customers.id, { onDelete: 'restrict' }),
    invoiceId: text().references(() => invoices.id, { onDelete: 'restrict' }),
    manualCommissionId: text(),
    reverses: text(),
    /** YYYY-MM of Europe/London. */
    month: text().notNull(),
    tierSlug: text({ enum: tierSlugs }),
    net: pence().notNull(),
    rate: integer(),
    amount: pence().notNull(),
    /** The day the guarantee is over; before it the line is held. */
    dueOn: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('commission_ledger_month').on(table.month, table.kind, table.amount),
    index('commission_ledger_customer').on(table.customerId, table.month),
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
})

/** Revenue of a month, frozen when it ends in Europe/London. */
export const revenueMonths = sqliteTable('revenue_months', {
  month: text().primaryKey(),
  figures: text({ mode: 'json' }).$type<Record<string, number>>().notNull(),
  frozenAt: instant().notNull(),
})

/** Every event of the provider by its id: a second delivery changes nothing. What it said is not kept, it names people. */
export const providerEvents = sqliteTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    stripeCustomerId: text(),
    receivedAt: instant().notNull(),
    processedAt: instant(),
  },
  (table) => [index('provider_events_waiting').on(table.receivedAt).where(sql.raw('"processedAt" is null'))],
)
