import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readLastNumbers } from '#api/db/copy.ts'
import { databaseFile, markAsUsed, prepareDataDir } from '#api/db/data-dir.ts'
import { knownMigrations } from '#api/db/migrations.ts'
import { lockDataDir } from '#api/db/server-lock.ts'
import { StartupError } from '#api/settings.ts'
import { type OpenedBackup, unpackBackup } from './read-service.ts'

export type Restored = OpenedBackup & {
  /** Where the database that was there lies now; null where there was none. */
  before: string | null
  /** The settings of the backup, for a person to compare with `.env`; null where it has none. */
  settings: string | null
  addedMedia: number
  /** How far the series of documents had come in the database that was there; null where there was none to read. */
  given: { invoices: number; creditNotes: number } | null
}

/**
 * Puts a backup in the place of a data folder's database. It is unpacked and checked beside it first, and changes nothing where
 * it is not whole; the database that was there is moved aside, not deleted.
 */
export async function restoreBackup(
  dataDir: string,
  { file, passphrase, now }: { file: string; passphrase: string | null; now: Date },
): Promise<Restored> {
  const lock = lockDataDir(dataDir)
  if (lock === null) throw new StartupError(`A server is running on ${dataDir}. Stop it first.`)
  prepareDataDir(dataDir)
  const into = mkdtempSync(join(dataDir, '.restoring-'))
  try {
    const opened = await unpackBackup(file, passphrase, into)
    if (opened.problems.length > 0) throw new StartupError(`Nothing was changed. ${opened.problems.join(' ')}`)
    if (opened.manifest.migration > Math.max(...knownMigrations())) {
      throw new StartupError(
        'Nothing was changed. The backup is of a newer version than this program: update it first.',
      )
    }
    const addedMedia = addMedia(dataDir, into, opened)
    const given = readLastNumbers(databaseFile(dataDir))
    const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-')
    const before = moveAside(dataDir, join(dataDir, `before-restore-${stamp}`))
    renameSync(join(into, 'alliance.sqlite'), databaseFile(dataDir))
    markAsUsed(dataDir)
    return { ...opened, before, addedMedia, given, settings: keepSettings(dataDir, into, stamp) }
  } finally {
    rmSync(into, { recursive: true, force: true })
    lock.release()
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

/** With its log: without it the newest rows would be missing from what was moved. */
function moveAside(dataDir: string, to: string): string | null {
  const file = databaseFile(dataDir)
  if (!existsSync(file)) return null
  mkdirSync(to, { mode: 0o700 })
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, join(to, `alliance.sqlite${end}`))
  }
  return to
}

function keepSettings(dataDir: string, into: string, stamp: string): string | null {
  if (!existsSync(join(into, 'settings.env'))) return null
  const to = join(dataDir, `restored-${stamp}.env`)
  renameSync(join(into, 'settings.env'), to)
  return to
}
