import { sql } from 'drizzle-orm'
import { type AnySQLiteColumn, check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mailPurposes } from '#shared/contract/mail.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { flag, id, instant, month, oneOf, oneOfOrNull, pence } from './columns.ts'

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
    /** When somebody first showed that the mailbox of `email` is theirs; null while nobody has. */
    emailProvenAt: instant(),
    firstName: text(),
    lastName: text(),
    phone: text(),
    businessName: text(),
    trade: text(),
    /** Where their photo is; null for none. It repeats the row in `member_photos`. */
    profileImageUrl: text(),
    isAdmin: flag(false),
    isMember: flag(false),
    membershipTier: text({ enum: tierSlugs }),
    stripeCustomerId: text(),
    stripeSubscriptionId: text(),
    membershipStartDate: instant(),
    /** Always null or a hash; passwords that people set live in `passwordHash`. */
    tempPassword: text(),
    /** A password was set. Without a `passwordHash`: it was removed since, and its person is told at their first code. */
    passwordChanged: flag(false),
    /** argon2id in PHC form; null until a password is set. */
    passwordHash: text(),
    resetToken: text(),
    resetTokenExpiry: instant(),
    /** The owners' word on access; it outranks the subscription. */
    accessOverride: text({ enum: accessOverrides }),
    /** When access that the owners gave ends, by the billing clock; null for no end. */
    accessUntil: instant(),
    /** Counts the changes of the owners' word on access. */
    accessVersion: integer().notNull().default(1),
    /** Counts the changes of the profile, the member's and the owners' alike. */
    version: integer().notNull().default(1),
    commissionPaid: flag(false),
    commissionPaidDate: instant(),
    lastCommissionMonth: month(),
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

/** Photos that people show of themselves. A row goes with the account, and is another one for another photo. */
export const memberPhotos = sqliteTable('member_photos', {
  id: id(),
  userId: text()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A small WebP in base64: copies for other programs are text. */
  content: text().notNull(),
  createdAt: instant().notNull(),
})

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
 * Changes of an account's address. A member's counts once `confirmedAt` is set, by the link in the mail to the new address; the
 * link in the mail to the old one takes it back for some days, until a membership is bought. An owner's counts straight away,
 * and its link to the old address only reports it. All tokens are hashes.
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
    /** When the payment provider was given the address that holds; null while it has to be. */
    providerToldAt: instant(),
    /** Only of an owner's change, and only where the old address was told. */
    reportHash: text().unique(),
    /** When the old address said that it isn't theirs. Until `decidedAt` nothing that signs in is mailed to the account. */
    reportedAt: instant(),
    /** When an owner kept the new address, or put the old one back. */
    decidedAt: instant(),
  },
  (table) => [index('email_changes_user').on(table.userId, table.requestedAt)],
)

/** Mails that a member does not want, by what they are for. */
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

/** Mails that a member has agreed to, of those that nobody gets otherwise. */
export const mailAgreements = sqliteTable(
  'mail_agreements',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: text({ enum: mailPurposes }).notNull(),
    at: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose] }),
    check('mail_agreements_purpose', sql.raw(oneOf('purpose', mailPurposes))),
  ],
)
