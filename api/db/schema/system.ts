import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { incidentParts } from '#shared/contract/health.ts'
import { id, instant, json, unknownJson } from './columns.ts'

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: unknownJson().notNull(),
  updatedAt: instant().notNull(),
})

/** When something didn't work, for the history at `/health`. One without an end goes on. */
export const incidents = sqliteTable(
  'incidents',
  {
    id: id(),
    part: text({ enum: incidentParts }).notNull(),
    startedAt: instant().notNull(),
    endedAt: instant(),
  },
  (table) => [index('incidents_started').on(table.startedAt)],
)

/** Who is running a job. An expired lease is free. */
export const jobLeases = sqliteTable('job_leases', {
  name: text().primaryKey(),
  holder: text().notNull(),
  expiresAt: instant().notNull(),
  lastRunAt: instant(),
  lastReport: json<unknown>(),
})

/** Rate limits, such as failed logins of an account. In the database, so a restart doesn't reset them. */
export const limitHits = sqliteTable(
  'limit_hits',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** What's counted and for whom. Names and addresses are keyed hashes. */
    bucket: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [index('limit_hits_bucket').on(table.bucket, table.at), index('limit_hits_at').on(table.at)],
)

/** Responses kept for 7 days for an Idempotency-Key. */
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
