import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { MailPurpose } from '#shared/contract/mail.ts'
import { noticeKinds } from '#shared/values/question-values.ts'
import { flag, id, instant, json, oneOf } from './columns.ts'
import type { MailAttachment } from './mail.ts'
import { users } from './people.ts'
import { sessions } from './sessions.ts'

/**
 * The site's own push keys, one row: the one secret kept here and not in the environment, so that a backup, a restore and a takeover
 * carry them. No list, export or import gives or takes it.
 */
export const pushKeys = sqliteTable(
  'push_keys',
  {
    id: integer().primaryKey(),
    publicKey: text().notNull(),
    privateKey: text().notNull(),
    createdAt: instant().notNull(),
  },
  () => [check('push_keys_one', sql.raw('"id" = 1'))],
)

/** A phone's address at its push service. It ends with its login. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    id: id(),
    sid: text()
      .notNull()
      .references(() => sessions.sid, { onDelete: 'cascade' }),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** When it was last renewed at an opening. */
    renewedAt: instant().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_endpoint').on(table.endpoint),
    index('push_subscriptions_user').on(table.userId, table.renewedAt),
    // A login is one browser, which has one address.
    uniqueIndex('push_subscriptions_session').on(table.sid),
  ],
)

/**
 * Which kinds a member wants. Without a row: none by push, and the email as ever. `byMail` is for answers and commitments:
 * a call's reminder is one of the emails that everyone can switch off, and the others always go.
 */
export const noticeChoices = sqliteTable(
  'notice_choices',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: noticeKinds }).notNull(),
    byPush: flag(false),
    byMail: flag(true),
    changedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.kind] }),
    index('notice_choices_push').on(table.kind, table.userId).where(sql.raw('"byPush"')),
    check('notice_choices_kind', sql.raw(oneOf('kind', noticeKinds))),
  ],
)

/** An email that waits on a notice, as the outbox takes it. Its cause is the notice's, its address the account's when it goes. */
export type WaitingMail = {
  subject: string
  text: string
  html: string
  attachment: MailAttachment | null
  purpose: MailPurpose | null
}

/** Something a member is told of once, by push, by email, or by both. `cause` is unique, and the email's too. */
export const notices = sqliteTable(
  'notices',
  {
    id: id(),
    cause: text().notNull().unique(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: noticeKinds }).notNull(),
    /** The page it opens, such as `/members/questions/…`. */
    path: text().notNull(),
    createdAt: instant().notNull(),
    /** When its pushes are sent: straight away, or when the quiet hours end. */
    dueAt: instant().notNull(),
    /** When the email goes unless it has been confirmed or opened. Null if no email waits on it. */
    mailAt: instant(),
    /** Null once it went, or needn't. */
    mail: json<WaitingMail>(),
    confirmedAt: instant(),
    openedAt: instant(),
    mailedAt: instant(),
    /** When nothing more is to be done for it. */
    endedAt: instant(),
  },
  (table) => [
    index('notices_user').on(table.userId, table.createdAt),
    index('notices_created').on(table.createdAt),
    index('notices_mail').on(table.mailAt).where(sql.raw('"endedAt" is null and "mailAt" is not null')),
    check('notices_kind', sql.raw(oneOf('kind', noticeKinds))),
  ],
)

export const pushStatuses = ['waiting', 'sent', 'gone', 'failed', 'expired'] as const

/** One notice to one phone. */
export const pushes = sqliteTable(
  'pushes',
  {
    noticeId: text()
      .notNull()
      .references(() => notices.id, { onDelete: 'cascade' }),
    subscriptionId: text()
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    status: text({ enum: pushStatuses }).notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull(),
    /** What the push service said, of a push that failed. */
    lastError: text(),
    sentAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.noticeId, table.subscriptionId] }),
    index('pushes_due').on(table.nextAttemptAt, table.noticeId).where(sql.raw(`"status" = 'waiting'`)),
    index('pushes_subscription').on(table.subscriptionId),
    check('pushes_status', sql.raw(oneOf('status', pushStatuses))),
  ],
)
