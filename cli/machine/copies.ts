import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'
import {
  claimGeneration,
  newestCopies,
  newestGeneration,
  refusesSecondWrite,
  type StoredGeneration,
} from '#api/copies/copy-store.ts'
import { databaseFile, prepareDataDir } from '#api/db/data-dir.ts'
import { type Generation, generationOf, renewGeneration, writeGeneration } from '#api/db/generation.ts'
import { restoringMark } from '#api/db/restore-leftovers.ts'
import { describeServer, lockDataDir } from '#api/db/server-lock.ts'
import { writeSetting } from '#api/db/stored-settings.ts'
import { inspectCopy } from '#api/db/thread.ts'
import { hashOf } from '#api/features/operations/backup/create-service.ts'
import type { UnpackedBackup } from '#api/features/operations/backup/read-service.ts'
import { restoreTriedKey } from '#api/features/operations/doctor/copies-rules.ts'
import { errorCodeOf } from '#api/log.ts'
import { type ObjectStore, openObjectStore } from '#api/object-store/store.ts'
import type { Settings } from '#api/settings.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { openLocalContext, openRestored, readFolderSettings } from '#cli/transport-local.ts'
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

type Wanted = FoundCopy & { at: string | null }

/** Has Litestream put the copy together in a folder, and checks it. */
async function openCopy(io: Io, { settings }: Copies, wanted: Wanted, into: string): Promise<UnpackedBackup> {
  const file = join(into, 'alliance.sqlite')
  await runLitestream(io, settings, wanted, file)
  const { problems, tables, migration } = await inspectCopy(file)
  return {
    manifest: {
      format: 1,
      createdAt: wanted.at ?? wanted.newest,
      version: '',
      migration,
      database: { bytes: statSync(file).size, sha256: await hashOf(file), tables },
      hasSettings: false,
      media: [],
    },
    problems,
    rows: Object.values(tables).reduce((sum, count) => sum + count, 0),
    mediaProblems: [],
    damagedMedia: new Set(),
  }
}

/** Its settings name the database and the store; only the machine's name is ours to choose. */
async function runLitestream(io: Io, settings: Settings, { machine, at }: Wanted, to: string): Promise<void> {
  const { program, config, keys } = settings.copies
  const when = at === null ? [] : ['-timestamp', at]
  const database = resolve(databaseFile(settings.dataDir))
  const env = {
    ...io.env,
    LITESTREAM_MACHINE: machine,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    LITESTREAM_ACCESS_KEY_ID: keys.accessKeyId,
    LITESTREAM_SECRET_ACCESS_KEY: keys.secretAccessKey,
  }
  const argv = [program, 'restore', '-config', config, '-o', to, ...when, database]
  const { stderr, exited } = startProgram(argv, env)
  const said = (await new Response(stderr).text()).trim()
  if ((await exited) === 0 && existsSync(to)) return
  throw new Error(`Litestream couldn’t restore the copy: ${said.split('\n').at(-1) || 'it doesn’t say why'}.`)
}

function startProgram(argv: string[], env: Io['env']) {
  try {
    return Bun.spawn(argv, { env, stdout: 'ignore', stderr: 'pipe' })
  } catch (error) {
    if (errorCodeOf(error) !== 'ENOENT') throw error
    throw new Error(`Litestream isn’t here (${argv[0]}). Install it, or put its path into .env: LITESTREAM_PROGRAM.`)
  }
}

export async function restoreAt(io: Io, wanted: Wanted): Promise<RestoredHere> {
  const copies = openCopies(io)
  const newest = await oneSentence(() => newestGeneration(copies.store))
  return restoreFrom(io, copies.settings, {
    open: (into) => openCopy(io, copies, wanted, into),
    isUpToDate: wanted.at === null && wanted.isLatest,
    renew: (ctx, old) => renewGeneration(ctx, { old, newest }),
  })
}

/** Restores the newest copy beside the database, checks it, and notes that it was tried. */
export async function tryRestore(io: Io, named: string | undefined) {
  const copies = openCopies(io)
  const { settings } = copies
  const found = await findCopy(copies, named ?? settings.copies.machine)
  prepareDataDir(settings.dataDir)
  const into = mkdtempSync(join(settings.dataDir, restoringMark))
  const from = performance.now()
  try {
    const { problems, rows, manifest } = await oneSentence(() => openCopy(io, copies, { ...found, at: null }, into))
    if (problems.length > 0) throw new CliError(exitCodes.failed, `The copy is damaged: ${problems.join(' ')}`)
    const ctx = openLocalContext(io)
    writeSetting(ctx, restoreTriedKey, { at: io.now().toISOString() })
    ctx.sqlite.close()
    return { ...found, rows, bytes: manifest.database.bytes, seconds: (performance.now() - from) / 1000 }
  } finally {
    rmSync(into, { recursive: true, force: true })
  }
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
    open: (into) => openCopy(io, copies, { ...wanted, at: null }, into),
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
