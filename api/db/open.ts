import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { foldText } from '#shared/rules/fold-text.ts'
import {
  assertDatabaseThere,
  databaseFile,
  isUsed,
  makePrivateFile,
  markAsUsed,
  missingDatabase,
  prepareDataDir,
} from './data-dir.ts'
import { findLostFile } from './lost-file.ts'
import { assertMigrated, isEmpty, migrate } from './migrations.ts'
import { toStartupError } from './startup-error.ts'

export type Sqlite = Database.Database
export type Db = ReturnType<typeof overConnection>

/** Drizzle on an open connection. What knows all tables and their relations is `relational`. */
export const overConnection = (sqlite: Sqlite) => drizzle(sqlite)

/** A file as it is: what the next start would mend is seen as well. */
export const openReadOnly = (file: string): Db =>
  overConnection(new Database(file, { readonly: true, fileMustExist: true }))

export type OpenOptions = {
  /** Sees the text of every statement that runs. */
  onStatement?: (text: string) => void
  mayMigrate?: boolean
  /** How long a statement waits for another program's write while the program starts. */
  busyMs?: number | undefined
  /** An empty one is refused instead of filled. */
  mustBeFilled?: boolean
}

const startBusyMs = 5_000

/** `migrated` counts the migrations that were applied. */
type Opened = { sqlite: Sqlite; db: Db; migrated: number }

/**
 * Opens (and makes) a database and brings it to the newest migration. `file` may be `:memory:`, or the bytes of a database
 * that has been migrated already.
 */
export function openDatabase(file: string | Buffer, options: OpenOptions = {}): Opened {
  const { onStatement, busyMs = startBusyMs } = options
  const verbose = onStatement && ((text: unknown) => onStatement(String(text)))
  const sqlite = new Database(file, { verbose, timeout: busyMs })
  sqlite.pragma('journal_mode = WAL')
  // FULL: a tick that was acknowledged must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  // A log that a long reader let grow does not stay that large.
  sqlite.pragma('journal_size_limit = 16777216')
  sqlite.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? foldText(text) : ''))
  const db = overConnection(sqlite)
  const migrated = typeof file === 'string' ? prepareSchema(sqlite, options) : 0
  findLostFile(sqlite)
  return { sqlite, db, migrated }
}

function prepareSchema(sqlite: Sqlite, { mayMigrate = true, mustBeFilled = false }: OpenOptions): number {
  if (mustBeFilled && isEmpty(sqlite)) throw missingDatabase(sqlite.name)
  if (mayMigrate) return migrate(sqlite)
  assertMigrated(sqlite)
  return 0
}

/**
 * The database of a data folder; a new one where the folder is new. Only the server, and the terminal's `migrate`, may change its
 * schema: whatever else opens it refuses one that is not its own.
 */
export function openDataDir(dataDir: string, options: Pick<OpenOptions, 'mayMigrate' | 'busyMs'> = {}) {
  const file = databaseFile(dataDir)
  try {
    prepareDataDir(dataDir)
    assertDatabaseThere(dataDir)
    makePrivateFile(file)
    const opened = openDatabase(file, { ...options, mustBeFilled: isUsed(dataDir) })
    markAsUsed(dataDir)
    return opened
  } catch (error) {
    throw toStartupError(error, file)
  }
}

/**
 * Runs `work` in one immediate transaction: all of it or nothing, and never a busy snapshot half way. Nested calls are
 * savepoints. `work` is synchronous; better-sqlite3 throws on a promise.
 */
export function transact<Result>(ctx: { sqlite: Sqlite }, work: () => Result): Result {
  return ctx.sqlite.transaction(work).immediate()
}
