import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { appliedMigrations, type GivenNumbers, readLastNumbers } from '#api/db/copy.ts'
import { databaseFile, homeOfDatabase, isUsed, markAsUsed, prepareDataDir, sandboxFile } from '#api/db/data-dir.ts'
import { knownMigrations } from '#api/db/migrations.ts'
import { realPathOf } from '#api/db/real-path.ts'
import {
  findMovedAside,
  finishMovingAside,
  hasAnyPart,
  makeFolderAside,
  moveAside,
  moveIn,
  putBack,
  removeIfEmpty,
  restoringMark,
  sweepRestores,
} from '#api/db/restore-leftovers.ts'
import { media } from '#api/db/schema/media.ts'
import { describeServer, lockDataDir } from '#api/db/server-lock.ts'
import { explainFullDisk } from '#api/db/startup-error.ts'
import { usesInVideos } from '#api/features/media/library-queries.ts'
import { isWholeFile, mediaFile } from '#api/features/media/store-service.ts'
import { errorMessage } from '#api/log.ts'
import { StartupError } from '#api/settings.ts'
import { plural } from '#shared/rules/plural.ts'
import { hashOf } from './create-service.ts'
import { fromNewerVersion, type OpenedBackup, type UnpackedBackup } from './read-service.ts'

export type Restored = OpenedBackup & {
  /** Where the previous database is now; null if there was none. */
  before: string | null
  /** The backup's settings, for a person to compare with `.env`; null if it has none. */
  settings: string | null
  addedMedia: number
}

/** The backup and the database it replaces. Neither is open for writing. */
export type Replacement = Pick<OpenedBackup, 'manifest'> & {
  into: string
  before: string | null
  /** Where the replaced database is now. There may be none. */
  old: string
  given: GivenNumbers | null
  /** Hashes of media files that are whole in neither the backup nor the folder. */
  lostMedia: string[]
}

type Restoring<Settled> = {
  /** Puts the database and its media into a folder, and says what's wrong with them. */
  open(into: string): Promise<UnpackedBackup>
  now: Date
  /** Completes the new database before anything is moved. */
  settle(replacement: Replacement): Settled | Promise<Settled>
}

/**
 * Changes nothing if unpacking, checking or settling fails. Moves the old database aside. A repeat completes an interrupted run.
 */
export async function restoreBackup<Settled>(
  dataDir: string,
  restoring: Restoring<Settled>,
): Promise<Restored & { settled: Settled }> {
  const lock = lockDataDir(dataDir)
  if (lock === null) throw new StartupError(`A ${describeServer(dataDir)} Stop it first.`)
  try {
    prepareDataDir(dataDir)
    const home = homeOfDatabase(databaseFile(dataDir))
    sweepRestores(databaseFile(dataDir))
    return await restoreBeside(dataDir, home, restoring)
  } finally {
    lock.release()
  }
}

type Progress = { disk: string; addedMedia: number }

/** `home` is the database's folder. The replacement has to be on the same disk. */
async function restoreBeside<Settled>(dataDir: string, home: string, restoring: Restoring<Settled>) {
  const progress: Progress = { disk: home, addedMedia: 0 }
  let into: string | null = null
  try {
    into = mkdtempSync(join(home, restoringMark))
    const opened = await restoring.open(into)
    if (opened.problems.length > 0) throw new StartupError(opened.problems.join(' '))
    const applied = appliedMigrations(join(into, 'alliance.sqlite'))
    if (Math.max(opened.manifest.migration, ...applied) > Math.max(...knownMigrations())) {
      throw new StartupError(fromNewerVersion)
    }
    const missing = await findMissingMedia(dataDir, opened)
    const [mediaToAdd, lostMedia] = [
      missing.filter((sha256) => !opened.damagedMedia.has(sha256)),
      missing.filter((sha256) => opened.damagedMedia.has(sha256)),
    ]
    return await replaceBy({ dataDir, into, opened, mediaToAdd, lostMedia, progress }, restoring)
  } catch (error) {
    throw error instanceof HalfReplaced ? error : explained(error, progress)
  } finally {
    if (into !== null) rmSync(into, { recursive: true, force: true })
  }
}

function explained(error: unknown, { disk, addedMedia }: Progress): StartupError {
  const changed =
    addedMedia === 0
      ? 'Nothing has changed.'
      : `The database hasn’t changed. ${plural(addedMedia, 'media file stays', 'media files stay')} in the folder.`
  return new StartupError(`${changed} ${errorMessage(explainFullDisk(error, disk))}`)
}

type Unpacked = {
  dataDir: string
  into: string
  opened: OpenedBackup
  mediaToAdd: string[]
  lostMedia: string[]
  progress: Progress
}

async function replaceBy<Settled>(
  unpacked: Unpacked,
  { now, settle }: Restoring<Settled>,
): Promise<Restored & { settled: Settled }> {
  const { dataDir, into, opened, lostMedia, progress } = unpacked
  const file = databaseFile(dataDir)
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-')
  const { before, old, isMoved } = placeAside(file, stamp)
  let settings: string | null = null
  try {
    const { manifest } = opened
    const settled = await settle({ into, manifest, before, old, lostMedia, given: numbersGivenIn(dataDir) })
    progress.disk = dataDir
    addMedia(unpacked)
    addSandbox(unpacked)
    settings = keepSettings(dataDir, into, stamp)
    markAsUsed(dataDir)
    replaceDatabase(file, { from: join(into, 'alliance.sqlite'), before, isMoved })
    return { ...opened, before, addedMedia: progress.addedMedia, settings, settled }
  } catch (error) {
    if (settings !== null) rmSync(settings, { force: true })
    if (before !== null && existsSync(before)) removeIfEmpty(before)
    throw error
  }
}

type Aside = { before: string | null; old: string; isMoved: boolean }

/** If an interrupted restore has moved the database aside, this reuses it. */
function placeAside(file: string, stamp: string): Aside {
  const moved = findMovedAside(file)
  if (moved?.isUnfinished === true) {
    finishMovingAside(file, moved.folder)
    return { before: moved.folder, old: moved.file, isMoved: true }
  }
  return { before: hasAnyPart(file) ? makeFolderAside(file, stamp) : null, old: file, isMoved: false }
}

/** Without its database, a used folder's last numbers are uncertain. One moved aside by an earlier restore may tell some. */
export function numbersGivenIn(dataDir: string): GivenNumbers | null {
  const file = databaseFile(dataDir)
  const given = readLastNumbers(file)
  if (given !== null) return given
  const moved = findMovedAside(file)
  const found = moved === null ? null : readLastNumbers(moved.file)
  if (found === null) return isUsed(dataDir) ? { invoices: 0, creditNotes: 0, isSure: false } : null
  // Its newest rows may still be in a log that wasn't moved.
  const isWhole = moved?.isUnfinished === true && !hasAnyPart(file)
  return { ...found, isSure: found.isSure && isWhole }
}

/** Media files are named by hash, so one that exists is the same, unless the disk lost or changed part of it. */
async function findMissingMedia(dataDir: string, { manifest }: OpenedBackup): Promise<string[]> {
  const missing: string[] = []
  for (const { sha256, bytes } of manifest.media) {
    const path = mediaFile({ settings: { dataDir } }, { sha256 })
    if (!isWholeFile(path, bytes) || (await hashOf(path)) !== sha256) missing.push(sha256)
  }
  return missing
}

/** A media file the restore went on without: what owners call it, and where it belongs. */
export type LostMedia = { name: string; usedBy: string[]; file: string }

export function describeLostMedia(ctx: Context, dataDir: string, lost: readonly string[]): LostMedia[] {
  if (lost.length === 0) return []
  const uses = usesInVideos(ctx)
  return lost.map((sha256) => {
    const rows = ctx.db.select({ id: media.id, name: media.name }).from(media).where(eq(media.sha256, sha256)).all()
    const usedBy = uses.filter(({ id }) => rows.some((row) => row.id === id)).map(({ title }) => title)
    const file = mediaFile({ settings: { dataDir } }, { sha256 })
    return { name: rows[0]?.name ?? sha256, usedBy: [...new Set(usedBy)], file }
  })
}

function addMedia({ dataDir, into, mediaToAdd, progress }: Unpacked): void {
  for (const sha256 of mediaToAdd) {
    const to = mediaFile({ settings: { dataDir } }, { sha256 })
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    copyFileSync(join(into, 'media', sha256), `${to}.new`)
    renameSync(`${to}.new`, to)
    progress.addedMedia += 1
  }
}

/** One that's there stays, as Stripe would: it knows what was paid after the backup. */
function addSandbox({ dataDir, into }: Unpacked): void {
  const [from, to] = [join(into, 'sandbox.sqlite'), sandboxFile(dataDir)]
  if (!existsSync(from) || existsSync(to)) return
  copyFileSync(from, `${to}.new`)
  renameSync(`${to}.new`, to)
}

class HalfReplaced extends StartupError {}

/** If the second half fails, this undoes the first. */
function replaceDatabase(
  file: string,
  { from, before, isMoved }: { from: string; before: string | null; isMoved: boolean },
): void {
  try {
    if (before !== null && !isMoved) moveAside(file, before)
    moveIn(from, file, before)
  } catch (error) {
    if (before !== null && !isMoved) undo(file, before, errorMessage(error))
    throw error
  }
}

function undo(file: string, before: string, reason: string): void {
  try {
    putBack(file, before)
  } catch {
    const home = dirname(realPathOf(file))
    throw new HalfReplaced(
      `We couldn’t restore the backup (${reason}). Your old database is in ${before}. Move it back to ${home}.`,
    )
  }
}

/** Copies, because the database may be on another disk than the folder. */
function keepSettings(dataDir: string, into: string, stamp: string): string | null {
  if (!existsSync(join(into, 'settings.env'))) return null
  const to = join(dataDir, `restored-${stamp}.env`)
  copyFileSync(join(into, 'settings.env'), to)
  return to
}
