import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { checkedJson, flag, id, instant } from './columns.ts'
import { WaitingStart } from './next-payment.ts'
import { users } from './people.ts'

/**
 * A customer at Stripe. It outlives the person, because payments refer to it: a removed member leaves an anonymous row
 * (`removedAt`). Each sync takes the next ticket, and only writes if no higher ticket has.
 */
export const customers = sqliteTable(
  'customers',
  {
    id: id(),
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    /** Whose it was until Stripe deleted the customer, or an owner linked another. The payments are still theirs. */
    formerUserId: text().references(() => users.id, { onDelete: 'set null' }),
    stripeCustomerId: text().notNull().unique(),
    /** Their address at Stripe where it isn't the account's, until an owner says which one counts. Goes with the account. */
    emailAtStripe: text(),
    /** A membership that's set to begin later. Read while none goes on, because then a payment still comes. */
    waitingStart: checkedJson(WaitingStart),
    ticketTaken: integer().notNull().default(0),
    ticketWritten: integer().notNull().default(0),
    syncedAt: instant(),
    removedAt: instant(),
    /** Last read by a version that knew less of invoices. `invoices lint` says so. */
    waitsForReading: flag(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('customers_user').on(table.userId),
    // Partial, because hardly anyone has one: the statistics would count all those nulls as one key.
    index('customers_former_user').on(table.formerUserId).where(sql.raw('"formerUserId" is not null')),
  ],
)
