import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { day, flag, id, instant, month, oneOf, pence } from './columns.ts'
import { customers } from './customers.ts'
import { invoices } from './invoices.ts'
import { providerRefunds } from './provider.ts'
import { membershipTiers, tierReference } from './tiers.ts'

/** The sales partner's rate per tier, in per cent, from a given day. Past rates never change. */
export const commissionRates = sqliteTable(
  'commission_rates',
  {
    tierSlug: text()
      .notNull()
      .references(() => membershipTiers.slug, { onDelete: 'cascade' }),
    rate: integer().notNull(),
    validFrom: day().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tierSlug, table.validFrom] })],
)

const commissionKinds = ['invoice', 'upsell', 'clawback', 'payment', 'reversal'] as const

/**
 * Append-only: triggers reject updates and deletes. `amount` is signed pence, in the partner's favour. `reverses` is the entry
 * this one reverses or settles. `invoiceId` is the payment's first VAT invoice, whatever replaced it later.
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
    /** The refund behind a clawback. */
    providerRefundId: text().references(() => providerRefunds.id, { onDelete: 'restrict' }),
    /** YYYY-MM in Europe/London: the month whose statement shows the line. */
    month: month().notNull(),
    paymentMonth: month().notNull(),
    tierSlug: tierReference(),
    net: pence().notNull(),
    rate: integer(),
    amount: pence().notNull(),
    /** The day after the guarantee ends. Until then the line is held. */
    dueOn: day().notNull(),
    createdAt: instant().notNull(),
    /** It changes what was paid out, not what was earned: a payout, or its reversal. */
    isSettlement: flag(false),
  },
  (table) => [
    index('commission_ledger_month').on(table.month, table.kind, table.amount),
    index('commission_ledger_lines').on(table.month, table.id),
    // Partial, because most lines have neither: the statistics would count all those nulls as one key.
    index('commission_ledger_reverses').on(table.reverses).where(sql.raw('"reverses" is not null')),
    index('commission_ledger_customer').on(table.customerId, table.paymentMonth, table.isSettlement, table.amount),
    index('commission_ledger_upsell').on(table.manualCommissionId).where(sql.raw('"manualCommissionId" is not null')),
    uniqueIndex('commission_ledger_refund').on(table.providerRefundId).where(sql.raw(`"kind" = 'clawback'`)),
    uniqueIndex('commission_ledger_invoice').on(table.invoiceId).where(sql.raw(`"kind" = 'invoice'`)),
    check('commission_ledger_kind', sql.raw(oneOf('kind', commissionKinds))),
  ],
)

/** Up-sells agreed by hand. Amounts are pence. */
export const manualCommissions = sqliteTable('manual_commissions', {
  id: id(),
  description: text().notNull(),
  totalAmount: pence().notNull(),
  commissionAmount: pence().notNull(),
  saleDate: day().notNull(),
  commissionPaid: flag(false),
  commissionPaidDate: instant(),
  createdAt: instant().notNull(),
  /** Set when it's withdrawn: hidden from every list, with its ledger lines reversed. */
  deletedAt: instant(),
})
