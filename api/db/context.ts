import type { Log } from '#api/log.ts'
import type { Settings } from '#api/settings.ts'
import type { Db, Sqlite } from './open.ts'

/** What the database's own care needs of the context. */
export type DbContext = {
  settings: Settings
  db: Db
  sqlite: Sqlite
  now(): Date
  newId(): string
  log: Log
  localActor?: string
}
