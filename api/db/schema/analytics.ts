import { sql } from 'drizzle-orm'
import { check, index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { analyticsEventNames } from '#shared/contract/analytics.ts'
import { id, instant, oneOf } from './columns.ts'

/** Our own counts: no cookie, no person. `value` is pounds. */
export const analyticsEvents = sqliteTable(
  'analytics_events',
  {
    id: id(),
    name: text({ enum: analyticsEventNames }).notNull(),
    path: text(),
    value: text(),
    currency: text().notNull().default('GBP'),
    detail: text(),
    at: instant().notNull(),
  },
  (table) => [
    index('analytics_events_name').on(table.name, table.at),
    check('analytics_events_name', sql.raw(oneOf('name', analyticsEventNames))),
  ],
)
