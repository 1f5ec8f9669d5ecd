import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { revenueMovements } from '#shared/contract/revenue.ts'
import { checkedJson, flag, id, instant, month, oneOf, pence, requiredFlag } from './columns.ts'
import { customers } from './customers.ts'
import { subscriptions } from './subscriptions.ts'
import { tierReference } from './tiers.ts'

/** Append-only: each change of what a customer brings in, from `beforeYearly` to `afterYearly` pence a year excluding VAT. */
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
    /** The tier after the change, or the last one if they left. */
    tierSlug: tierReference().notNull(),
    /** The tier before the change. Null if they weren't counted. */
    tierBefore: tierReference(),
    beforeYearly: pence().notNull(),
    afterYearly: pence().notNull(),
    /** When it took effect at Stripe, but never inside a month that's already closed. */
    at: instant().notNull(),
    /** YYYY-MM of `at` in Europe/London. */
    month: month().notNull(),
    /** From before the subscription was adopted: Stripe's record, not ours. */
    isHistory: flag(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('revenue_changes_month').on(
      table.month,
      table.kind,
      table.tierSlug,
      table.tierBefore,
      table.beforeYearly,
      table.afterYearly,
    ),
    index('revenue_changes_customer').on(table.customerId, table.id),
    check('revenue_changes_kind', sql.raw(oneOf('kind', revenueMovements))),
  ],
)

/** A month's figures when it was closed, by name, such as `closing`, `lite.customers`, `invoiced.vat`. */
const RevenueFigures = v.record(v.string(), v.number())
export type RevenueFigures = v.InferOutput<typeof RevenueFigures>

/** A month's revenue, closed when the month ends in Europe/London. */
export const revenueMonths = sqliteTable('revenue_months', {
  month: month().primaryKey(),
  figures: checkedJson(RevenueFigures).notNull(),
  frozenAt: instant().notNull(),
})

const sum = () => pence().notNull().default(0)
const counted = () => integer().notNull().default(0)

/*
 * Sums kept by triggers, so that a report reads some rows where it would add up millions. Each is what its view `whole_…` says,
 * in every history; `doctor` compares them. Its slug is '' where something is of no tier: no slug is empty.
 */

/** What was issued, credited and earned, and who was lost, a month and tier. Credit, commission and people are of no tier. */
export const monthSums = sqliteTable(
  'month_sums',
  {
    month: month().notNull(),
    tierSlug: text().notNull(),
    /** Invoices by tax point, and their sums. */
    issued: counted(),
    net: sum(),
    vat: sum(),
    creditedNet: sum(),
    creditedVat: sum(),
    /** Of what was issued since the last month was closed, less credit: an earlier month's is late. */
    sinceNet: sum(),
    sinceVat: sum(),
    commission: sum(),
    /** Customers who left, each once. */
    lost: counted(),
  },
  (table) => [primaryKey({ columns: [table.month, table.tierSlug] })],
)

/** Changes of revenue of one kind, by the tiers after and before. */
export const movementSums = sqliteTable(
  'movement_sums',
  {
    month: month().notNull(),
    kind: text({ enum: revenueMovements }).notNull(),
    tierSlug: text().notNull(),
    tierBefore: text().notNull(),
    changes: counted(),
    beforeYearly: sum(),
    afterYearly: sum(),
    /** How many of them counted before and after. */
    countedBefore: counted(),
    countedAfter: counted(),
    historyYearly: sum(),
  },
  (table) => [primaryKey({ columns: [table.month, table.kind, table.tierSlug, table.tierBefore] })],
)

/** Subscriptions as they are now. What counts towards MRR, `mrrRule` says. */
export const subscriptionSums = sqliteTable(
  'subscription_sums',
  {
    status: text({ enum: subscriptionStatuses }).notNull(),
    tierSlug: text().notNull(),
    /** Their collection is. */
    isPaused: requiredFlag(),
    subscriptions: counted(),
    yearlyNet: sum(),
    paying: counted(),
    /** Leaves out members whose next payment is free. */
    nextYearlyNet: sum(),
  },
  (table) => [primaryKey({ columns: [table.status, table.tierSlug, table.isPaused] })],
)
