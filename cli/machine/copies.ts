import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import {
  claimGeneration,
  copyObjects,
  newestCopies,
  newestGeneration,
  refusesSecondWrite,
  type StoredGeneration,
} from '#api/copies/copy-store.ts'
import {
  assertReadable,
  describeChange,
  findLitestream,
  namesOfKeys,
  reachOf,
  settingsOfCopies,
} from '#api/copies/litestream.ts'
import { inTime } from '#api/copies/replaced.ts'
import { openCopy, tryCopy } from '#api/copies/try-copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { type Generation, generationOf, renewGeneration, writeGeneration } from '#api/db/generation.ts'
import { describeServer, lockDataDir } from '#api/db/server-lock.ts'
import { hashOf } from '#api/features/operations/backup/create-service.ts'
import type { UnpackedBackup } from '#api/features/operations/backup/read-service.ts'
import { type ObjectStore, openObjectStore } from '#api/object-store/store.ts'
import type { Settings } from '#api/settings.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { openRestored, readFolderSettings } from '#cli/transport-local.ts'
import { Readiness } from '#shared/contract/health.ts'
import { oneSentence } from './backup.ts'
import { type RestoredHere, restoreFrom } from './restore.ts'

type Copies = { settings: Settings; store: ObjectStore }

export function openCopies(io: Io): Copies {
  const settings = readFolderSettings(io)
  const { store } = settings.copies
  if (store === null) {
    const line =
      'We don’t know where the copies are: put LITESTREAM=1 and LITESTREAM_URL into .env. See docs/backup.md.'
    throw new CliError(exitCodes.failed, line)
  }
  return { settings, store: openObjectStore(store) }
}

export const hasDatabase = ({ settings }: Copies): boolean => existsSync(databaseFile(settings.dataDir))

/** A machine's copies. `newest`: when it last copied something. `isLatest`: no machine has had the site since. */
export type FoundCopy = { machine: string; newest: string; isLatest: boolean }

/** Those of the machine that took over last, or else the newest there are, unless a machine is named. */
export async function findCopy({ store }: Copies, named: string | undefined): Promise<FoundCopy> {
  const { copies, generation } = await oneSentence(async () => ({
    copies: await newestCopies(store),
    generation: await newestGeneration(store),
  }))
  const [byTime] = [...copies].sort(([, one], [, other]) => (one < other ? 1 : -1))
  const latest = (copies.has(generation?.machine ?? '') ? generation?.machine : byTime?.[0]) ?? ''
  const machine = named ?? latest
  const newest = copies.get(machine)
  if (newest !== undefined) return { machine, newest, isLatest: machine === (generation?.machine ?? latest) }
  const known = [...copies.keys()].join(', ')
  const line =
    known === '' ? 'There are no copies in the store.' : `There’s no copy of ${machine}. There are: ${known}.`
  throw new CliError(exitCodes.notFound, line)
}

/** `copiedTo`: until when the copies have something before `at`. */
type Wanted = FoundCopy & { at: string | null; copiedTo: string | null }

async function unpackCopy({ settings }: Copies, wanted: Wanted, into: string): Promise<UnpackedBackup> {
  const { file, bytes, problems, tables, migration, newestChange } = await openCopy(settings, { ...wanted, into })
  return {
    manifest: {
      format: 1,
      createdAt: wanted.copiedTo ?? wanted.at ?? wanted.newest,
      version: '',
      migration,
      database: { bytes, sha256: await hashOf(file), tables },
      hasSettings: false,
      media: [],
    },
    problems,
    newestChange,
    rows: Object.values(tables).reduce((sum, count) => sum + count, 0),
    mediaProblems: [],
    damagedMedia: new Set(),
  }
}

/** Refuses what this machine's Litestream can't read, or what no copy reaches back to. */
export async function assertRestorable({ settings }: Copies, { machine, at }: Pick<Wanted, 'machine' | 'at'>) {
  const { copies, dataDir } = settings
  const database = resolve(databaseFile(dataDir))
  return oneSentence(async () => {
    if (at === null) {
      await assertReadable(copies, { machine, at })
      return { isReached: null, copied: null }
    }
    const reach = await reachOf(copies, { database, machine, at })
    if (reach.isReached === false) {
      throw new CliError(exitCodes.notFound, `The copies of ${machine} don’t reach back to ${timeLabel(at)}.`)
    }
    return reach
  })
}

/** The settings for the Litestream that's here. `change`: what becomes of copies by the other version, if there are any. */
export async function settingsFor(
  io: Io,
  { hasKeys }: { hasKeys: boolean },
): Promise<{ text: string; version: string; change: string | null }> {
  const { settings, store } = openCopies(io)
  const { copies, dataDir } = settings
  if (copies.store === null) throw new Error('openCopies lets none without a store through.')
  const { machine } = copies
  const litestream = await oneSentence(() => findLitestream(copies))
  const database = resolve(databaseFile(dataDir))
  const keys = hasKeys ? copies.keys : namesOfKeys
  const text = settingsOfCopies(litestream, { database, store: copies.store, machine, keys })
  // Litestream has to start while its store is away too, or doesn't answer: the site's own start waits for it.
  const objects = await inTime(copyObjects(store, machine)).catch(() => [])
  return { text, version: litestream.version, change: describeChange(litestream, machine, objects) }
}

export async function restoreAt(io: Io, wanted: Wanted): Promise<RestoredHere> {
  const copies = openCopies(io)
  const newest = await oneSentence(() => newestGeneration(copies.store))
  return restoreFrom(io, copies.settings, {
    open: (into) => unpackCopy(copies, wanted, into),
    isUpToDate: wanted.at === null && wanted.isLatest,
    renew: (ctx, old) => renewGeneration(ctx, { old, newest }),
  })
}

/** Restores the newest copy beside the database, checks it, and throws it away. */
export async function tryRestore(io: Io, named: string | undefined) {
  const copies = openCopies(io)
  const { settings } = copies
  const found = await findCopy(copies, named ?? settings.copies.machine)
  const from = performance.now()
  const tried = await oneSentence(() => tryCopy(settings, found.machine))
  return { ...found, ...tried, seconds: (performance.now() - from) / 1000 }
}

/** Whether a site like ours answers at the public address. A proxy that finds none isn't one. */
export async function siteAnswers({ settings }: Copies): Promise<boolean> {
  try {
    const response = await fetch(`${settings.publicUrl}/ready`, { signal: AbortSignal.timeout(5_000) })
    return v.is(Readiness, await response.json())
  } catch {
    return false
  }
}

export const mayClaim = ({ store }: Copies): Promise<boolean> =>
  oneSentence(() => refusesSecondWrite(store, crypto.randomUUID()))

export async function takeOver(io: Io, wanted: FoundCopy): Promise<RestoredHere> {
  const copies = openCopies(io)
  return restoreFrom(io, copies.settings, {
    open: (into) => unpackCopy(copies, { ...wanted, at: null, copiedTo: null }, into),
    isUpToDate: wanted.isLatest,
    renew: (ctx, old) => claim(copies, ctx, old),
  })
}

/** Takes over with the database that's in the data folder, such as one just restored from a backup. */
export async function takeOverAsItIs(io: Io): Promise<StoredGeneration> {
  const copies = openCopies(io)
  const { dataDir } = copies.settings
  return oneSentence(async () => {
    const lock = lockDataDir(dataDir)
    if (lock === null) throw new Error(`A ${describeServer(dataDir)} Stop it first.`)
    const ctx = openRestored(io, copies.settings)
    try {
      return await claim(copies, ctx, null)
    } finally {
      ctx.sqlite.close()
      lock.release()
    }
  })
}

/** The last step before the database is moved in: from then on the other machine stops. */
async function claim(
  { settings, store }: Copies,
  ctx: Parameters<typeof generationOf>[0],
  old: Generation | null,
): Promise<StoredGeneration> {
  const newest = await newestGeneration(store)
  const number = Math.max(generationOf(ctx).number, old?.number ?? 0, newest?.number ?? 0) + 1
  const generation = { number, id: ctx.newId() }
  const stored = { ...generation, machine: settings.copies.machine, at: ctx.now().toISOString() }
  if (!(await claimGeneration(store, stored))) throw new Error('Another machine took over just now.')
  writeGeneration(ctx, generation)
  return stored
}
