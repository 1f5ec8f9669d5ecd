import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant, json } from './columns.ts'
import { users } from './people.ts'

/**
 * Codes that were mailed to sign in with. There is one for an address that nobody has, too, so that nothing tells the two
 * apart; address, browser and code are keyed hashes. A row goes once it is used, replaced or over.
 */
export const signInCodes = sqliteTable(
  'sign_in_codes',
  {
    id: id(),
    account: text().notNull(),
    /** Of the cookie of the browser that asked: it has one code alive. */
    browser: text().notNull().unique(),
    code: text().notNull(),
    tries: integer().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (table) => [index('sign_in_codes_expires').on(table.expiresAt)],
)

/** Keys that a phone or computer holds and opens with a fingerprint, a face or its own code. Only the public half is here. */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What the device calls the key. */
    credentialId: text().notNull().unique(),
    publicKey: text().notNull(),
    /** Uses, as the device counts them: one that counts back is a copy. Always 0 where it does not count. */
    counter: integer().notNull(),
    transports: json<string[]>().notNull(),
    name: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [index('passkeys_user').on(table.userId, table.createdAt)],
)

/** Challenges that a passkey has answered: each is answered once. They are signed, and go when they are over. */
export const usedChallenges = sqliteTable(
  'used_challenges',
  { challenge: text().primaryKey(), expiresAt: instant().notNull() },
  (table) => [index('used_challenges_expires').on(table.expiresAt)],
)

/** An owner's authenticator app. It counts once `confirmedAt` is set, by the first code that was right. */
export const authenticators = sqliteTable('authenticators', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Sealed with a key that is not in the database. */
  secret: text().notNull(),
  /** The step of the last code that was accepted: no code counts twice. */
  lastStep: integer().notNull().default(0),
  createdAt: instant().notNull(),
  confirmedAt: instant(),
})

/** What an owner keeps on paper for the day the phone is gone: keyed hashes, each deleted when it is used. */
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
