import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant, json } from './columns.ts'
import { users } from './people.ts'

/**
 * Emailed login codes. An unknown address gets a row too, so the two can't be told apart. Address, browser and code are keyed
 * hashes. Rows are deleted when they're used, replaced or expired.
 */
export const signInCodes = sqliteTable(
  'sign_in_codes',
  {
    id: id(),
    account: text().notNull(),
    /** Hash of the requesting browser's cookie, which has one live code at a time. */
    browser: text().notNull().unique(),
    code: text().notNull(),
    tries: integer().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (table) => [index('sign_in_codes_expires').on(table.expiresAt)],
)

/** Passkeys. We only have the public key. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    /** Signature counter. A lower one than before means a copied key. Always 0 if the device doesn't count. */
    counter: integer().notNull(),
    transports: json<string[]>().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [index('passkeys_user').on(table.userId, table.createdAt)],
)

/** Challenges a passkey has answered, so each is answered once. Challenges are signed, and rows go when they expire. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  { challenge: text().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('used_challenges_expires').on(table.expiresAt)],
)

/** An owner's authenticator app. It's active once `confirmedAt` is set, by the first correct code. */
export const authenticators = sqliteTable('authenticators', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Encrypted with a key that isn't in the database. */
  secret: text().notNull(),
  /** The time step of the last accepted code, so no code works twice. */
  lastStep: integer().notNull().default(0),
  createdAt: instant().notNull(),
  confirmedAt: instant(),
})

/** An owner's recovery codes: keyed hashes, each deleted when it's used. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    code: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.code] })],
)
