import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as v from 'valibot'
import { type Settings, StartupError } from '#api/settings.ts'
import type { DbContext } from './context.ts'
import { missingLogLine } from './damage.ts'
import { assertIsFile, databaseFile, makePrivateFile, prepareDataDir } from './data-dir.ts'
import { hasDied, isOfThisMachine, newHolder, pidOf } from './holder.ts'
import { overConnection } from './open.ts'
import { realPathOf } from './real-path.ts'
import { isBusyError } from './sqlite-errors.ts'
import { toStartupError } from './startup-error.ts'
import { readSetting, writeSetting } from './stored-settings.ts'

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/** Locks the data folder for one server, until the process ends. Returns null if another server holds it. */
export function lockDataDir(dataDir: string): { release(): void } | null {
  const file = lockFile(dataDir)
  try {
    prepareDataDir(dataDir)
    makePrivateFile(file)
    const lock = new Database(file, { timeout: 0 })
    if (tryLock(lock) && !isHeldWithoutFile(dataDir)) return { release: () => lock.close() }
    lock.close()
    return null
  } catch (error) {
    throw toStartupError(error, file)
  }
}

function tryLock(lock: Database.Database): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if (isBusyError(error)) return false
    throw error
  }
}

/** Whether a server holds the folder. The check takes no lock that would stop one from starting. */
export const isServed = (dataDir: string): boolean => isLocked(dataDir) || isHeldWithoutFile(dataDir)

/** Tries to read the lock file, which its holder doesn't let others do. */
function isLocked(dataDir: string): boolean {
  assertIsFile(lockFile(dataDir))
  if (inodeOf(lockFile(dataDir)) === 0) return false
  const lock = new Database(lockFile(dataDir), { readonly: true, timeout: 0 })
  try {
    lock.pragma('schema_version')
    return false
  } catch (error) {
    return isBusyError(error)
  } finally {
    lock.close()
  }
}

/** A server that starts needs a moment to begin its log. */
const logPatienceMs = 3_000

/**
 * For a program about to open the database beside a server. If the server's log was deleted, the program would start another, and
 * neither would see the other's writes. So this throws a line that says what to do.
 */
export function assertLogThere(dataDir: string): void {
  const file = realPathOf(databaseFile(dataDir))
  const until = Date.now() + logPatienceMs
  while (['wal', 'shm'].some((ending) => inodeOf(`${file}-${ending}`) === 0) && isLocked(dataDir)) {
    if (Date.now() >= until) throw new StartupError(missingLogLine(file))
    Bun.sleepSync(50)
  }
}

const key = 'server'

/**
 * Which process serves this database, and which lock file it holds. Both by inode, so a copy doesn't match. `films` is the store it
 * reads them from, if any; an earlier version didn't record it.
 */
const Serving = v.object({
  holder: v.string(),
  database: v.number(),
  lock: v.number(),
  films: v.optional(v.nullable(v.string())),
})

/** Written by the server once it holds the folder, in case its lock file is deleted. */
export function recordServing(ctx: DbContext): void {
  const { dataDir, mediaStore } = ctx.settings
  const [database, lock] = [inodeOf(databaseFile(dataDir)), inodeOf(lockFile(dataDir))]
  writeSetting(ctx, key, { holder: newHolder(ctx.newId()), database, lock, films: nameOfStore(mediaStore) })
}

type StoreOfVideoFiles = Settings['mediaStore']

const nameOfStore = (store: StoreOfVideoFiles) =>
  store === null ? null : `${store.endpoint} ${store.bucket}/${store.prefix}`

/** Whether a server runs on the folder that was started before this store was set, so it would look for video files elsewhere. */
export function servesWithoutStore(dataDir: string, store: StoreOfVideoFiles): boolean {
  const serving = readServing(databaseFile(dataDir))
  return serving?.films !== undefined && serving.films !== nameOfStore(store) && isAlive(dataDir, serving)
}

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino ?? 0

/**
 * Whether a live server's lock is on a file that has since been deleted, so locking the new file proves nothing. If the lock file
 * is still the same, getting the lock proves the last server has gone.
 */
function isHeldWithoutFile(dataDir: string): boolean {
  const serving = readServing(databaseFile(dataDir))
  return serving !== null && serving.lock !== inodeOf(lockFile(dataDir)) && isAlive(dataDir, serving)
}

/** The PID of this database's server on this machine. Null if we know of none. */
function servingProcess(dataDir: string): number | null {
  const serving = readServing(databaseFile(dataDir))
  return serving !== null && isAlive(dataDir, serving) ? pidOf(serving.holder) : null
}

/** Says that a server runs on the folder, with its PID if known. Goes after “A” or “Another”. */
export function describeServer(dataDir: string): string {
  const pid = servingProcess(dataDir)
  return `server is running on ${dataDir}${pid === null ? '' : ` (process ${pid})`}.`
}

const isAlive = (dataDir: string, { holder, database }: v.InferOutput<typeof Serving>) =>
  database === inodeOf(databaseFile(dataDir)) && isOfThisMachine(holder) && !hasDied(holder)

/** Null if it can't be read. Opening the database will report what's wrong with it. */
function readServing(file: string): v.InferOutput<typeof Serving> | null {
  if (inodeOf(file) === 0) return null
  const sqlite = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    return v.parse(Serving, readSetting({ db: overConnection(sqlite) }, key)?.value)
  } catch {
    return null
  } finally {
    sqlite.close()
  }
}
