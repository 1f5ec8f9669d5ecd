import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'
import { flag, instant, json, oneOf, oneOfOrNull, pence } from './columns.ts'
import { customers } from './customers.ts'
import { subscriptions } from './subscriptions.ts'

export const paymentStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const

/** Amounts are pence; `net` and `vat` are of the whole line, `rate` is per cent. */
export type InvoiceLine = {
  description: string
  quantity: number
  unitPrice: number
  net: number
  rate: number
  vat: number
  /** For a subscription's period, as opposed to what was charged along with it. */
  isPeriod?: boolean
  /** For the rest of a period; negative where it takes off what was paid for that before. */
  isProration?: boolean
  /** The tier of such a line; left out where its price is none of ours. */
  tierSlug?: TierSlug
}

/** The provider's invoice. Ours, which is the legal one, is in `invoices`. */
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
    /** What is charged for, line by line, excluding VAT. */
    lines: json<InvoiceLine[]>().notNull().default([]),
    /** The quoting-system order that this invoice is for. */
    quotientOrderId: text(),
    /** For the rest of a period at another tier, beside the renewals. */
    isUpgrade: flag(false),
    /** Of a renewal that discounts made free: what its month costs without them. Null of all others. */
    freeMonthNet: pence(),
    /** How often its payment was tried. */
    attempts: integer().notNull().default(0),
    /** When the provider tries again by itself; null where it does not, or no longer. */
    nextAttemptAt: instant(),
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
    index('provider_invoices_created').on(table.created, table.id),
    index('provider_invoices_customer').on(table.customerId, table.created),
    index('provider_invoices_subscription').on(table.subscriptionId, table.status, table.created),
    check('provider_invoices_tier', sql.raw(oneOfOrNull('tierSlug', tierSlugs))),
    check('provider_invoices_status', sql.raw(oneOf('status', paymentStatuses))),
  ],
)

export const refundStatuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const

/** The `reason` of what a bank took back by a dispute that was lost: no refund of ours, and the provider lists it as none. */
export const lostDisputeReason = 'dispute_lost'

export const providerRefunds = sqliteTable(
  'provider_refunds',
  {
    /** The provider's id, re_…. */
    id: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    providerInvoiceId: text()
      .notNull()
      .references(() => providerInvoices.id, { onDelete: 'restrict' }),
    /** Including VAT. */
    amount: pence().notNull(),
    status: text({ enum: refundStatuses }).notNull(),
    reason: text(),
    created: instant().notNull(),
    /** When we first read that it had failed; the provider stores no time for that. Null if it failed before we stored it. */
    failedAt: instant(),
  },
  (table) => [
    index('provider_refunds_invoice').on(table.providerInvoiceId, table.created),
    index('provider_refunds_customer').on(table.customerId),
    check('provider_refunds_status', sql.raw(oneOf('status', refundStatuses))),
  ],
)

/** How a customer pays: what may be shown of it, nothing that could be charged. */
export const paymentMethods = sqliteTable('payment_methods', {
  customerId: text()
    .primaryKey()
    .references(() => customers.id, { onDelete: 'restrict' }),
  /** The provider's id, pm_…. */
  stripePaymentMethodId: text().notNull(),
  /** `card`, `paypal`, … */
  type: text().notNull(),
  brand: text(),
  last4: text(),
  expMonth: integer(),
  expYear: integer(),
  updatedAt: instant().notNull(),
})

/** Every event of the provider by its id, so that a second delivery changes nothing. Its content is not stored: it names people. */
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
