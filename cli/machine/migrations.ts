import { existsSync } from 'node:fs'
import { appliedMigrations } from '#api/db/copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { knownMigrations } from '#api/db/migrations.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { readFolderSettings } from '#cli/transport-local.ts'

export type MigrationStatus = { applied: number; waiting: number; newer: number }

export function migrationStatus(io: Io): MigrationStatus {
  const file = databaseFile(readFolderSettings(io).dataDir)
  if (!existsSync(file))
    throw new CliError(exitCodes.failed, `No database at ${file}. Start the server once, or set DATA_DIR.`)
  const [known, applied] = [knownMigrations(), appliedMigrations(file)]
  return {
    applied: applied.length,
    waiting: known.filter((when) => !applied.includes(when)).length,
    newer: applied.filter((when) => !known.includes(when)).length,
  }
}
