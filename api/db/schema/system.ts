import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant, json, unknownJson } from './columns.ts'

/** One row per key; values are JSON. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: unknownJson().notNull(),
  updatedAt: instant().notNull(),
})

/** Who runs a job just now; an expired lease is free. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  expiresAt: instant().notNull(),
  lastRunAt: instant(),
  lastReport: json<unknown>(),
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
export const idempotencyResponses = sqliteTable(
  'idempotency_answers',
  {
    scope: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    status: integer().notNull(),
    answer: json<unknown>().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scope, table.key] }),
    index('idempotency_answers_created').on(table.createdAt),
  ],
)
