import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { tierSlugs } from '#shared/contract/tier.ts'
import { day, flag, id, instant, month, oneOf, oneOfOrNull, pence } from './columns.ts'
import { customers } from './customers.ts'
import { invoices } from './invoices.ts'
import { providerRefunds } from './provider.ts'

/** The sales partner's rate per tier, in per cent, from a day on: history never changes. */
export const commissionRates = sqliteTable(
  'commission_rates',
  { tierSlug: text({ enum: tierSlugs }).notNull(), rate: integer().notNull(), validFrom: day().notNull() },
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
    month: month().notNull(),
    /** The month of the payment, or of the up-sell, that the line is about. */
    paymentMonth: month().notNull(),
    tierSlug: text({ enum: tierSlugs }),
    net: pence().notNull(),
    rate: integer(),
    amount: pence().notNull(),
    /** The day after the guarantee ends; before it the line is held. */
    dueOn: day().notNull(),
    createdAt: instant().notNull(),
    /** It moves what was paid out, not what was earned: a payment, or the reversal of one. */
    isSettlement: flag(false),
  },
  (table) => [
    index('commission_ledger_month').on(table.month, table.kind, table.amount),
    index('commission_ledger_lines').on(table.month, table.id),
    // Most lines have neither: statistics would tell the planner that all have the same.
    index('commission_ledger_reverses').on(table.reverses).where(sql.raw('"reverses" is not null')),
    index('commission_ledger_customer').on(table.customerId, table.paymentMonth, table.isSettlement, table.amount),
    index('commission_ledger_upsell').on(table.manualCommissionId).where(sql.raw('"manualCommissionId" is not null')),
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
  saleDate: day().notNull(),
  commissionPaid: flag(false),
  commissionPaidDate: instant(),
  createdAt: instant().notNull(),
  /** Taken back: out of every list, its ledger lines reversed. */
  deletedAt: instant(),
})
