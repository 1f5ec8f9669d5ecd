import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { openDocumentSource } from '#api/db/carry-over.ts'
import type { GivenNumbers } from '#api/db/copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { numberIn, renewGeneration } from '#api/db/generation.ts'
import { findMovedAside } from '#api/db/restore-leftovers.ts'
import { describeBackup } from '#api/features/backup/read-service.ts'
import {
  describeLostMedia,
  type LostMedia,
  numbersGivenIn,
  type Replacement,
  type Restored,
  restoreBackup,
} from '#api/features/backup/restore-service.ts'
import { documentNumbers, settleRestoredNumbers } from '#api/features/invoices/numbers-service.ts'
import { isOfLiveMode } from '#api/provider-account.ts'
import { readSettings, type Settings } from '#api/settings.ts'
import { type Io, projectPath } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { openRestored, readFolderSettings } from '#cli/transport-local.ts'
import type { DocumentNumbers } from '#shared/contract/invoices.ts'
import { oneSentence, requireFile } from './backup.ts'

type Settled = Pick<Replacement, 'given'> & {
  carriedOver: string[]
  numbers: DocumentNumbers
  lostMedia: LostMedia[]
}

export async function restoreLocal(
  io: Io,
  given: string,
  passphrase: string | null,
): Promise<Restored & Settled & { dataDir: string; usualDir: string }> {
  const settings = readFolderSettings(io)
  const { dataDir } = settings
  const settle = (replacement: Replacement) => settleRestored(io, settings, replacement)
  const request = { file: requireFile(io, given), passphrase, now: io.now(), settle }
  const { settled, ...restored } = await oneSentence(() => restoreBackup(dataDir, request))
  return { ...restored, ...settled, dataDir, usualDir: usualFolder(io) }
}

/**
 * Records the restore in the restored database's own audit log, makes it a newer copy than the one it replaces, and adds what was issued after the backup, or skips its number. To
 * do so it migrates the database to this version, as the server would at its start.
 */
function settleRestored(io: Io, settings: Settings, replacement: Replacement): Settled {
  const ctx = openRestored(io, { ...settings, dataDir: replacement.into })
  const source = replacement.given === null ? null : openDocumentSource(replacement.old)
  try {
    audit(ctx, ctx.localActor, 'backup.restored', { detail: { madeAt: replacement.manifest.createdAt } })
    renewGeneration(ctx, numberIn(replacement.old))
    const isContinued = replacement.given === null ? false : (source?.continues(ctx.sqlite) ?? null)
    const given = replacement.given && {
      ...replacement.given,
      isSure: replacement.given.isSure && isContinued !== null,
    }
    const known = given?.isSure === true && isContinued ? given : numbersElsewhere(ctx, given)
    const carriedOver = settleRestoredNumbers(ctx, { ...settlementOf(replacement), given: known, source })
    const lostMedia = describeLostMedia(ctx, settings.dataDir, replacement.lostMedia)
    return { given, carriedOver, lostMedia, numbers: documentNumbers(ctx) }
  } finally {
    source?.close()
    ctx.sqlite.close()
  }
}

/** The folder the server and commands use unless the shell sets another. */
function usualFolder(io: Io): string {
  const file = projectPath(io, '.env')
  const options: Io['env'] = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
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

export async function describeRestore(io: Io, given: string) {
  const { dataDir } = readFolderSettings(io)
  const described = await describeBackup(requireFile(io, given))
  const file = databaseFile(dataDir)
  const hasDatabase = existsSync(file) || findMovedAside(file)?.isUnfinished === true
  return { ...described, dataDir, hasDatabase, given: numbersGivenIn(dataDir) }
}
