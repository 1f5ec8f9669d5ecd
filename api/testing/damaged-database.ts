import { closeSync, openSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'

/** Overwrites the first page of a table or index in the file, or its last one with rows, as a failing disk might. */
export function damagePage(file: string, name: string, which: 'first' | 'last' = 'first'): void {
  const sqlite = new Database(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const pages = {
    first: 'select rootpage from sqlite_master where name = ?',
    last: `select pageno from dbstat where name = ? and pagetype = 'leaf' order by path desc limit 1`,
  }
  const page = Number(sqlite.prepare(pages[which]).pluck().get(name))
  const size = Number(sqlite.pragma('page_size', { simple: true }))
  sqlite.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(size, 0xaa), 0, size, (page - 1) * size)
  closeSync(descriptor)
}
