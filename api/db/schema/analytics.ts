import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { countKinds } from '#shared/contract/analytics.ts'
import { day, oneOf, pence } from './columns.ts'

/** Our own statistics: daily sums (London time), no visits, no people. The key's meaning depends on the kind. */
export const dailyCounts = sqliteTable(
  'daily_counts',
  {
    kind: text({ enum: countKinds }).notNull(),
    day: day().notNull(),
    key: text().notNull(),
    count: integer().notNull(),
    pence: pence().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.day, table.key] }),
    check('daily_counts_kind', sql.raw(oneOf('kind', countKinds))),
    check('daily_counts_key', sql.raw('length("key") <= 200')),
  ],
)
