import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, oneOf, oneOfOrNull, pence } from './columns.ts'

const accessOverrides = ['granted', 'revoked'] as const

/**
 * People. `membershipTier`, `isMember`, `stripe…`, `membershipStartDate` repeat the subscription's rows and are rewritten by
 * the customer sync alone; `resetToken…` repeats `password_resets`, `commission…` the ledger. No rule reads the repeats.
 */
export const users = sqliteTable(
  'users',
  {
    id: id(),
    /** Trimmed and in lower case. */
    email: text().notNull().unique(),
    firstName: text(),
    lastName: text(),
    phone: text(),
    businessName: text(),
    trade: text(),
    profileImageUrl: text(),
    isAdmin: flag(false),
    isMember: flag(false),
    membershipTier: text({ enum: tierSlugs }),
    stripeCustomerId: text(),
    stripeSubscriptionId: text(),
    membershipStartDate: instant(),
    /** Always null or a hash; passwords that people set live in `passwordHash`. */
    tempPassword: text(),
    passwordChanged: flag(false),
    /** argon2id in PHC form; null until a password is set. */
    passwordHash: text(),
    resetToken: text(),
    resetTokenExpiry: instant(),
    /** The owners' word on access; it outranks the subscription. */
    accessOverride: text({ enum: accessOverrides }),
    commissionPaid: flag(false),
    commissionPaidDate: instant(),
    lastCommissionMonth: text(),
    commissionAmount: pence(),
    lastSeenAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  () => [
    check('users_override', sql.raw(oneOfOrNull('accessOverride', accessOverrides))),
    check('users_tier', sql.raw(oneOfOrNull('membershipTier', tierSlugs))),
  ],
)

/** Logins. `sid` is the keyed hash of the cookie's 256-bit token, `sess` what belongs to this login alone. */
export const sessions = sqliteTable(
  'sessions',
  {
    sid: text().primaryKey(),
    sess: text({ mode: 'json' }).$type<{ impersonating?: { userId: string; until: string } }>().notNull(),
    expire: instant().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expire').on(table.expire)],
)

const linkPurposes = ['password', 'join'] as const

/**
 * One-time links: to set a password, or to go on joining. `token` is a hash; only the newest unused row of an address and
 * purpose counts.
 */
export const passwordResets = sqliteTable(
  'password_resets',
  {
    id: id(),
    email: text().notNull(),
    purpose: text({ enum: linkPurposes }).notNull().default('password'),
    token: text().notNull().unique(),
    expiresAt: instant().notNull(),
    used: flag(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    index('password_resets_email').on(table.email, table.createdAt),
    check('password_resets_purpose', sql.raw(oneOf('purpose', linkPurposes))),
  ],
)

/** Browsers that have logged in before: their own cookie's hash, per account. */
export const knownDevices = sqliteTable(
  'known_devices',
  {
    tokenHash: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenHash, table.userId] }), index('known_devices_user').on(table.userId)],
)

/** Tokens of the terminal, stored as hashes. */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    tokenHash: text().notNull().unique(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index('api_tokens_user').on(table.userId)],
)

const ownerRoles = ['owner', 'simple_admin'] as const

/** Addresses that were ever configured as an owner's: never made a second time, even after the account is gone. */
export const ownerAddresses = sqliteTable(
  'owner_addresses',
  {
    role: text({ enum: ownerRoles }).notNull(),
    email: text().notNull(),
    userId: text().references((): AnySQLiteColumn => users.id, { onDelete: 'set null' }),
    recordedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.role, table.email] }),
    check('owner_addresses_role', sql.raw(oneOf('role', ownerRoles))),
  ],
)

/** Where a member's VAT invoices go. */
export const addresses = sqliteTable('addresses', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  line1: text().notNull(),
  line2: text(),
  town: text().notNull(),
  postcode: text().notNull(),
  country: text().notNull().default('GB'),
  updatedAt: instant().notNull(),
})

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
    /** Whose it was until the provider had it no more: nothing is sold on it, its money is still his. */
    formerUserId: text().references(() => users.id, { onDelete: 'set null' }),
    stripeCustomerId: text().notNull().unique(),
    ticketTaken: integer().notNull().default(0),
    ticketWritten: integer().notNull().default(0),
    syncedAt: instant(),
    /** When its person was removed for ever. */
    removedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [uniqueIndex('customers_user').on(table.userId), index('customers_former_user').on(table.formerUserId)],
)
