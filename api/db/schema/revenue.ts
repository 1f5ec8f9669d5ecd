import { sql } from 'drizzle-orm'
import { check, index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { revenueMovements } from '#shared/contract/revenue.ts'
import { checkedJson, flag, id, instant, month, oneOf, pence } from './columns.ts'
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
