import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { id, instant } from './columns.ts'
import { users } from './people.ts'

/**
 * A customer at the payment provider. It outlives the person: money rows hang on it, so that a removed member leaves an
 * anonymous stub (`removedAt`). Each sync takes the next ticket and writes only if none higher has written.
 */
export const customers = sqliteTable(
  'customers',
  {
    id: id(),
    /** Who buys through it. */
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    /** Who bought through it until the provider deleted it, or an owner linked another: its money is still theirs. */
    formerUserId: text().references(() => users.id, { onDelete: 'set null' }),
    stripeCustomerId: text().notNull().unique(),
    ticketTaken: integer().notNull().default(0),
    ticketWritten: integer().notNull().default(0),
    syncedAt: instant(),
    /** When its person was removed for ever. */
    removedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('customers_user').on(table.userId),
    // Hardly anybody has one. Without the condition, statistics would tell the planner that all have the same.
    index('customers_former_user').on(table.formerUserId).where(sql.raw('"formerUserId" is not null')),
  ],
)
