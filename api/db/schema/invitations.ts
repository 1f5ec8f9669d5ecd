import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant, personLine } from './columns.ts'
import { users } from './people.ts'
import { priceReference, tierReference } from './tiers.ts'

/** Invitations to become an owner, each for one address. Rows stay, as the record of who let whom in. */
export const ownerInvitations = sqliteTable(
  'owner_invitations',
  {
    id: id(),
    email: text().notNull(),
    tokenHash: text().notNull().unique(),
    /** Null if it was someone at the server's terminal, or if their account is gone. */
    invitedBy: text().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** Accepted, withdrawn or replaced by a newer one. */
    closedAt: instant(),
  },
  (table) => [index('owner_invitations_email').on(table.email)],
)

/** Invitations to join at a tier. The emailed link is signed, so it isn't here; whether it still works is. */
export const memberInvitations = sqliteTable(
  'member_invitations',
  {
    id: id(),
    email: text().notNull(),
    firstName: personLine().notNull(),
    lastName: personLine().notNull(),
    tierSlug: tierReference().notNull(),
    /** Null if they choose one of the tier's. */
    tierPriceId: priceReference(),
    /** Months before the first payment. */
    freeMonths: integer().notNull().default(0),
    invitedBy: text().references(() => users.id, { onDelete: 'set null' }),
    sentAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** Cancelled, or replaced by a newer one. */
    closedAt: instant(),
  },
  (table) => [
    index('member_invitations_email').on(table.email),
    check('member_invitations_months', sql.raw('"freeMonths" between 0 and 12')),
  ],
)
