import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { errorMessage } from '#api/log.ts'
import { BackupSchedule } from '#shared/contract/backup.ts'
import type { HealthStatus } from '#shared/contract/health.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { londonClock, londonDay } from '#shared/rules/london.ts'

const scheduleKey = 'backup_schedule'
const lastKey = 'backup_last'
const failedKey = 'backup_failed'

const LastBackup = v.object({ day: v.string(), file: v.string() })
const FailedBackup = v.object({ day: v.string(), reason: v.string() })

export function readSchedule(ctx: HasDb): BackupSchedule | null {
  const parsed = v.safeParse(BackupSchedule, readSetting(ctx, scheduleKey)?.value)
  return parsed.success ? parsed.output : null
}

export const writeSchedule = (ctx: Context, schedule: BackupSchedule | null) =>
  writeSetting(ctx, scheduleKey, schedule ?? false)

/** The last scheduled one; null before the first. */
export function lastBackup(ctx: HasDb): v.InferOutput<typeof LastBackup> | null {
  const parsed = v.safeParse(LastBackup, readSetting(ctx, lastKey)?.value)
  return parsed.success ? parsed.output : null
}

/** The scheduled one that failed; null once one has been made since, and before the first. */
export function failedBackup(ctx: HasDb): v.InferOutput<typeof FailedBackup> | null {
  const parsed = v.safeParse(FailedBackup, readSetting(ctx, failedKey)?.value)
  return parsed.success ? parsed.output : null
}

/** How the nightly backup is: undefined where none is scheduled. */
export function nightlyStatus(ctx: HasDb): HealthStatus | undefined {
  if (readSchedule(ctx) === null) return undefined
  if (failedBackup(ctx) !== null) return 'missing'
  return lastBackup(ctx) === null ? 'configured' : 'alive'
}

/**
 * Once a day in London, at the first look after the hour that owners set: a night in which the clocks change has one too. Cut off,
 * it begins again under the same name.
 */
export async function backUp(ctx: Context): Promise<JobReport> {
  const schedule = readSchedule(ctx)
  if (schedule === null || ctx.sqlite.memory) return { scheduled: false }
  const now = ctx.now()
  const day = londonDay(now)
  if (lastBackup(ctx)?.day === day || londonClock(now) < schedule.at) return { scheduled: true, made: 0 }
  try {
    return await makeNightly(ctx, schedule, day)
  } catch (error) {
    recordFailure(ctx, day, error)
    throw error
  }
}

/** The job's own report does not tell for long: before the hour of the next night, it has nothing to do. */
function recordFailure(ctx: Context, day: string, error: unknown): void {
  try {
    writeSetting(ctx, failedKey, { day, reason: errorMessage(error) })
  } catch (unstored) {
    ctx.log.warn('failure of the nightly backup not stored', { reason: errorMessage(unstored) })
  }
}

async function makeNightly(ctx: Context, schedule: BackupSchedule, day: string): Promise<JobReport> {
  const { folder, keep, passphraseFile } = schedule
  // Loaded once a night at most: a start of the server needs none of it.
  const [{ createBackup }, { pruneBackups }] = await Promise.all([
    import('./create-service.ts'),
    import('./read-service.ts'),
  ])
  const passphrase = passphraseFile === null ? null : readPassphrase(passphraseFile)
  const { file, bytes, leftOut } = await createBackup(ctx, {
    ...{ folder, passphrase, isMediaApart: true },
    name: `alliance-${day}-nightly`,
  })
  // What somebody made by hand is theirs to delete.
  const { deleted } = await pruneBackups(folder, { rule: keep, isDryRun: false, passphrase, only: /-nightly\.[a-z]+$/ })
  writeSetting(ctx, lastKey, { day, file })
  if (failedBackup(ctx) !== null) writeSetting(ctx, failedKey, false)
  return { scheduled: true, made: 1, bytes, leftOut: leftOut.length, deleted: deleted.length }
}

export function readPassphrase(path: string): string {
  const passphrase = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (passphrase === '') throw new Error(`${path} holds no passphrase.`)
  return passphrase
}
