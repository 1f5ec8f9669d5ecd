import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mailPurposes, mailStatuses } from '#shared/contract/mail.ts'
import type { DocumentSeries } from '#shared/rules/invoice-number.ts'
import { flag, id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/** A document of ours that goes with a mail: named here, made when the mail is sent. A call is its `.ics`, a statement its month. */
export type MailAttachment = { kind: DocumentSeries | 'call' | 'statement'; id: string }

/** Mail to be sent, written in the transaction of its cause; `cause` is unique, so one cause sends one mail. */
export const mailOutbox = sqliteTable(
  'mail_outbox',
  {
    id: id(),
    cause: text().notNull().unique(),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    to: text().notNull(),
    /** Whom an answer goes to, where that is not the site. */
    replyTo: text(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    attachment: json<MailAttachment>(),
    /** What an optional mail is for: it says how to stop it. Null for mails that everybody gets. */
    purpose: text({ enum: mailPurposes }),
    /** Holds no one-time link: its text stays after a refusal, for an owner to send it again. */
    isRepeatable: flag(false),
    /** Kept over repeats, so that a mail handed over twice is one mail. */
    messageId: text().notNull(),
    status: text({ enum: mailStatuses }).notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull(),
    lastError: text(),
    createdAt: instant().notNull(),
    /** When an owner had it sent again; giving it up counts from then. */
    resentAt: instant(),
    sentAt: instant(),
  },
  (table) => [
    // What waits, links first: however many mails are queued, the next one is the index's first entry.
    index('mail_outbox_due')
      .on(table.isRepeatable, table.nextAttemptAt, table.id)
      .where(sql.raw(`"status" in ('waiting', 'sending')`)),
    index('mail_outbox_status').on(table.status, table.id),
    index('mail_outbox_to').on(table.to, table.id),
    index('mail_outbox_user').on(table.userId),
    check('mail_outbox_status', sql.raw(oneOf('status', mailStatuses))),
  ],
)

/** Addresses that an owner has stopped all mail to, and why. */
export const suppressedAddresses = sqliteTable('suppressed_addresses', {
  address: text().primaryKey(),
  reason: text().notNull().default(''),
  since: instant().notNull(),
})
