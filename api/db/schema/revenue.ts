import { sql } from 'drizzle-orm'
import { check, index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { revenueMovements } from '#shared/contract/revenue.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { checkedJson, id, instant, month, oneOf, pence } from './columns.ts'
import { customers } from './customers.ts'
import { subscriptions } from './subscriptions.ts'

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
    month: month().notNull(),
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

/** A month's figures as they were when it was frozen, by name, such as `closing`, `lite.customers`, `invoiced.vat`. */
const RevenueFigures = v.record(v.string(), v.number())
export type RevenueFigures = v.InferOutput<typeof RevenueFigures>

/** Revenue of a month, frozen when it ends in Europe/London. */
export const revenueMonths = sqliteTable('revenue_months', {
  month: month().primaryKey(),
  figures: checkedJson(RevenueFigures).notNull(),
  frozenAt: instant().notNull(),
})
