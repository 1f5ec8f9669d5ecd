import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { newestGeneration } from '#api/copies/copy-store.ts'
import { openDocumentSource } from '#api/db/carry-over.ts'
import type { GivenNumbers } from '#api/db/copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { type Generation, generationIn, renewGeneration } from '#api/db/generation.ts'
import { findMovedAside } from '#api/db/restore-leftovers.ts'
import { mediaChecks } from '#api/db/schema/media.ts'
import { documentNumbers, settleRestoredNumbers } from '#api/features/invoices/left-out-numbers-service.ts'
import { describeBackup, type UnpackedBackup, unpackBackup } from '#api/features/operations/backup/read-service.ts'
import {
  describeLostMedia,
  type LostMedia,
  numbersGivenIn,
  type Replacement,
  type Restored,
  restoreBackup,
} from '#api/features/operations/backup/restore-service.ts'
import { holdRestoredMailings } from '#api/features/outreach/mailings/service.ts'
import { holdRestoredMail } from '#api/mail/retry.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import { isOfLiveMode } from '#api/provider-account.ts'
import { thisRelease } from '#api/release.ts'
import { readSettings, type Settings } from '#api/settings.ts'
import { type Io, projectPath } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { openRestored, readFolderSettings } from '#cli/transport-local.ts'
import type { DocumentNumbers } from '#shared/contract/invoices.ts'
import { oneSentence, requireFile } from './backup.ts'

type Settled = Pick<Replacement, 'given'> & {
  carriedOver: string[]
  numbers: DocumentNumbers
  /** Subjects of campaigns that may have gone out since the backup, so they wait for an owner. */
  heldCampaigns: string[]
  /** Null if none had to be. */
  heldMail: ReturnType<typeof holdRestoredMail> | null
  lostMedia: LostMedia[]
}

type Given = { file: string; into: string | undefined; passphrase: string | null }

export async function restoreLocal(io: Io, { file: given, into, passphrase }: Given): Promise<RestoredHere> {
  const settings = settingsInto(io, into)
  const [file, newest] = [requireFile(io, given), await readNewest(settings)]
  return restoreFrom(io, settings, {
    open: (beside) => unpackBackup(file, passphrase, { into: beside }),
    renew: (ctx, old) => renewGeneration(ctx, { old, newest }),
  })
}

/** The site's settings, on another data folder if one is named. */
function settingsInto(io: Io, into: string | undefined): Settings {
  const settings = readFolderSettings(io)
  return into === undefined ? settings : { ...settings, dataDir: resolve(io.cwd, into) }
}

/**
 * `sudo`: what a command starts with here. A setting comes after it, or it would be lost. A release's service may write to its own
 * folder alone, so `isRelease` says that its site can't run anywhere else.
 */
export type RestoredHere = Restored &
  Settled & { dataDir: string; usualDir: string; sudo: '' | 'sudo '; isRelease: boolean }

type Source = {
  open(into: string): Promise<UnpackedBackup>
  /** To the second, as after a restart: what waits hasn't gone out since. */
  isUpToDate?: boolean
  /** Makes the new database another copy than the one it replaces. */
  renew(ctx: Context, old: Generation | null): unknown
}

/** A restore goes on without it: the store may be what's lost. */
async function readNewest({ copies }: Settings): Promise<Generation | null> {
  if (copies.store === null) return null
  return newestGeneration(openObjectStore(copies.store)).catch(() => null)
}

/** Replaces the data folder's database by what the source opens, and moves the one that was there aside. */
export async function restoreFrom(io: Io, settings: Settings, { open, ...source }: Source): Promise<RestoredHere> {
  const { dataDir } = settings
  const settle = (replacement: Replacement) => settleRestored(io, settings, { ...source, replacement })
  const { settled, ...restored } = await oneSentence(() => restoreBackup(dataDir, { open, now: io.now(), settle }))
  const isRelease = thisRelease() !== null
  const sudo = isRelease && Bun.which('sudo') !== null ? 'sudo ' : ''
  return { ...restored, ...settled, dataDir, usualDir: usualFolder(io), sudo, isRelease }
}

/**
 * Records the restore in the restored database's own audit log, makes it a newer copy than the one it replaces, and adds what was issued after the backup, or skips its number. To
 * do so it migrates the database to this version, as the server would at its start.
 */
async function settleRestored(
  io: Io,
  settings: Settings,
  { replacement, renew, isUpToDate = false }: Omit<Source, 'open'> & { replacement: Replacement },
): Promise<Settled> {
  const ctx = openRestored(io, { ...settings, dataDir: replacement.into })
  const source = replacement.given === null ? null : openDocumentSource(replacement.old)
  try {
    audit(ctx, ctx.localActor, 'backup.restored', { detail: { madeAt: replacement.manifest.createdAt } })
    await renew(ctx, generationIn(replacement.old))
    const isContinued = replacement.given === null ? false : (source?.continues(ctx.sqlite) ?? null)
    const given = replacement.given && {
      ...replacement.given,
      isSure: replacement.given.isSure && isContinued !== null,
    }
    const known = given?.isSure === true && isContinued ? given : numbersElsewhere(ctx, given)
    const carriedOver = settleRestoredNumbers(ctx, { ...settlementOf(replacement), given: known, source })
    // All files were just read: what was known of the disk before is no longer true.
    ctx.db.delete(mediaChecks).where(eq(mediaChecks.isWhole, false)).run()
    const lostMedia = describeLostMedia(ctx, settings.dataDir, replacement.lostMedia)
    const heldCampaigns = isUpToDate ? [] : holdRestoredMailings(ctx)
    const heldMail = isUpToDate ? null : holdRestoredMail(ctx)
    // After that: of the replaced database's emails it's known which have gone.
    source?.carryOverNotices(ctx.sqlite)
    return { given, carriedOver, heldCampaigns, heldMail, lostMedia, numbers: documentNumbers(ctx) }
  } finally {
    source?.close()
    ctx.sqlite.close()
  }
}

/** The folder the server and commands use unless the shell sets another. A container has its options in the environment alone. */
function usualFolder(io: Io): string {
  const file = projectPath(io, '.env')
  const inEnvironment: Io['env'] = io.env.PUBLIC_URL === undefined ? {} : io.env
  const options = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : inEnvironment
  const { DATA_DIR } = options
  return projectPath(io, readSettings(DATA_DIR === undefined ? {} : { DATA_DIR }).dataDir)
}

function settlementOf({ before, manifest }: Replacement) {
  const where = before === null ? '' : ` They are in ${before}.`
  const reason = `Issued after the backup of ${timeLabel(manifest.createdAt)} you restored.${where}`
  return { madeAt: manifest.createdAt, reason }
}

/**
 * Null if we can't know the numbers here. In a new place, or next to another site, only documents for real money have numbers that
 * mustn't repeat. But a database we can't read any more may have given some out here.
 */
const numbersElsewhere = (ctx: Context, given: GivenNumbers | null) =>
  given?.isSure === false || isOfLiveMode(ctx) ? null : { invoices: 0, creditNotes: 0 }

export async function describeRestore(io: Io, given: string, into: string | undefined) {
  const { dataDir } = settingsInto(io, into)
  const described = await describeBackup(requireFile(io, given))
  const file = databaseFile(dataDir)
  const hasDatabase = existsSync(file) || findMovedAside(file)?.isUnfinished === true
  return { ...described, dataDir, hasDatabase, given: numbersGivenIn(dataDir) }
}
