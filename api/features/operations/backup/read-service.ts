import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { isSealed, readSealedFile } from '#api/archive/sealed-file.ts'
import { type ArchiveEntry, readTar } from '#api/archive/tar.ts'
import { knownMigrations } from '#api/db/migrations.ts'
import { actingParts, openForeign } from '#api/db/own-schema.ts'
import { explainFullDisk, isFullError } from '#api/db/startup-error.ts'
import { inspectCopy } from '#api/db/thread.ts'
import { errorCodeOf, errorMessage } from '#api/log.ts'
import { BackupManifest } from '#shared/contract/backup.ts'
import { isInFuture } from '#shared/rules/keep-backups.ts'
import { makeCheckFolder, removeAbandonedChecks } from './leftovers-service.ts'

export type BackupFile = {
  file: string
  bytes: number
  createdAt: string
  isEncrypted: boolean
  /** Null if it's encrypted or unreadable. */
  manifest: BackupManifest | null
}

/** `isInFuture`: dated after now, by a clock that was ahead. */
export type ListedBackup = BackupFile & { isInFuture: boolean }

const backupName = /^alliance-.*\.(tar|sealed)$/

/** A folder's backups, newest first. For an encrypted one we only know the file's time. */
export async function listBackups(folder: string, now: Date): Promise<ListedBackup[]> {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => backupName.test(name))
  const found = await Promise.all(names.map((name) => describeBackup(join(folder, name))))
  return found
    .map((one) => ({ ...one, isInFuture: isInFuture(one.createdAt, now) }))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
}

export async function describeBackup(file: string): Promise<BackupFile> {
  const { size: bytes, mtime } = statSync(file)
  const isEncrypted = await isSealed(file)
  const manifest = isEncrypted ? null : await readManifest(file, null).catch(() => null)
  return { file, bytes, isEncrypted, manifest, createdAt: manifest?.createdAt ?? mtime.toISOString() }
}

export async function readManifest(file: string, passphrase: string | null): Promise<BackupManifest> {
  for await (const entry of readTar(readSealedFile(file, passphrase))) return parseManifest(file, entry)
  throw notOurs(file)
}

const notOurs = (file: string) => new Error(`${basename(file)} isn’t one of our backups.`)

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A hundred thousand media files need a third of this. Anything longer isn't ours, and would fill the memory. */
const mostManifestBytes = 32 * 1024 ** 2

async function parseManifest(file: string, { name, bytes, content }: ArchiveEntry): Promise<BackupManifest> {
  if (name !== 'manifest.json' || bytes > mostManifestBytes) throw notOurs(file)
  const manifest = manifestIn(await textOf(content))
  if (manifest === null) throw notOurs(file)
  return manifest
}

/** Null if it's no manifest of ours. One fault is enough to know: a foreign file may have a million. */
export function manifestIn(text: string): BackupManifest | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), BackupManifest), text, { abortEarly: true })
  return read.success ? read.output : null
}

export type OpenedBackup = { manifest: BackupManifest; problems: string[]; rows: number; newestChange: string | null }

/** `problems` concern the database and the whole backup. We may find a media file elsewhere, or do without it. */
export type UnpackedBackup = OpenedBackup & { mediaProblems: string[]; damagedMedia: Set<string> }

/** Where to unpack. `signal` aborts it. `leavesFilms`: those beside the backup aren't read. */
type Target = { into: string; signal?: AbortSignal; leavesFilms?: boolean }

/** Unpacks a backup into a folder only this user can read, and compares it with its manifest. */
export async function unpackBackup(file: string, passphrase: string | null, target: Target): Promise<UnpackedBackup> {
  const { into } = target
  const problems: string[] = []
  let manifest: BackupManifest | null = null
  let expected = new Map<string, number>()
  const hashes = new Map<string, string>()
  for await (const entry of readTar(readSealedFile(file, passphrase))) {
    const { name, bytes, content } = entry
    if (manifest === null) {
      manifest = await parseManifest(file, entry)
      expected = partsOf(manifest)
    } else if (hashes.has(name)) problems.push(`${name} is in it twice.`)
    else if (name === 'settings.env' || expected.get(name) === bytes)
      hashes.set(name, await writeOut(target, { name, bytes }, content))
    // A file of the wrong length counts as missing.
    else if (!expected.has(name)) problems.push(`${name} doesn’t belong in a backup.`)
  }
  if (manifest === null) throw notOurs(file)
  const mediaProblems = await unpackApart(file, passphrase, { manifest, target, hashes })
  const { database, sandbox } = manifest
  const media = manifest.media.filter(({ isApart }) => !(isApart && target.leavesFilms))
  const damaged = media.map(({ sha256 }) => sha256).filter((sha256) => hashes.get(`media/${sha256}`) !== sha256)
  mediaProblems.push(...damaged.map((sha256) => `Media file ${sha256.slice(0, 12)} is damaged or missing.`))
  const damagedMedia = new Set(damaged)
  if (sandbox !== undefined && hashes.get('sandbox.sqlite') !== sandbox.sha256)
    problems.push('The payment sandbox’s file is damaged, missing or not the one we copied.')
  else if (sandbox !== undefined) problems.push(...actingInSandbox(join(into, 'sandbox.sqlite')))
  if (hashes.get('alliance.sqlite') !== database.sha256) {
    return {
      manifest,
      problems: [...problems, otherDatabase],
      rows: 0,
      newestChange: null,
      mediaProblems,
      damagedMedia,
    }
  }
  const found = await inspectDatabase(join(into, 'alliance.sqlite'), database.tables, problems)
  return { manifest, ...found, mediaProblems, damagedMedia }
}

/** We don't open it then: it may be anything. */
const otherDatabase = 'The database is damaged, missing or not the one we copied.'

function actingInSandbox(file: string): string[] {
  const sqlite = openForeign(file)
  try {
    return actingParts(sqlite).map((part) => `The payment sandbox’s file has what we didn’t make: ${part}.`)
  } finally {
    sqlite.close()
  }
}

const partsOf = ({ database, sandbox, media }: BackupManifest) =>
  new Map([
    ['alliance.sqlite', database.bytes],
    ...(sandbox === undefined ? [] : [['sandbox.sqlite', sandbox.bytes] as const]),
    ...media.map(({ sha256, bytes }): [string, number] => [`media/${sha256}`, bytes]),
  ])

/** A newer version may have made parts that we don't know, so they can't be called foreign. */
export const fromNewerVersion = 'The backup is from a newer version. Update the program first.'

async function inspectDatabase(file: string, tables: Record<string, number>, problems: string[]) {
  const state = await inspectCopy(file)
  if (state.isForeign) return { problems: [...problems, ...state.problems], rows: 0, newestChange: null }
  const wrong = Object.entries(tables).flatMap(([table, count]) =>
    state.tables[table] === count ? [] : [`${table} has ${state.tables[table] ?? 'no'} rows instead of ${count}.`],
  )
  const rows = Object.values(state.tables).reduce((sum, count) => sum + count, 0)
  const newer = state.migration > Math.max(...knownMigrations()) ? [fromNewerVersion] : []
  return { problems: [...problems, ...newer, ...state.problems, ...wrong], rows, newestChange: state.newestChange }
}

type Unpacking = { manifest: BackupManifest; target: Target; hashes: Map<string, string> }

async function unpackApart(file: string, passphrase: string | null, { manifest, target, hashes }: Unpacking) {
  const problems: string[] = []
  for (const { sha256, bytes, isApart } of manifest.media) {
    const from = join(dirname(file), 'media', sha256)
    if (!isApart || target.leavesFilms) continue
    try {
      // A pipe or device may never end.
      if (!statSync(from, { throwIfNoEntry: false })?.isFile()) continue
      const name = `media/${sha256}`
      hashes.set(name, await writeOut(target, { name, bytes }, readSealedFile(from, passphrase)))
    } catch (error) {
      target.signal?.throwIfAborted()
      // A full disk or a missing permission says nothing about the media file.
      if (isFullError(error) || /^(EACCES|EPERM)$/.test(errorCodeOf(error))) throw error
      problems.push(`${from}: ${errorMessage(error)}`)
    }
  }
  return problems
}

/** Writes at most `bytes` and returns the hash. */
async function writeOut(
  { into, signal }: Target,
  { name, bytes }: Pick<ArchiveEntry, 'name' | 'bytes'>,
  content: AsyncIterable<Uint8Array>,
): Promise<string> {
  signal?.throwIfAborted()
  let left = bytes
  const path = join(into, name)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const descriptor = openSync(path, 'wx', 0o600)
  const hash = new Bun.CryptoHasher('sha256')
  try {
    for await (const chunk of content) {
      // A file stream never yields to the event loop, so Ctrl-C would go unnoticed until its end.
      await setImmediate()
      signal?.throwIfAborted()
      left -= chunk.length
      if (left < 0) throw new Error('It’s longer than the backup says.')
      hash.update(chunk)
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at)
    }
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}

/** Unpacks a backup next to it, or in the system's temporary folder if that isn't writable. Always leaves nothing behind. */
export async function verifyBackup(
  file: string,
  passphrase: string | null,
  { signal, leavesFilms = false }: { signal: AbortSignal; leavesFilms?: boolean },
): Promise<OpenedBackup> {
  removeAbandonedChecks(dirname(file))
  const into = makeCheckFolder(dirname(file))
  const remove = () => rmSync(into, { recursive: true, force: true })
  // The process exits before this `await` returns.
  signal.addEventListener('abort', remove, { once: true })
  try {
    const {
      mediaProblems,
      damagedMedia: _damaged,
      ...opened
    } = await unpackBackup(file, passphrase, { into, signal, leavesFilms })
    return { ...opened, problems: [...opened.problems, ...mediaProblems] }
  } catch (error) {
    throw explainFullDisk(error, dirname(into))
  } finally {
    signal.removeEventListener('abort', remove)
    remove()
  }
}
