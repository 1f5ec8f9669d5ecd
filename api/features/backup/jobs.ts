import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { BackupSchedule } from '#shared/contract/backup.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { londonClock, londonDay } from '#shared/rules/london.ts'

const scheduleKey = 'backup_schedule'
const lastKey = 'backup_last'

const LastBackup = v.object({ day: v.string(), file: v.string() })

export function readSchedule(ctx: Context): BackupSchedule | null {
  const parsed = v.safeParse(BackupSchedule, readSetting(ctx, scheduleKey)?.value)
  return parsed.success ? parsed.output : null
}

export const writeSchedule = (ctx: Context, schedule: BackupSchedule | null) =>
  writeSetting(ctx, scheduleKey, schedule ?? false)

/** The last scheduled one; null before the first. */
export function lastBackup(ctx: Context): v.InferOutput<typeof LastBackup> | null {
  const parsed = v.safeParse(LastBackup, readSetting(ctx, lastKey)?.value)
  return parsed.success ? parsed.output : null
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
  const { folder, keep, passphraseFile } = schedule
  // Loaded once a night at most: a start of the server needs none of it.
  const [{ createBackup }, { pruneBackups }] = await Promise.all([
    import('./create-service.ts'),
    import('./read-service.ts'),
  ])
  const passphrase = passphraseFile === null ? null : readPassphrase(passphraseFile)
  const { file, bytes } = await createBackup(ctx, {
    ...{ folder, passphrase, isMediaApart: true },
    name: `alliance-${day}-nightly`,
  })
  // What somebody made by hand is theirs to delete.
  const { deleted } = await pruneBackups(folder, { rule: keep, isDryRun: false, passphrase, only: /-nightly\.[a-z]+$/ })
  writeSetting(ctx, lastKey, { day, file })
  return { scheduled: true, made: 1, bytes, deleted: deleted.length }
}

export function readPassphrase(path: string): string {
  const passphrase = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (passphrase === '') throw new Error(`${path} holds no passphrase.`)
  return passphrase
}
