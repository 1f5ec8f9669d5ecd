import { existsSync } from 'node:fs'
import { appliedMigrations, floorOf } from '#api/db/copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { knownMigrations, readMigrations } from '#api/db/migrations.ts'
import { addsOnly, runsOn } from '#api/db/older-versions.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { readFolderSettings } from '#cli/transport-local.ts'

/** `runs`: this program can work on the database, though a newer one may have migrated it. `addsOnly`: so can the one before, after. */
export type MigrationStatus = { applied: number; waiting: number; newer: number; runs: boolean; addsOnly: boolean }

export function migrationStatus(io: Io): MigrationStatus {
  const file = databaseFile(readFolderSettings(io).dataDir)
  if (!existsSync(file))
    throw new CliError(exitCodes.notFound, `No database at ${file}. Start the server once, or set DATA_DIR.`)
  const [known, applied] = [knownMigrations(), appliedMigrations(file)]
  const waiting = known.filter((when) => !applied.includes(when))
  const newer = applied.filter((when) => !known.includes(when))
  return {
    applied: applied.length,
    waiting: waiting.length,
    newer: newer.length,
    runs: newer.length === 0 || runsOn(floorOf(file), known, newer),
    addsOnly: readMigrations().every(({ sql, folderMillis }) => !waiting.includes(folderMillis) || addsOnly(sql)),
  }
}
