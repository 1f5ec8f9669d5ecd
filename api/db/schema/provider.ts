import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TierSlug } from '#shared/contract/tier.ts'
import { toldTypes } from '#shared/rules/credit.ts'
import { creditAnswers } from '#shared/values/column-values.ts'
import { day, flag, instant, json, oneOf, oneOfOrNull, pence } from './columns.ts'
import { customers } from './customers.ts'
import { subscriptions } from './subscriptions.ts'
import { tierReference } from './tiers.ts'

export const paymentStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const

/** Amounts are pence. `net` and `vat` are the line's totals, `rate` is per cent. */
export type InvoiceLine = {
  description: string
  quantity: number
  unitPrice: number
  net: number
  rate: number
  vat: number
  /** Covers a subscription period, not something charged along with it. */
  isPeriod?: boolean
  /** Of our own invoice: how long that period is, where it isn't a month. */
  months?: number
  days?: number
  /** Covers the rest of a period. Negative if it credits what was already paid for it. */
  isProration?: boolean
  /** The line's tier. Left out if the price isn't one of ours, such as an add-on's. */
  tierSlug?: TierSlug
  /** Stripe named no tax rate, or charged none of it, so its VAT is inside what was paid. */
  isUntaxed?: boolean
}

/** What of an invoice's line a credit note takes off. */
export type CreditedLine = Pick<InvoiceLine, 'description' | 'net' | 'rate' | 'vat' | 'tierSlug'>

/** Paid for more than a month. */
export const isForLonger = `julianday("periodEnd") - julianday("periodStart") > 32`

/** Stripe's invoice. Ours, the legal one, is in `invoices`. */
export const providerInvoices = sqliteTable(
  'provider_invoices',
  {
    /** Stripe's id, in_…. */
    id: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    subscriptionId: text().references(() => subscriptions.id, { onDelete: 'restrict' }),
    status: text({ enum: paymentStatuses }).notNull(),
    /** subscription_create, subscription_cycle, … */
    billingReason: text(),
    /** What's charged, line by line, excluding VAT. */
    lines: json<InvoiceLine[]>().notNull().default([]),
    quotientOrderId: text(),
    /** Paid before its subscription was adopted: no VAT invoice, commission or email of ours. */
    isHistory: flag(false),
    /** For the rest of a period at another tier, separate from renewals. */
    isUpgrade: flag(false),
    /** For a renewal that discounts made free: what the month normally costs. Otherwise null. */
    freeMonthNet: pence(),
    /** A draft that a pause of payments kept. Only an owner collects or voids it, at Stripe. */
    isKept: flag(false),
    attempts: integer().notNull().default(0),
    /** Stripe's next automatic retry. Null if there's none. */
    nextAttemptAt: instant(),
    tierSlug: tierReference(),
    net: pence().notNull(),
    vat: pence().notNull(),
    total: pence().notNull(),
    amountPaid: pence().notNull(),
    /** What was paid from balance that came from money. It pays for the supply as a card does. */
    fromCredit: pence().notNull().default(0),
    /**
     * What Stripe still asks of one that's neither paid nor void, after credit and with a debt from before; a draft's is by the
     * balance when it was read. Null for any other: then it's the total.
     */
    due: pence(),
    /** Stripe's type of what paid it, such as card. Null if it took several, or was paid outside Stripe. */
    paidBy: text(),
    /** Read before credit counted as a payment: its VAT invoice is issued only when an owner asks for missing ones. */
    waitsForFix: flag(false),
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
    index('provider_invoices_long').on(table.paidAt).where(sql.raw(isForLonger)),
    check('provider_invoices_status', sql.raw(oneOf('status', paymentStatuses))),
  ],
)

export const refundStatuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const

/** The `reason` of money a bank took back through a lost dispute. We didn't refund it, and Stripe doesn't list it as a refund. */
export const lostDisputeReason = 'dispute_lost'

export const providerRefunds = sqliteTable(
  'provider_refunds',
  {
    /** Stripe's id, re_…. */
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
    /** What it credits, in proportion, where a credit note or an invoice below nought names lines. Null: all its invoice's. */
    lines: json<CreditedLine[]>(),
    created: instant().notNull(),
    /** When we first saw that it failed, as Stripe stores no time. Null if it had failed before we stored it. */
    failedAt: instant(),
    /** Made before credit notes at Stripe were read: ours is issued only when an owner asks for missing documents, without a mail. */
    waitsForFix: flag(false),
  },
  (table) => [
    index('provider_refunds_invoice').on(table.providerInvoiceId, table.created),
    index('provider_refunds_customer').on(table.customerId),
    check('provider_refunds_status', sql.raw(oneOf('status', refundStatuses))),
  ],
)

/** What owners may have something to say about: `toName` decides. */
export const isCreditToName = sql.raw(
  `"money" is null and "type" not in (${toldTypes.map((type) => `'${type}'`).join(', ')}) and not ("type" = 'applied_to_invoice' and "amount" > 0)`,
)

/** What moved a customer's balance at Stripe. Negative is credit. */
export const customerCredits = sqliteTable(
  'customer_credits',
  {
    /** Stripe's id, cbtxn_…. */
    id: text().primaryKey(),
    customerId: text()
      .notNull()
      .references(() => customers.id, { onDelete: 'restrict' }),
    type: text().notNull(),
    amount: pence().notNull(),
    /** How much of it is money, where the payment it gives back tells. The rest is goodwill. Null: its type tells, or an owner. */
    money: pence(),
    /** Stripe's id of the invoice it came from or went into. */
    invoice: text(),
    created: instant().notNull(),
    /** What an owner said it was. */
    answer: text({ enum: creditAnswers }),
  },
  (table) => [
    index('customer_credits_customer').on(table.customerId),
    index('customer_credits_to_name').on(table.customerId).where(isCreditToName),
    check('customer_credits_answer', sql.raw(oneOfOrNull('answer', creditAnswers))),
  ],
)

/** All that moved our balance at Stripe, in the order of its days. Amounts are signed: a refund, a fee or a payout takes off. */
export const balanceTransactions = sqliteTable(
  'balance_transactions',
  {
    /** Stripe's id, txn_…. */
    id: text().primaryKey(),
    /** Stripe's type; for an adjustment its reporting category, such as `dispute`. */
    kind: text().notNull(),
    amount: pence().notNull(),
    fee: pence().notNull(),
    /** When it may be paid out. */
    availableOn: day().notNull(),
    createdOn: day().notNull(),
    /** The charge, refund, dispute or payout behind it. */
    source: text(),
  },
  (table) => [index('balance_transactions_day').on(table.createdOn, table.kind, table.amount, table.fee)],
)

/** How a customer pays: only what may be shown, nothing that could be charged. */
export const paymentMethods = sqliteTable('payment_methods', {
  customerId: text()
    .primaryKey()
    .references(() => customers.id, { onDelete: 'restrict' }),
  /** Stripe's id, pm_…. */
  stripePaymentMethodId: text().notNull(),
  type: text().notNull(),
  brand: text(),
  last4: text(),
  expMonth: integer(),
  expYear: integer(),
  updatedAt: instant().notNull(),
})

/** Ids of Stripe's events, so a second delivery has no effect. We don't store their content, because it names people. */
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
