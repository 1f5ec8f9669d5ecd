import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { migrate } from 'drizzle-orm/better-sqlite3/migrator'
import { errorMessage } from '#api/log.ts'
import { migrationsFolder } from '#api/project.ts'
import { StartupError } from '#api/settings.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { damageLine } from './damage.ts'
import { makePrivateFile, prepareDataDir } from './data-dir.ts'
import { isDamageError } from './sqlite-errors.ts'
import { tables } from './tables.ts'

export type Sqlite = Database.Database
export type Db = ReturnType<typeof overConnection>

export const databaseFile = (dataDir: string) => join(dataDir, 'alliance.sqlite')

/** Drizzle on an open connection. */
const overConnection = (sqlite: Sqlite) => drizzle(sqlite, { schema: tables })

export type OpenOptions = {
  /** Sees the text of every statement that runs. */
  onStatement?: (text: string) => void
}

/**
 * Opens (and makes) a database and brings it to the newest migration. `file` may be `:memory:`, or the bytes of a database
 * that has been migrated already.
 */
export function openDatabase(file: string | Buffer, { onStatement }: OpenOptions = {}): { sqlite: Sqlite; db: Db } {
  const sqlite = new Database(file, { verbose: onStatement && ((text) => onStatement(String(text))) })
  sqlite.pragma('journal_mode = WAL')
  // FULL: a tick that was acknowledged must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('busy_timeout = 5000')
  sqlite.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? foldText(text) : ''))
  const db = overConnection(sqlite)
  if (typeof file === 'string') migrate(db, { migrationsFolder })
  return { sqlite, db }
}

export function openDataDir(dataDir: string) {
  prepareDataDir(dataDir)
  const file = databaseFile(dataDir)
  makePrivateFile(file)
  try {
    return openDatabase(file)
  } catch (error) {
    throw isDamageError(error) ? new StartupError(damageLine(file, errorMessage(error))) : error
  }
}

/**
 * Runs `work` in one immediate transaction: all of it or nothing, and never a busy snapshot half way. Nested calls are
 * savepoints. `work` is synchronous; better-sqlite3 throws on a promise.
 */
export function transact<Result>(ctx: { sqlite: Sqlite }, work: () => Result): Result {
  return ctx.sqlite.transaction(work).immediate()
}

/**
 * Holds the data folder for one server: an exclusive lock that the system lets go of however the process ends.
 * Returns null where another server holds it.
 */
export function lockDataDir(dataDir: string): { release(): void } | null {
  prepareDataDir(dataDir)
  const file = join(dataDir, 'server.lock')
  makePrivateFile(file)
  const lock = new Database(file, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch {
    lock.close()
    return null
  }
  return { release: () => lock.close() }
}
