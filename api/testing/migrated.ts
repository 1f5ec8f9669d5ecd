import { writeFileSync } from 'node:fs'
import { databaseFile } from '#api/db/data-dir.ts'
import { openDatabase } from '#api/db/open.ts'

let bytes: Buffer | undefined

/** A migrated, empty database as bytes. Opening a copy is a hundred times quicker than migrating each time. */
export function migratedDatabase(): Buffer {
  bytes ??= openDatabase(':memory:').sqlite.serialize()
  return bytes
}

/** Puts it into a data folder, as if a server had been started there before. */
export const putMigratedDatabase = (dataDir: string): void => writeFileSync(databaseFile(dataDir), migratedDatabase())
