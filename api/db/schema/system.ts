import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { mailStatuses } from '#shared/contract/mail.ts'
import { flag, id, instant, oneOf } from './columns.ts'
import { users } from './people.ts'

/** One row per key; values are JSON. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text({ mode: 'json' }).$type<unknown>().notNull(),
  updatedAt: instant().notNull(),
})

/** A document of ours that goes with a mail: named here, made when the mail is sent. */
export type MailAttachment = { kind: 'invoice' | 'credit_note'; id: string }

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
    attachment: text({ mode: 'json' }).$type<MailAttachment>(),
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
    index('mail_outbox_due').on(table.status, table.nextAttemptAt),
    index('mail_outbox_status').on(table.status, table.id),
    index('mail_outbox_to').on(table.to, table.id),
    index('mail_outbox_user').on(table.userId),
    check('mail_outbox_status', sql.raw(oneOf('status', mailStatuses))),
  ],
)

/** Who did what to whom. Rows outlive the people they name. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: id(),
    /** `user:ID`, `local:NAME` of the terminal, or `system`. */
    actor: text().notNull(),
    action: text().notNull(),
    targetId: text(),
    detail: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    at: instant().notNull(),
  },
  (table) => [index('audit_entries_at').on(table.at), index('audit_entries_target').on(table.targetId, table.at)],
)

/** Who runs a job just now; an expired lease is free. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  expiresAt: instant().notNull(),
  lastRunAt: instant(),
  lastReport: text({ mode: 'json' }).$type<unknown>(),
})

/** Counted happenings, such as wrong logins of an account: kept here so that a restart forgets nothing. */
export const limitHits = sqliteTable(
  'limit_hits',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** What is counted, and for whom: names and addresses go in as keyed hashes. */
    bucket: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [index('limit_hits_bucket').on(table.bucket, table.at), index('limit_hits_at').on(table.at)],
)

/** Answers kept for an Idempotency-Key, 7 days. */
export const idempotencyAnswers = sqliteTable(
  'idempotency_answers',
  {
    scope: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    status: integer().notNull(),
    answer: text({ mode: 'json' }).$type<unknown>().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_answers_created').on(table.createdAt),
  ],
)
