import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import {
  assertDatabaseThere,
  databaseFile,
  isUsed,
  makePrivateFile,
  markAsUsed,
  missingDatabase,
  prepareDataDir,
} from './data-dir.ts'
import { findLostFile } from './database-file.ts'
import { assertMigrated, isEmpty, migrate } from './migrations.ts'
import { distrust, openForeign } from './own-schema.ts'
import { addTextFunctions, fillPersonTexts, keepPersonTexts, showThrees } from './person-texts.ts'
import { toStartupError } from './startup-error.ts'
import { leaveLogAlone } from './wal-files.ts'

export type Sqlite = Database.Database
export type Db = ReturnType<typeof overConnection>

/** Drizzle on an open connection. `relational` adds the tables' relations. */
export const overConnection = (sqlite: Sqlite) => drizzle(sqlite)

/** Opens a file as it is, including anything the next start would repair. */
export const openReadOnly = (file: string): Db => overConnection(openForeign(file))

export type OpenOptions = {
  onStatement?: (text: string) => void
  mayMigrate?: boolean
  /** How long a statement waits for other programs while this one starts. */
  busyMs?: number | undefined
  /** Refuse an empty database instead of filling it. */
  mustBeFilled?: boolean
  /** Litestream copies it, and is the only one that checkpoints. */
  isCopied?: boolean
}

const startBusyMs = 5_000

type Opened = { sqlite: Sqlite; db: Db; migrated: number }

/** Opens (or creates) a database and migrates it. `file` may be `:memory:`, or the bytes of a migrated database. */
export function openDatabase(file: string | Buffer, options: OpenOptions = {}): Opened {
  const { onStatement, busyMs = startBusyMs } = options
  const verbose = onStatement && ((text: unknown) => onStatement(String(text)))
  const sqlite = new Database(file, { verbose, timeout: busyMs })
  sqlite.pragma('journal_mode = WAL')
  // FULL, because a confirmed tick must survive a power cut.
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  distrust(sqlite)
  // Truncates a log that a long read let grow.
  sqlite.pragma('journal_size_limit = 16777216')
  if (options.isCopied) leaveLogAlone(sqlite)
  // Nobody the owners have removed stays in a page of the file.
  sqlite.pragma('secure_delete = ON')
  addTextFunctions(sqlite)
  const db = overConnection(sqlite)
  const migrated = typeof file === 'string' ? prepareSchema(sqlite, options) : 0
  keepPersonTexts(sqlite)
  showThrees(sqlite)
  findLostFile(sqlite)
  return { sqlite, db, migrated }
}

function prepareSchema(sqlite: Sqlite, { mayMigrate = true, mustBeFilled = false }: OpenOptions): number {
  if (mustBeFilled && isEmpty(sqlite)) throw missingDatabase(sqlite.name)
  if (mayMigrate) return migrate(sqlite, () => fillPersonTexts(sqlite))
  assertMigrated(sqlite)
  return 0
}

/**
 * Opens a data folder's database, and creates it in a new folder. Only the server and the terminal's `migrate` may change the
 * schema. Others refuse a database with a different one.
 */
export function openDataDir(
  dataDir: string,
  { isLive = false, ...options }: Pick<OpenOptions, 'mayMigrate' | 'busyMs' | 'isCopied'> & { isLive?: boolean } = {},
) {
  const file = databaseFile(dataDir)
  try {
    prepareDataDir(dataDir)
    assertDatabaseThere(dataDir)
    makePrivateFile(file)
    const opened = openDatabase(file, { ...options, mustBeFilled: isUsed(dataDir) })
    markAsUsed(dataDir, { isLive })
    return opened
  } catch (error) {
    throw toStartupError(error, file)
  }
}

/** A second connection of the server's, beside the one that writes. It can't write, and so never checkpoints. */
export function openReader(file: string): Pick<Opened, 'sqlite' | 'db'> {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: startBusyMs })
  distrust(sqlite)
  addTextFunctions(sqlite)
  showThrees(sqlite)
  return { sqlite, db: overConnection(sqlite) }
}

/** Whatever `work` reads on that connection is of one moment, though it waits in between. */
export async function ofOneMoment(sqlite: Sqlite, work: () => Promise<void>): Promise<void> {
  sqlite.exec('begin')
  try {
    await work()
  } finally {
    sqlite.exec('commit')
  }
}

/**
 * Runs `work` in one immediate transaction, so it can't fail halfway with a busy snapshot. Nested calls are savepoints. `work`
 * must be synchronous: better-sqlite3 throws on a promise.
 */
export function transact<Result>(ctx: { sqlite: Sqlite }, work: () => Result): Result {
  return ctx.sqlite.transaction(work).immediate()
}
