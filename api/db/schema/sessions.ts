import { sql } from 'drizzle-orm'
import { check, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TokenScope } from '#shared/contract/auth.ts'
import { flag, id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/** Logins. `expire` is the earlier of the idle and the absolute limit. `sid` is the keyed hash of the cookie's 256-bit token, `sess` what belongs to this login alone. */
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
    /** Rounded: written once an hour at most. Null until the first request after the login. */
    lastSeenAt: instant(),
    /** What the browser calls itself, such as "Chrome on Android"; null where it says nothing that we know. */
    device: text(),
    /** When the password was last given, by the wall clock; null where a link or a first purchase opened the login. */
    provenAt: instant(),
    /** When the person last showed again who they are, after the login; null once a change of address has used it. */
    provenAgainAt: instant(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expire').on(table.expire)],
)

const linkPurposes = ['password', 'join'] as const

/**
 * One-time links: to set a password, or to resume joining. `token` is a hash; only the newest unused row of an address and
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

/** Browsers that have logged in before: their own cookie's hash, per account, and when they last did. */
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
 * Logins that were ended from elsewhere, because the device was signed out or the account is gone. When that device asks
 * again, it is told to delete what it keeps. They go once the cookie of the login is too old to be sent.
 */
export const endedLogins = sqliteTable(
  'ended_logins',
  {
    sid: text().primaryKey(),
    endedAt: instant().notNull(),
    /** What the device is told, so that nobody takes it for a fault. */
    cause: text({ enum: endingCauses }).notNull().default('signed_out'),
  },
  (table) => [index('ended_logins_at').on(table.endedAt)],
)

/** Tokens of the terminal and of other programs, stored as hashes. */
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
    /** As of a session: at the terminal's login, null for a program's token until somebody gives the password. */
    provenAt: instant(),
    /** As of a session. */
    provenAgainAt: instant(),
  },
  (table) => [index('api_tokens_user').on(table.userId)],
)
