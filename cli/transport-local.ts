import { copyFileSync, existsSync } from 'node:fs'
import { treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import type { Context } from '#api/context.ts'
import { openContext } from '#api/context.ts'
import { closeIfWhole } from '#api/db/damage.ts'
import { assertDatabaseThere, databaseFile } from '#api/db/data-dir.ts'
import { assertSound, heedDamageMark } from '#api/db/integrity.ts'
import type { Sqlite } from '#api/db/open.ts'
import { openDataDir } from '#api/db/open.ts'
import type { Extent } from '#api/db/own-schema.ts'
import { foreignParts, openForeign } from '#api/db/own-schema.ts'
import { assertLogThere, describeServer, lockDataDir } from '#api/db/server-lock.ts'
import { toDamageError } from '#api/db/startup-error.ts'
import { AppError } from '#api/errors.ts'
import type { NewMedia } from '#api/features/media/store-service.ts'
import { ensureTiers, listTiers } from '#api/features/tiers/service.ts'
import { createLog } from '#api/log.ts'
import { assertSameMode } from '#api/provider-account.ts'
import type { Settings } from '#api/settings.ts'
import { readSettings } from '#api/settings.ts'
import { type Connection, treatyOptions, withoutCopy } from './connection.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { type Io, projectPath } from './io.ts'
import { userName } from './system-error.ts'

const origin = 'http://localhost'

/**
 * The API inside this process, on the data folder's database. It works with or without a running server, with an owner's rights,
 * under the operating system user's name.
 */
export async function openLocal(io: Io, { mayCreate = false }: { mayCreate?: boolean } = {}): Promise<Connection> {
  const settings = mayCreate ? createIfAbsent(io) : localSettings(io)
  // The documents may be hidden from strangers, but not from the person who has the data folder.
  const ctx = openLocalContext(io, { ...settings, showsApiDocs: true })
  // A server that refused to start leaves an empty database.
  if (mayCreate && listTiers(ctx).tiers.length === 0) ensureTiers(ctx)
  const { createApp } = await import('#api/app.ts')
  const app = createApp(ctx, { hasPages: false })
  const fetcher = Object.assign(
    async (...request: Parameters<typeof fetch>) => withoutCopy(await app.handle(new Request(...request))),
    { preconnect: fetch.preconnect },
  )
  const client = treaty<App>(origin, { ...treatyOptions, fetcher })
  return {
    client,
    send: (path, call) => fetcher(origin + path, call),
    close: () => closeIfWhole(ctx),
    siteUrl: settings.publicUrl,
  }
}

export function openLocalContext(io: Io, settings = localSettings(io)): Context & { localActor: string } {
  const localActor = `local:${userName()}`
  assertLogThere(settings.dataDir)
  try {
    const ctx = openContext(settings, { localActor, now: io.now, log: createDebugLog(io), mayMigrate: false })
    assertSameMode(ctx)
    // If the server found damage, we only read.
    heedDamageMark(ctx)
    return Object.assign(ctx, { localActor })
  } catch (error) {
    throw toDamageError(error, databaseFile(settings.dataDir))
  }
}

/** The same for one just restored, which may be from an older version, or another mode than these settings. */
export function openRestored(io: Io, settings: Settings): Context & { localActor: string } {
  const localActor = `local:${userName()}`
  const before = openForeign(databaseFile(settings.dataDir))
  assertOurs(before, 'acting')
  before.close()
  const ctx = openContext(settings, { localActor, now: io.now, log: createDebugLog(io) })
  assertOurs(ctx.sqlite, 'all')
  return Object.assign(ctx, { localActor })
}

/** Before anything is written, a foreign trigger or view would act with it. Once it's migrated, all of it has to be what a fresh one is. */
function assertOurs(sqlite: Sqlite, extent: Extent): void {
  const foreign = foreignParts(sqlite, extent)
  if (foreign.length === 0) return
  sqlite.close()
  throw new CliError(exitCodes.failed, foreign.join(' '))
}

/** The same, but creates a missing database. */
export const openOrCreate = (io: Io) => openLocalContext(io, createIfAbsent(io))

/** The data folder's media files, which only this machine can read and add to. */
export type LocalMedia = {
  copyTo(id: string, path: string): Promise<void>
  /** Stores a file and returns its id, or the existing id if the same bytes are there; or why it was refused. */
  add(path: string, file: NewMedia & { id: string }): Promise<{ id: string } | { problem: string }>
  close(): void
}

export async function openLocalMedia(io: Io): Promise<LocalMedia> {
  const [{ mediaById }, { mediaFile, storeMedia }] = await Promise.all([
    import('#api/features/media/queries.ts'),
    import('#api/features/media/store-service.ts'),
  ])
  const ctx = openOrCreate(io)
  return {
    async copyTo(id, path) {
      const row = mediaById.get(ctx, { id })
      if (row !== undefined && existsSync(mediaFile(ctx, row))) return copyFileSync(mediaFile(ctx, row), path)
      const { mediaStoreOf, objectOf } = await import('#api/features/media/remote-service.ts')
      const store = row === undefined ? null : mediaStoreOf(ctx)
      if (row === undefined || store === null)
        throw new CliError(exitCodes.failed, `The file ${row?.name ?? id} is missing in the data folder.`)
      await store.get(objectOf(row), path)
    },
    async add(path, file) {
      try {
        return mediaById.get(ctx, file) ?? (await storeMedia(ctx, Bun.file(path), file))
      } catch (error) {
        if (error instanceof AppError) return { problem: error.message }
        throw error
      }
    },
    close: () => closeIfWhole(ctx),
  }
}

/** Migrates the data folder's database while no server runs. Returns the number of migrations. */
export function migrateLocal(io: Io): number {
  const { dataDir, copies } = localSettings(io)
  const lock = lockDataDir(dataDir)
  if (lock === null) {
    const sentence = `A ${describeServer(dataDir)} It migrates when it starts, so stop or restart it.`
    throw new CliError(exitCodes.failed, sentence)
  }
  try {
    assertDatabaseThere(dataDir)
    assertSound(databaseFile(dataDir))
    const { sqlite, migrated } = openDataDir(dataDir, { isCopied: copies.isOn })
    sqlite.close()
    return migrated
  } finally {
    lock.release()
  }
}

/** The same, but creates a missing database. */
function createIfAbsent(io: Io): Settings {
  const settings = readFolderSettings(io)
  const { dataDir } = settings
  const lock = existsSync(databaseFile(dataDir)) ? null : lockDataDir(dataDir)
  if (lock === null) return settings
  try {
    const ctx = openContext(settings, { now: io.now, log: createDebugLog(io) })
    ensureTiers(ctx)
    ctx.sqlite.close()
  } finally {
    lock.release()
  }
  return settings
}

export function readFolderSettings(io: Io): Settings {
  const settings = readSettings(io.env)
  return { ...settings, dataDir: projectPath(io, settings.dataDir) }
}

function localSettings(io: Io): Settings {
  const settings = readFolderSettings(io)
  const file = databaseFile(settings.dataDir)
  if (!existsSync(file)) {
    assertDatabaseThere(settings.dataDir)
    throw new CliError(
      exitCodes.failed,
      `No database at ${file}. Start the server once, set DATA_DIR, or use --api for a remote server.`,
    )
  }
  return settings
}

/** The terminal shows an error as one sentence; the API's log lines only with `ALLIANCE_DEBUG`. */
function createDebugLog(io: Io) {
  const isDebug = Boolean(io.env.ALLIANCE_DEBUG)
  return createLog((line) => void (isDebug && io.stderr.write(line)), io.now)
}
