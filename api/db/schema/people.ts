import { sql } from 'drizzle-orm'
import { type AnySQLiteColumn, check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mailPurposes } from '#shared/contract/mail.ts'
import { flag, id, instant, month, oneOf, oneOfOrNull, pence, personLine } from './columns.ts'
import { tierReference } from './tiers.ts'

const accessOverrides = ['granted', 'revoked'] as const

/**
 * People. `membershipTier`, `isMember`, `stripe…` and `membershipStartDate` are copies of the subscription's rows, written only
 * by the customer sync. `resetToken…` copies `password_resets`, `commission…` the ledger. No rule reads the copies.
 */
export const users = sqliteTable(
  'users',
  {
    id: id(),
    /** Trimmed and lower case. */
    email: text().notNull().unique(),
    /** When someone first proved that the mailbox is theirs. Null if no one has. */
    emailProvenAt: instant(),
    firstName: personLine(),
    lastName: personLine(),
    phone: personLine(),
    businessName: personLine(),
    trade: personLine(),
    /** Address of their photo, or null. A copy of what `member_photos` says. */
    profileImageUrl: text(),
    isAdmin: flag(false),
    isMember: flag(false),
    membershipTier: tierReference(),
    stripeCustomerId: text(),
    stripeSubscriptionId: text(),
    membershipStartDate: instant(),
    /** Always null or a hash. Passwords people set are in `passwordHash`. */
    tempPassword: text(),
    /** A password was set. If there's no `passwordHash`, it was removed since, and we say so at their next login by code. */
    passwordChanged: flag(false),
    /** argon2id in PHC format. Null until a password is set. */
    passwordHash: text(),
    resetToken: text(),
    resetTokenExpiry: instant(),
    /** The owners' decision on access. It outranks the subscription. */
    accessOverride: text({ enum: accessOverrides }),
    /** When access the owners gave ends, by the billing clock. Null for no end. */
    accessUntil: instant(),
    /** The tier of free access given to someone who'd paid elsewhere. Null for the tier they last paid for here. */
    accessTier: tierReference(),
    accessVersion: integer().notNull().default(1),
    version: integer().notNull().default(1),
    commissionPaid: flag(false),
    commissionPaidDate: instant(),
    lastCommissionMonth: month(),
    commissionAmount: pence(),
    lastSeenAt: instant(),
    /** An owner was in the admin last, not in the members' area, so their next login leads back there. */
    lastInAdmin: flag(false),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  () => [check('users_override', sql.raw(oneOfOrNull('accessOverride', accessOverrides)))],
)

/**
 * What each person is found by, folded: the words of their account and of the owners' notes about them. Written by the triggers of
 * `person-texts.ts`. `people_found` indexes it; it's a virtual table, so it's in the migrations alone.
 */
export const personTexts = sqliteTable(
  'person_texts',
  {
    /** Stays through a vacuum, which gives the rows of `users` other numbers. */
    id: integer().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    text: text().notNull(),
    /** The digits of each column, with `|` between. */
    digits: text().notNull(),
    /** A row is never changed. What it said before is found no more, and deleted within hours: that takes longer than a change may. */
    isOld: flag(false),
  },
  (table) => [
    index('person_texts_user').on(table.userId),
    index('person_texts_old').on(table.id).where(sql.raw('"isOld" = 1')),
  ],
)

const ownerRoles = ['owner', 'simple_admin'] as const

/** Addresses that were ever configured as an owner's. We never create their account twice, even after it's been deleted. */
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

/** People's profile photos. A new photo is a new row. Deleting the account deletes it. */
export const memberPhotos = sqliteTable('member_photos', {
  id: id(),
  userId: text()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A small WebP in base64, because exports for other programs are text. */
  content: text().notNull(),
  createdAt: instant().notNull(),
})

/** A member's address for VAT invoices. */
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
 * Changes of an account's email address. A member's change takes effect once `confirmedAt` is set, by the link emailed to the new
 * address. For some days the link emailed to the old address reverts it, until a membership is bought. An owner's change takes
 * effect straight away, and the link to the old address only reports it. All tokens are hashes.
 */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    fromEmail: text().notNull(),
    toEmail: text().notNull(),
    confirmHash: text().notNull().unique(),
    undoHash: text().unique(),
    requestedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    confirmedAt: instant(),
    undoneAt: instant(),
    /** When we gave Stripe the current address. Null while that's still to do. */
    providerToldAt: instant(),
    /** Only for an owner's change, if the old address was notified. */
    reportHash: text().unique(),
    /** When the old address reported the change. Until `decidedAt` we email no logins to the account. */
    reportedAt: instant(),
    /** When an owner confirmed the new address or restored the old one. */
    decidedAt: instant(),
  },
  (table) => [index('email_changes_user').on(table.userId, table.requestedAt)],
)

export const mailOptOuts = sqliteTable(
  'mail_opt_outs',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: mailPurposes }).notNull(),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    check('mail_opt_outs_purpose', sql.raw(oneOf('purpose', mailPurposes))),
  ],
)

export const mailAgreements = sqliteTable(
  'mail_agreements',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: mailPurposes }).notNull(),
    at: instant().notNull(),
    /** Where they agreed, if it wasn't here: the file they were moved in from. */
    source: text(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    check('mail_agreements_purpose', sql.raw(oneOf('purpose', mailPurposes))),
  ],
)
