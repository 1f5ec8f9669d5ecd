import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { copyDatabase } from '#api/db/copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { type DumpedTable, dumpAsCsv, dumpTables } from '#api/db/dump.ts'
import { toDamageError } from '#api/db/startup-error.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { readFolderSettings } from '#cli/transport-local.ts'
import { csvRow } from '#shared/rules/csv.ts'

export type ExportedAll = { folder: string; tables: number; rows: number; media: number }

/** Exports everything into a new folder: the database as it is, each table as CSV and JSON, and the media files. */
export async function exportAll(io: Io, given: string): Promise<ExportedAll> {
  const folder = resolve(io.cwd, given)
  if (existsSync(folder)) throw new CliError(exitCodes.usage, `${folder} already exists. Name a new folder.`)
  const { dataDir } = readFolderSettings(io)
  if (!existsSync(databaseFile(dataDir)))
    throw new CliError(exitCodes.failed, `No database in ${dataDir}. Set DATA_DIR.`)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  for (const part of ['', 'csv', 'json', 'media']) mkdirSync(join(unfinished, part), { recursive: true, mode: 0o700 })
  const counts = await exportTables(databaseFile(dataDir), unfinished).catch((error: unknown) => {
    throw toDamageError(error, databaseFile(dataDir))
  })
  const media = copyMedia(join(dataDir, 'media'), join(unfinished, 'media'))
  renameSync(unfinished, folder)
  return { folder, ...counts, media }
}

async function exportTables(file: string, folder: string): Promise<Pick<ExportedAll, 'tables' | 'rows'>> {
  const copy = join(folder, 'alliance.sqlite')
  await copyDatabase(file, copy)
  const counts = { tables: 0, rows: 0 }
  for (const table of dumpTables(copy)) {
    counts.tables += 1
    counts.rows += writeTable(folder, table)
  }
  return counts
}

function writeTable(folder: string, table: DumpedTable): number {
  const csv = openSync(join(folder, 'csv', `${table.name}.csv`), 'wx', 0o600)
  const json = openSync(join(folder, 'json', `${table.name}.json`), 'wx', 0o600)
  let count = 0
  writeSync(csv, csvRow(table.columns))
  writeSync(json, '[')
  for (const rows of table.pages()) {
    writeSync(csv, dumpAsCsv(table, rows))
    writeSync(json, `${count === 0 ? '\n' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`)
    count += rows.length
  }
  writeSync(json, '\n]\n')
  closeSync(csv)
  closeSync(json)
  return count
}

/** Named by their hash, in folders by its first letters, without unfinished uploads. */
function copyMedia(from: string, to: string): number {
  let count = 0
  for (const part of existsSync(from) ? readdirSync(from).filter((name) => /^[0-9a-f]{2}$/.test(name)) : []) {
    for (const name of readdirSync(join(from, part))) {
      copyFileSync(join(from, part, name), join(to, name))
      count += 1
    }
  }
  return count
}
