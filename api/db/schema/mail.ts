import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mailPurposes, mailStatuses } from '#shared/contract/mail.ts'
import type { DocumentSeries } from '#shared/rules/invoice-number.ts'
import { flag, id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/** A document attached to an email, rendered when the email is sent. A call is its `.ics`, a statement its month. */
export type MailAttachment = { kind: DocumentSeries | 'call' | 'statement'; id: string }

/** Outgoing email, written in its cause's transaction. `cause` is unique, so one cause sends one email. */
export const mailOutbox = sqliteTable(
  'mail_outbox',
  {
    id: id(),
    cause: text().notNull().unique(),
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    to: text().notNull(),
    /** The Reply-To address, unless it's the site's. */
    replyTo: text(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    attachment: json<MailAttachment>(),
    /** An optional email's purpose, which people can unsubscribe from. Null for email everyone gets. */
    purpose: text({ enum: mailPurposes }),
    /** Contains no one-time link, so we keep its text after a rejection for an owner to resend. */
    isRepeatable: flag(false),
    /** Stays the same on retries, so an email handed over twice is one message. */
    messageId: text().notNull(),
    status: text({ enum: mailStatuses }).notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant().notNull(),
    lastError: text(),
    createdAt: instant().notNull(),
    /** When its link or code stops working. Null if it has none, or one that lasts as long as any. */
    lapsesAt: instant(),
    /** When the mail server first refused it for what may be our fault, or last while it refused all our email. */
    senderRefusedAt: instant(),
    /** When an owner had it resent. The deadline for giving up counts from then. */
    resentAt: instant(),
    sentAt: instant(),
  },
  (table) => [
    // Waiting email, links first. However long the queue, the next one is the index's first entry.
    index('mail_outbox_due')
      .on(table.isRepeatable, table.nextAttemptAt, table.id)
      .where(sql.raw(`"status" in ('waiting', 'sending')`)),
    index('mail_outbox_status').on(table.status, table.id),
    index('mail_outbox_to').on(table.to, table.id),
    index('mail_outbox_user').on(table.userId),
    check('mail_outbox_status', sql.raw(oneOf('status', mailStatuses))),
  ],
)

export const suppressedAddresses = sqliteTable('suppressed_addresses', {
  address: text().primaryKey(),
  reason: text().notNull().default(''),
  since: instant().notNull(),
})
