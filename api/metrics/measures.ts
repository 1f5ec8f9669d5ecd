import { existsSync, statSync } from 'node:fs'
import { count, inArray, min } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { waitingToWrite } from '#api/db/busy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { failedBackup, lastBackupAt } from '#api/features/operations/backup/jobs.ts'
import { readHealth } from '#api/features/operations/health/service.ts'
import { listJobs } from '#api/features/operations/jobs/service.ts'
import { healthLevel } from '#shared/rules/health.ts'
import { hasFailed } from '#shared/rules/job-report.ts'

/** What each scrape reads: sizes in bytes, ages in seconds, 1 for yes. Null if there's nothing to tell. */
export function readMeasures(ctx: Context) {
  const file = databaseFile(ctx.settings.dataDir)
  const mail = waitingMail(ctx)
  const { services } = readHealth(ctx)
  return {
    memory_bytes: process.memoryUsage.rss(),
    database_bytes: sizeOf(file),
    database_log_bytes: sizeOf(`${file}-wal`),
    write_queue: waitingToWrite(ctx.sqlite),
    mail_queue: mail.count,
    mail_queue_age_seconds: mail.oldest === null ? 0 : ageOf(ctx, mail.oldest),
    backup_age_seconds: ageOf(ctx, lastBackupAt(ctx)),
    backup_failed: failedBackup(ctx) === null ? 0 : 1,
    ...jobMeasures(ctx),
    part_up: Object.fromEntries(
      Object.entries(services).map(([part, status]) => [part, healthLevel(status ?? '') === 'bad' ? 0 : 1]),
    ),
  }
}

function jobMeasures(ctx: Context) {
  const jobs = listJobs(ctx)
  return {
    job_age_seconds: Object.fromEntries(jobs.map(({ name, lastRunAt }) => [name, ageOf(ctx, lastRunAt)])),
    job_interval_seconds: Object.fromEntries(jobs.map(({ name, everyMs }) => [name, everyMs / 1000])),
    job_failed: Object.fromEntries(jobs.map(({ name, lastReport }) => [name, hasFailed(lastReport) ? 1 : 0])),
  }
}

function waitingMail({ db }: Context) {
  const { waiting = 0, oldest = null } =
    db
      .select({ waiting: count(), oldest: min(mailOutbox.createdAt) })
      .from(mailOutbox)
      .where(inArray(mailOutbox.status, ['waiting', 'sending']))
      .get() ?? {}
  return { count: waiting, oldest }
}

const ageOf = ({ now }: Context, at: string | null) => (at === null ? null : (now().getTime() - Date.parse(at)) / 1000)

const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0)
