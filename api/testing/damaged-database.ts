import { closeSync, openSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'

/** Overwrites the first page of a table or an index in the file, as a failing disk would. The log is written back before. */
export function damagePage(file: string, name: string): void {
  const sqlite = new Database(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const page = Number(sqlite.prepare('select rootpage from sqlite_master where name = ?').pluck().get(name))
  const size = Number(sqlite.pragma('page_size', { simple: true }))
  sqlite.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(size, 0xaa), 0, size, (page - 1) * size)
  closeSync(descriptor)
}
