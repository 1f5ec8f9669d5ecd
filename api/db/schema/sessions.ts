import { sql } from 'drizzle-orm'
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TokenScope } from '#shared/contract/auth.ts'
import { flag, id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/**
 * Logins. `expire` is the earlier of the idle and the absolute limit. `sid` is the keyed hash of the cookie's 256-bit token.
 * `sess` is this login's own data.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    sid: text().primaryKey(),
    sess: json<{ impersonating?: { userId: string; until: string } }>().notNull(),
    expire: instant().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    /** Written once an hour at most, so it's approximate. Null until the first request after logging in. */
    lastSeenAt: instant(),
    /** The browser, such as "Chrome on Android". Null if we don't recognise its user agent. */
    device: text(),
    /** When the password was last entered, by the wall clock. Null if a link or a first purchase logged them in. */
    provenAt: instant(),
    /** When the person last proved who they are after logging in. Null once used for a change of address. */
    provenAgainAt: instant(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expire').on(table.expire)],
)

const linkPurposes = ['password', 'join'] as const

/** One-time links. `token` is a hash. Only the latest unused row for an address and purpose counts. */
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

/** Browsers that have logged in before: the hash of their cookie, per account, and when they last did. */
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

const endingCauses = [
  'signed_out',
  'password',
  'address',
  'factor',
  'access',
  'removed',
  'surplus',
  'membership',
  'mailbox',
] as const
export type EndingCause = (typeof endingCauses)[number]

/**
 * Logins ended from another device or by deleting the account. When their device next asks, we tell it to delete its local data.
 * Rows are deleted once the login's cookie is too old to be sent.
 */
export const endedLogins = sqliteTable(
  'ended_logins',
  {
    sid: text().primaryKey(),
    endedAt: instant().notNull(),
    /** The reason, so the device can explain it. */
    cause: text({ enum: endingCauses }).notNull().default('signed_out'),
  },
  (table) => [index('ended_logins_at').on(table.endedAt)],
)

/** Hashed tokens of the terminal and other programs. */
export const apiTokens = sqliteTable(
  'api_tokens',
  {
    id: id(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    tokenHash: text().notNull().unique(),
    scopes: json<TokenScope[]>().notNull().default(['read', 'write']),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    /** As in `sessions`. Set when the terminal logs in. Null for a program's token until someone enters the password. */
    provenAt: instant(),
    provenAgainAt: instant(),
  },
  (table) => [index('api_tokens_user').on(table.userId)],
)
