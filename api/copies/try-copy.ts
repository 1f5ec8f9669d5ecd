import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CopyState } from '#api/db/copy.ts'
import { databaseFile, prepareDataDir } from '#api/db/data-dir.ts'
import { restoringMark } from '#api/db/restore-leftovers.ts'
import { inspectCopy } from '#api/db/thread.ts'
import type { Settings } from '#api/settings.ts'
import { restoreCopy } from './litestream.ts'

type Wanted = { machine: string; at: string | null; into: string }

/** Has Litestream put a machine's copy together in a folder, and reads all of it. */
export async function openCopy(
  { copies, dataDir }: Pick<Settings, 'copies' | 'dataDir'>,
  { into, ...wanted }: Wanted,
): Promise<CopyState & { file: string; bytes: number }> {
  const file = join(into, 'alliance.sqlite')
  await restoreCopy(copies, { ...wanted, database: resolve(databaseFile(dataDir)), to: file })
  return { ...(await inspectCopy(file)), file, bytes: statSync(file).size }
}

/** Puts the newest copy together beside the database, reads all of it, and throws it away. */
export async function tryCopy(settings: Pick<Settings, 'copies' | 'dataDir'>, machine: string) {
  prepareDataDir(settings.dataDir)
  const into = mkdtempSync(join(settings.dataDir, restoringMark))
  try {
    const { problems, tables, bytes, newestChange } = await openCopy(settings, { machine, at: null, into })
    if (problems.length > 0) throw new Error(`The copy is damaged: ${problems.join(' ')}`)
    return { rows: Object.values(tables).reduce((sum, count) => sum + count, 0), bytes, newestChange }
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
}
