import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { WrongPassphrase } from '#api/archive/sealed-file.ts'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { closeIfWhole, damageOf, recordIfDamage } from '#api/db/damage.ts'
import { isFullError, toDamageError } from '#api/db/startup-error.ts'
import { AppError } from '#api/errors.ts'
import { createBackup, type MadeBackup } from '#api/features/operations/backup/create-service.ts'
import { readPassphrase, readSchedule, writeSchedule } from '#api/features/operations/backup/jobs.ts'
import { fetchBackup, fetchVideoFiles, isNightly } from '#api/features/operations/backup/mirror-service.ts'
import { type Pruned, pruneBackups } from '#api/features/operations/backup/prune-service.ts'
import {
  type ListedBackup,
  listBackups,
  type OpenedBackup,
  verifyBackup,
} from '#api/features/operations/backup/read-service.ts'
import { runUnderLease } from '#api/jobs/run.ts'
import { errorMessage } from '#api/log.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { unreadable } from '#cli/named-file.ts'
import { openLocalContext, openOrCreate, readFolderSettings } from '#cli/transport-local.ts'
import type { BackupSchedule } from '#shared/contract/backup.ts'
import type { KeepRule } from '#shared/rules/keep-backups.ts'
import { assertMayBackUpTo, openingOf } from './backup-folder.ts'

type LocalContext = ReturnType<typeof openLocalContext>

/** Opens the database, and always closes it. If it's damaged, the error says how to restore it. */
async function withContext<Result>(io: Io, work: (ctx: LocalContext) => Promise<Result> | Result): Promise<Result> {
  const ctx = openLocalContext(io)
  try {
    return await work(ctx)
  } catch (error) {
    throw toDamageError(error, ctx.sqlite.name, damageOf(ctx))
  } finally {
    closeIfWhole(ctx)
  }
}

const folderOf = (io: Io, ctx: LocalContext, given: string | undefined) =>
  given === undefined ? (readSchedule(ctx)?.folder ?? join(ctx.settings.dataDir, 'backups')) : resolve(io.cwd, given)

/** A given folder has to exist: with a typo in a crontab every backup would go to the wrong place, silently. */
function existingFolder(io: Io, ctx: LocalContext, given: string | undefined): string {
  const folder = folderOf(io, ctx, given)
  if (given === undefined || existsSync(folder)) return folder
  throw new CliError(exitCodes.notFound, `There’s no folder ${folder}. See: alliance backup schedule`)
}

/** The system's code for why it can't use a file or folder, such as ENOENT; null for any other error. */
const refusedBySystem = (error: unknown) =>
  error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : null

/** A backup of a damaged database would pass for a good one, so this throws with what helps instead. */
function assertUndamaged(ctx: LocalContext): void {
  const damage = damageOf(ctx)
  if (damage !== null) throw notBackedUp(ctx, damage)
}

const notBackedUp = ({ settings: { dataDir } }: LocalContext, damage: string) =>
  new CliError(
    exitCodes.failed,
    `${damage} To keep what’s there, stop the server and copy the folder first: cp -a ${dataDir} ${dataDir}-damaged`,
  )

/** One at a time: others asked for while it runs have to try again. */
export function makeBackup(
  io: Io,
  { to, passphrase, isMediaApart }: { to: string | undefined; passphrase: string | null; isMediaApart: boolean },
): Promise<MadeBackup> {
  return withContext(io, async (ctx) => {
    assertUndamaged(ctx)
    let made: MadeBackup | undefined
    const folder = folderOf(io, ctx, to)
    const run = async () => {
      made = await createBackup(ctx, { folder, passphrase, isMediaApart }).catch((error: unknown) => {
        recordIfDamage(ctx, error)
        assertUndamaged(ctx)
        if (error instanceof AppError) throw notBackedUp(ctx, `${error.message} Find out more: alliance doctor.`)
        const reason = refusedBySystem(error)
        if (reason === null) throw error
        throw new CliError(exitCodes.failed, `We can’t write to ${folder} (${reason}). ${openingOf(folder, error)}`)
      })
      audit(ctx, ctx.localActor, 'backup.made', { detail: { bytes: made.bytes, isEncrypted: passphrase !== null } })
      return { scheduled: false, made: 1, bytes: made.bytes }
    }
    // Shares its lease with the nightly backup, so that neither deletes what the other is writing.
    await runUnderLease(ctx, { name: 'backup', everyMs: 0, run })
    if (made === undefined) throw new CliError(exitCodes.failed, 'A backup is already running.')
    return made
  })
}

export const findBackups = (io: Io, to: string | undefined) =>
  withContext(io, async (ctx) => {
    const folder = existingFolder(io, ctx, to)
    return { folder, backups: await listBackups(folder, io.now()) }
  })

export async function checkBackup(io: Io, file: string, passphrase: string | null): Promise<OpenedBackup> {
  return oneSentence(() => verifyBackup(requireFile(io, file), passphrase, { signal: io.signal }))
}

export function requireFile(io: Io, given: string): string {
  const file = resolve(io.cwd, given)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new CliError(exitCodes.notFound, `There’s no file ${file}. See: alliance backup list`)
  if (found.isDirectory())
    throw new CliError(exitCodes.usage, `${file} is a folder. Name a backup in it: alliance backup list --to ${file}`)
  return file
}

/** A refusal isn't a bug: print it as one sentence. */
export async function oneSentence<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CliError) throw error
    const message = errorMessage(error)
    const isOther = /isn’t (an archive|one of our backups)\./.test(message)
    const told = new CliError(exitCodes.failed, isOther ? `${message} See: alliance backup list` : message)
    told.cause = error
    throw told
  }
}

/** The rule until an owner sets another. */
const usualKeepRule: KeepRule = { days: 7, weeks: 5, months: 12 }

type Pruning = { to: string | undefined; rule: KeepRule | null; isDryRun: boolean; passphrase: string | null }

const isBusy = 'A backup is running, or old ones are being deleted. Try again when it’s finished.'

export const pruneLocal = (io: Io, { to, rule, isDryRun, passphrase }: Pruning): Promise<Pruned> =>
  withContext(io, async (ctx) => {
    const folder = existingFolder(io, ctx, to)
    const kept = rule ?? readSchedule(ctx)?.keep ?? usualKeepRule
    const prune = () => pruneBackups(folder, { rule: kept, now: io.now(), isDryRun, passphrase })
    return isDryRun ? prune() : pruneUnderLease(ctx, prune)
  })

/** A running backup relies on media no list names yet. */
async function pruneUnderLease(ctx: LocalContext, prune: () => Promise<Pruned>): Promise<Pruned> {
  let pruned: Pruned | undefined
  const run = async () => {
    pruned = await prune()
    const { deleted, deletedMedia } = pruned
    if (deleted.length + deletedMedia > 0) {
      audit(ctx, ctx.localActor, 'backup.pruned', { detail: { deleted: deleted.length, deletedMedia } })
    }
    return { scheduled: false, deleted: deleted.length, deletedMedia }
  }
  try {
    await runUnderLease(ctx, { name: 'backup', everyMs: 0, run })
  } catch (error) {
    // Deleting old backups makes room on a full disk, where we can't even write the lease or a record. No new one can be running
    // then.
    if (!isFullError(error)) throw error
    pruned ??= await prune()
  }
  if (pruned === undefined) throw new CliError(exitCodes.failed, isBusy)
  return pruned
}

export const showSchedule = (io: Io) => withContext(io, (ctx) => readSchedule(ctx))

type ScheduleChange = Partial<BackupSchedule> | null

function changedSchedule(ctx: Context, change: ScheduleChange): BackupSchedule | null {
  if (change === null) return null
  const usual = { at: '03:15', keep: usualKeepRule, passphraseFile: null }
  return { ...usual, folder: join(ctx.settings.dataDir, 'backups'), ...readSchedule(ctx), ...change }
}

/** The schedule after a change, without saving it. */
export const scheduleAfter = (io: Io, change: ScheduleChange) => withContext(io, (ctx) => changedSchedule(ctx, change))

export const setSchedule = (io: Io, change: ScheduleChange): Promise<BackupSchedule | null> =>
  withContext(io, (ctx) => {
    const schedule = changedSchedule(ctx, change)
    if (schedule !== null) assertMayBackUpTo(schedule.folder)
    writeSchedule(ctx, schedule)
    audit(ctx, ctx.localActor, 'backup.scheduled', {
      detail: schedule === null ? { isOn: false } : { at: schedule.at },
    })
    return schedule
  })

/** For a site that has no schedule yet, also before its first start. */
export async function scheduleFirst(io: Io): Promise<BackupSchedule | null> {
  closeIfWhole(openOrCreate(io))
  return (await showSchedule(io)) ?? setSchedule(io, {})
}

export function readPassphraseFile(io: Io, path: string): string {
  try {
    return readPassphrase(resolve(io.cwd, path))
  } catch (error) {
    if (refusedBySystem(error) === null) throw new CliError(exitCodes.usage, errorMessage(error))
    throw unreadable(resolve(io.cwd, path), error)
  }
}

function storeOf(io: Io) {
  const { backupStore, dataDir } = readFolderSettings(io)
  if (backupStore === null)
    throw new CliError(
      exitCodes.failed,
      'No store is set: put BACKUP_URL into .env. In a container, then run docker compose up -d.',
    )
  return { store: openObjectStore(backupStore.address), key: backupStore.key, dataDir }
}

/** Nightly backups in the store, newest first. What's in them can't be read from outside. */
export async function findStored(io: Io): Promise<ListedBackup[]> {
  const stored = (await oneSentence(() => storeOf(io).store.list())).filter(isNightly)
  return stored
    .map(({ name, bytes, storedAt }) => ({
      file: name,
      bytes,
      createdAt: storedAt,
      isEncrypted: true,
      manifest: null,
      isInFuture: false,
    }))
    .sort((one, other) => (one.file < other.file ? 1 : -1))
}

/** The newest, unless one is named. Works on a new machine too, which has nothing but the settings. */
export async function fetchStored(io: Io, { name, to }: { name: string; to: string | undefined }) {
  const { store, key, dataDir } = storeOf(io)
  const stored = (await findStored(io)).map(({ file }) => file)
  const chosen = name === '' ? stored[0] : stored.find((file) => file === name)
  if (chosen === undefined)
    throw new CliError(
      exitCodes.notFound,
      `It isn’t in the store${name === '' ? '' : `: ${name}`}. See: alliance backup list --stored`,
    )
  const folder = to === undefined ? join(dataDir, 'backups') : resolve(io.cwd, to)
  return oneSentence(() => fetchBackup(store, { name: chosen, folder, key }))
}

/** For a site whose database came another way, such as by a takeover. */
export const fetchStoredVideoFiles = (io: Io) =>
  withContext(io, (ctx) => {
    const { store, key } = storeOf(io)
    return oneSentence(() => fetchVideoFiles(ctx, store, key))
  })

/** What opens the encrypted ones, where no passphrase is given. */
export const backupKey = (io: Io): string | null => readFolderSettings(io).backupStore?.key ?? null

export const isWrongPassphrase = ({ cause }: Error) => cause instanceof WrongPassphrase
