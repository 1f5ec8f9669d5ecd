import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { lastJump } from '#api/features/earnings/revenue/jump-service.ts'
import { errorMessage } from '#api/log.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { BackupSchedule } from '#shared/contract/backup.ts'
import type { HealthStatus } from '#shared/contract/health.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { londonClock } from '#shared/rules/london.ts'
import { type Nightly, nightlyMissingSince, nightToMake } from '#shared/rules/nightly-backup.ts'

const scheduleKey = 'backup_schedule'
/** Its `updatedAt` is when the hour last changed. */
const hourKey = 'backup_hour'
const lastKey = 'backup_last'
const failedKey = 'backup_failed'
const nightliesKey = 'backup_nightlies'
const storedKey = 'backup_stored'

const LastBackup = v.object({ day: v.string(), file: v.string() })
const FailedBackup = v.object({ day: v.string(), reason: v.string() })

export function readSchedule(ctx: HasDb): BackupSchedule | null {
  const parsed = v.safeParse(BackupSchedule, readSetting(ctx, scheduleKey)?.value)
  return parsed.success ? parsed.output : null
}

export function writeSchedule(ctx: Context, schedule: BackupSchedule | null): void {
  transact(ctx, () => {
    if (schedule?.at !== readSchedule(ctx)?.at) writeSetting(ctx, hourKey, schedule?.at ?? false)
    else keepHour(ctx)
    writeSetting(ctx, scheduleKey, schedule ?? false)
  })
}

/** An earlier version recorded only changes to the whole schedule. Their time counts for the hour until it's rewritten. */
function keepHour({ db }: HasDb): void {
  const [hour, whole] = [readSetting({ db }, hourKey), readSetting({ db }, scheduleKey)]
  if (hour !== undefined || whole === undefined) return
  writeSetting({ db, now: () => new Date(whole.updatedAt) }, hourKey, readSchedule({ db })?.at ?? false)
}

function nightlyOf(ctx: HasDb, { at }: BackupSchedule): Nightly {
  const set = readSetting(ctx, hourKey) ?? readSetting(ctx, scheduleKey)
  const [last, madeAt] = [lastBackup(ctx), readSetting(ctx, lastKey)?.updatedAt]
  const backAt = lastJump(ctx)?.to ?? null
  return { at, since: set?.updatedAt ?? '', last: last && madeAt ? { day: last.day, madeAt } : null, backAt }
}

/** The last scheduled backup, by the day it was for; null before the first. */
export function lastBackup(ctx: HasDb): v.InferOutput<typeof LastBackup> | null {
  const parsed = v.safeParse(LastBackup, readSetting(ctx, lastKey)?.value)
  return parsed.success ? parsed.output : null
}

/** When it was made. */
export const lastBackupAt = (ctx: HasDb): string | null => readSetting(ctx, lastKey)?.updatedAt ?? null

/** The last scheduled backup, if it failed. Null once one succeeds, and before the first. */
export function failedBackup(ctx: HasDb): v.InferOutput<typeof FailedBackup> | null {
  const parsed = v.safeParse(FailedBackup, readSetting(ctx, failedKey)?.value)
  return parsed.success ? parsed.output : null
}

const Nightlies = v.array(v.string())

const nightlyName = /^alliance-(\d{4}-\d\d-\d\d)-nightly\.[a-z]+$/

/**
 * A nightly run may delete only these: a restored database doesn't know later backups, and they may hold what it lost. An earlier
 * version recorded only the last one's day.
 */
function knownNightlies(ctx: HasDb, folder: string): string[] {
  const parsed = v.safeParse(Nightlies, readSetting(ctx, nightliesKey)?.value)
  if (parsed.success) return parsed.output
  const last = lastBackup(ctx)
  if (last === null || !existsSync(folder)) return []
  return readdirSync(folder).filter((name) => (nightlyName.exec(name)?.[1] ?? '~') <= last.day)
}

/** Since when a backup has been overdue, in ISO; null if none is. */
export const missingSince = (ctx: HasDb, schedule: BackupSchedule, now: Date): string | null =>
  nightlyMissingSince(nightlyOf(ctx, schedule), now)

export function nightlyStatus(ctx: HasDb, now: Date): HealthStatus | undefined {
  const schedule = readSchedule(ctx)
  if (schedule === null) return undefined
  if (failedBackup(ctx) !== null || missingSince(ctx, schedule, now) !== null) return 'missing'
  return lastBackup(ctx) === null ? 'configured' : 'alive'
}

/**
 * Runs once a day in London, the first time it's called after the set hour, even if that's after midnight. An interrupted run
 * starts over. If only deleting old ones failed, only that is retried. A store that lacks the last one gets it by the next run.
 */
export async function backUp(ctx: Context): Promise<JobReport> {
  const schedule = readSchedule(ctx)
  if (schedule === null || ctx.sqlite.memory) return { scheduled: false }
  const unstored = unstoredBackup(ctx)
  const night = nightToMake(nightlyOf(ctx, schedule), ctx.now()) ?? nightToSeal(unstored)
  const day = night ?? unprunedNight(ctx) ?? unstored?.day ?? null
  if (day === null) return { scheduled: true, made: 0 }
  try {
    const made = night === null ? { made: 0 } : await makeNightly(ctx, schedule, night)
    const deleted = await pruneNightlies(ctx, schedule)
    const stored = await mirrorNightlies(ctx, schedule)
    if (failedBackup(ctx) !== null) writeSetting(ctx, failedKey, false)
    return { scheduled: true, ...made, deleted, ...stored }
  } catch (error) {
    recordFailure(ctx, day, error)
    throw error
  }
}

/** The night whose backup was made, but whose old ones couldn't be deleted or whose copy couldn't be stored. */
function unprunedNight(ctx: HasDb): string | null {
  const day = failedBackup(ctx)?.day
  return day !== undefined && day === lastBackup(ctx)?.day ? day : null
}

/** The last scheduled backup, if there's a store and it isn't known to be there. */
function unstoredBackup(ctx: Context): v.InferOutput<typeof LastBackup> | null {
  const at = lastAtStore(ctx)
  return at === null || readSetting(ctx, storedKey)?.value === at ? null : lastBackup(ctx)
}

/** The address of the last scheduled backup at the store. Null without a store or a backup. */
function lastAtStore(ctx: Context): string | null {
  const [store, last] = [ctx.settings.backupStore, lastBackup(ctx)]
  if (store === null || last === null) return null
  return `${store.address.endpoint}/${store.address.bucket}/${store.address.prefix}${basename(last.file)}`
}

/** One made before there was a store isn't encrypted, so it can't go there: that night's backup is made again. */
const nightToSeal = (unstored: v.InferOutput<typeof LastBackup> | null) =>
  unstored === null || unstored.file.endsWith('.sealed') ? null : unstored.day

/** The job's own report doesn't last: its next run, before the backup hour, has nothing to do and overwrites it. */
function recordFailure(ctx: Context, day: string, error: unknown): void {
  try {
    writeSetting(ctx, failedKey, { day, reason: errorMessage(error) })
  } catch (unstored) {
    ctx.log.warn('failure of the nightly backup not stored', { reason: errorMessage(unstored) })
  }
}

/** Recorded before anything else, or a failing later step would make us back up again every few minutes. */
async function makeNightly(ctx: Context, schedule: BackupSchedule, day: string): Promise<JobReport> {
  const { folder } = schedule
  const { createBackup } = await import('./create-service.ts')
  const known = knownNightlies(ctx, folder)
  const { file, bytes, leftOut } = await createBackup(ctx, {
    folder,
    passphrase: passphraseOf(ctx, schedule),
    isMediaApart: true,
    name: `alliance-${day}-nightly${minuteIfStored(ctx)}`,
  })
  transact(ctx, () => {
    writeSetting(ctx, nightliesKey, [...known, basename(file)])
    writeSetting(ctx, lastKey, { day, file })
  })
  return { made: 1, bytes, leftOut: leftOut.length }
}

/** In a store there may be another night of that day, by a machine this one took over from or by a database that was replaced. */
const minuteIfStored = ({ settings, now }: Context) =>
  settings.backupStore === null ? '' : `-${londonClock(now()).replace(':', '')}`

/** Leaves backups made by hand. */
async function pruneNightlies(ctx: Context, schedule: BackupSchedule): Promise<number> {
  const { folder, keep } = schedule
  const { pruneBackups } = await import('./prune-service.ts')
  const only = knownNightlies(ctx, folder)
  const last = lastBackup(ctx)
  const { deleted } = await pruneBackups(folder, {
    rule: keep,
    now: ctx.now(),
    isDryRun: false,
    passphrase: passphraseOf(ctx, schedule),
    only,
    justMade: last === null ? undefined : basename(last.file),
  })
  const gone = deleted.map(({ file }) => basename(file))
  // With a store, a name is known until it has gone there too.
  if (gone.length > 0 && ctx.settings.backupStore === null) {
    const left = only.filter((name) => !gone.includes(name))
    writeSetting(ctx, nightliesKey, left)
  }
  return gone.length
}

/** What leaves this machine is encrypted. Without a passphrase of its own, by BACKUP_KEY. */
export const passphraseOf = ({ settings }: Context, { passphraseFile }: BackupSchedule) =>
  passphraseFile === null ? (settings.backupStore?.key ?? null) : readPassphrase(passphraseFile)

/** The store gets the nightly backups and loses those the rule no longer keeps. One that was missed comes the next night. */
async function mirrorNightlies(ctx: Context, schedule: BackupSchedule): Promise<{ stored?: number }> {
  const { backupStore } = ctx.settings
  if (backupStore === null) return {}
  const { mirrorBackups } = await import('./mirror-service.ts')
  const names = knownNightlies(ctx, schedule.folder)
  const { stored, left } = await mirrorBackups(openObjectStore(backupStore.address), schedule.folder, {
    names,
    rule: schedule.keep,
    now: ctx.now(),
    passphrase: passphraseOf(ctx, schedule),
  })
  if (left.length < names.length) writeSetting(ctx, nightliesKey, left)
  writeSetting(ctx, storedKey, lastAtStore(ctx))
  return { stored }
}

export function readPassphrase(path: string): string {
  const passphrase = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (passphrase === '') throw new Error(`${path} holds no passphrase.`)
  return passphrase
}
