import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GivenNumbers, readLastNumbers } from '#api/db/copy.ts'
import { databaseFile, isUsed, markAsUsed, prepareDataDir } from '#api/db/data-dir.ts'
import { knownMigrations } from '#api/db/migrations.ts'
import { lockDataDir } from '#api/db/server-lock.ts'
import { errorMessage } from '#api/log.ts'
import { StartupError } from '#api/settings.ts'
import { type OpenedBackup, unpackBackup } from './read-service.ts'

export type Restored = OpenedBackup & {
  /** Where the database that was there lies now; null where there was none. */
  before: string | null
  /** The settings of the backup, for a person to compare with `.env`; null where it has none. */
  settings: string | null
  addedMedia: number
}

/** What takes the place of what. Both databases lie still. */
export type Replacement = Pick<OpenedBackup, 'manifest'> & {
  /** The folder with the database of the backup. */
  into: string
  /** What `Restored` says; nothing has been moved there yet. */
  before: string | null
  given: GivenNumbers | null
}

type Restoring<Settled> = {
  file: string
  passphrase: string | null
  now: Date
  /** Brings the backup's database to what must be known in it, before anything is moved. */
  settle(replacement: Replacement): Settled
}

/**
 * Puts a backup in the place of a data folder's database. It is unpacked, checked and settled beside it first, and changes nothing
 * where that fails; the database that was there is moved aside, not deleted.
 */
export async function restoreBackup<Settled>(
  dataDir: string,
  { file, passphrase, now, settle }: Restoring<Settled>,
): Promise<Restored & { settled: Settled }> {
  const lock = lockDataDir(dataDir)
  if (lock === null) throw new StartupError(`A server is running on ${dataDir}. Stop it first.`)
  prepareDataDir(dataDir)
  const into = mkdtempSync(join(dataDir, '.restoring-'))
  try {
    const opened = await unpackBackup(file, passphrase, { into })
    if (opened.problems.length > 0) throw new StartupError(`Nothing was changed. ${opened.problems.join(' ')}`)
    if (opened.manifest.migration > Math.max(...knownMigrations())) {
      throw new StartupError(
        'Nothing was changed. The backup is of a newer version than this program: update it first.',
      )
    }
    const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-')
    const before = partsOf(dataDir).length === 0 ? null : join(dataDir, `before-restore-${stamp}`)
    return orNothing(() => {
      const settled = settle({ into, manifest: opened.manifest, before, given: numbersGivenIn(dataDir) })
      const addedMedia = addMedia(dataDir, into, opened)
      const settings = keepSettings(dataDir, into, stamp)
      markAsUsed(dataDir)
      replaceDatabase(dataDir, into, before)
      return { ...opened, before, addedMedia, settings, settled }
    })
  } finally {
    rmSync(into, { recursive: true, force: true })
    lock.release()
  }
}

/** In a used folder that has no database any more, nobody knows how many. */
export const numbersGivenIn = (dataDir: string): GivenNumbers | null =>
  readLastNumbers(databaseFile(dataDir)) ?? (isUsed(dataDir) ? { invoices: 0, creditNotes: 0, isSure: false } : null)

function orNothing<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof HalfReplaced) throw error
    throw new StartupError(`Nothing was changed. ${errorMessage(error)}`)
  }
}

/** A file of media is named by its content: one that is there is the same. */
function addMedia(dataDir: string, into: string, { manifest }: OpenedBackup): number {
  const missing = manifest.media.filter(({ sha256 }) => !existsSync(mediaPath(dataDir, sha256)))
  for (const { sha256 } of missing) {
    mkdirSync(dirname(mediaPath(dataDir, sha256)), { recursive: true, mode: 0o700 })
    copyFileSync(join(into, 'media', sha256), `${mediaPath(dataDir, sha256)}.new`)
    renameSync(`${mediaPath(dataDir, sha256)}.new`, mediaPath(dataDir, sha256))
  }
  return missing.length
}

const mediaPath = (dataDir: string, sha256: string) => join(dataDir, 'media', sha256.slice(0, 2), sha256)

/** The database with its log: without it the newest rows would be missing. A log alone would be taken for that of the next one. */
const partsOf = (folder: string): string[] =>
  ['-wal', '-shm', '-damaged', '']
    .map((end) => `alliance.sqlite${end}`)
    .filter((name) => existsSync(join(folder, name)))

/** Where the second half cannot be done, the first is undone. */
function replaceDatabase(dataDir: string, into: string, before: string | null): void {
  if (before !== null) mkdirSync(before, { mode: 0o700 })
  try {
    if (before !== null) moveDatabase(dataDir, before)
    moveDatabase(into, dataDir)
  } catch (error) {
    if (before !== null) putBack(before, dataDir, errorMessage(error))
    throw error
  }
}

function moveDatabase(from: string, to: string): void {
  for (const name of partsOf(from)) renameSync(join(from, name), join(to, name))
}

class HalfReplaced extends StartupError {}

function putBack(before: string, dataDir: string, reason: string): void {
  try {
    moveDatabase(before, dataDir)
    rmdirSync(before)
  } catch {
    throw new HalfReplaced(
      `The backup could not be put in (${reason}). The database that was there is in ${before}: move it back to ${dataDir}.`,
    )
  }
}

function keepSettings(dataDir: string, into: string, stamp: string): string | null {
  if (!existsSync(join(into, 'settings.env'))) return null
  const to = join(dataDir, `restored-${stamp}.env`)
  renameSync(join(into, 'settings.env'), to)
  return to
}
