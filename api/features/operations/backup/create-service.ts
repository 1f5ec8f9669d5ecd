import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { asc } from 'drizzle-orm'
import * as v from 'valibot'
import { isSealed, sealedBytes, writeSealedFile } from '#api/archive/sealed-file.ts'
import { type ArchiveEntry, writeTar } from '#api/archive/tar.ts'
import type { Context } from '#api/context.ts'
import { copyDatabase } from '#api/db/copy.ts'
import { sandboxFile } from '#api/db/data-dir.ts'
import { media } from '#api/db/schema/media.ts'
import { isDamageError } from '#api/db/sqlite-errors.ts'
import { explainFullDisk } from '#api/db/startup-error.ts'
import { inspectCopy } from '#api/db/thread.ts'
import { AppError } from '#api/errors.ts'
import { listVideoFiles, videoFilesInStore } from '#api/features/media/remote-service.ts'
import { isWholeFile, mediaFile, noteChecked } from '#api/features/media/store-service.ts'
import { errorMessage } from '#api/log.ts'
import { projectFolder } from '#api/project.ts'
import type { BackupManifest } from '#shared/contract/backup.ts'
import { partialPath, removeAbandonedChecks, removePartial } from './leftovers-service.ts'

export type BackupRequest = {
  /** Created if missing. */
  folder: string
  passphrase: string | null
  /** Media files go into `media` next to the backup, so that the next one needn't copy them again. */
  isMediaApart: boolean
  /** Used instead of the time. */
  name?: string
}

type LeftOut = { name: string; file: string }

export type MadeBackup = {
  file: string
  bytes: number
  manifest: BackupManifest
  leftOut: LeftOut[]
  /** How many video files aren't in it because their store has them. */
  inStore: number
}

/** Copies this machine's database, media and settings into one file. The server may keep running and writing. */
export async function createBackup(
  ctx: Context,
  { folder, passphrase, isMediaApart, name }: BackupRequest,
): Promise<MadeBackup> {
  prepareFolder(folder)
  const createdAt = ctx.now().toISOString()
  const copy = partialPath(folder, `database-${ctx.newId()}`)
  const sandboxCopy = partialPath(folder, `sandbox-${ctx.newId()}`)
  const whole = partialPath(folder, `whole-${ctx.newId()}`)
  try {
    await copyDatabase(ctx.sqlite.name, copy)
    const { problems, tables, migration } = await inspectCopy(copy)
    if (problems.length > 0) throw new AppError('conflict', `The database is damaged: ${problems.join(' ')}`)
    const { files, leftOut, inStore } = await mediaFiles(ctx, { folder, passphrase, isMediaApart })
    const sandbox = await copySandbox(ctx, sandboxCopy)
    const env = resolve('.env')
    const manifest: BackupManifest = {
      format: 1,
      createdAt,
      version: programVersion(),
      migration,
      database: { bytes: statSync(copy).size, sha256: await hashOf(copy), tables },
      ...(sandbox === null ? {} : { sandbox }),
      hasSettings: existsSync(env),
      media: files.map(({ sha256, bytes }) => ({ sha256, bytes, isApart: isMediaApart })),
    }
    const onDamaged = ({ name, path, sha256 }: MediaFile) => {
      leftOut.push({ name, file: path })
      noteChecked(ctx, sha256, false)
    }
    const entries = entriesOf({ manifest, copy, sandboxCopy, env, files: isMediaApart ? [] : files, onDamaged })
    await writeSealedFile(whole, writeTar(entries), { passphrase, partial: partialPath(folder, ctx.newId()) })
    const called = name ?? `alliance-${createdAt.slice(0, 19).replaceAll(':', '-')}`
    const file = moveInto(join(folder, called), { whole, createdAt, end: passphrase === null ? 'tar' : 'sealed' })
    for (const { file: path } of leftOut)
      ctx.log.error('a stored file is not whole, and not in the backup', { file: path })
    return { file, bytes: statSync(file).size, manifest, leftOut, inStore }
  } catch (error) {
    throw explainFullDisk(error, folder)
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal'])
      for (const file of [copy, sandboxCopy]) rmSync(`${file}${end}`, { force: true })
    rmSync(whole, { force: true })
  }
}

/** Dated when it was made: of an encrypted backup, `listBackups` can see no more. */
function moveInto(path: string, { whole, createdAt, end }: { whole: string; createdAt: string; end: string }): string {
  const file = freeName(path, end)
  utimesSync(whole, new Date(createdAt), new Date(createdAt))
  renameSync(whole, file)
  return file
}

/**
 * A demo's payments, without which its members owe what no one can charge. Copied after the database, since a sync only reads what
 * the database lacks. A damaged one mustn't stop the backup.
 */
async function copySandbox({ settings, log }: Context, to: string): Promise<BackupManifest['sandbox'] | null> {
  const file = sandboxFile(settings.dataDir)
  if (!settings.isSandbox || !existsSync(file)) return null
  try {
    await copyDatabase(file, to)
    return { bytes: statSync(to).size, sha256: await hashOf(to) }
  } catch (error) {
    if (!isDamageError(error)) throw error
    log.error('the payment sandbox’s file is damaged, and not in the backup', { reason: errorMessage(error) })
    return null
  }
}

/** Never replaces another backup, which may hold what's been lost since. Call it once the new file is ready. */
function freeName(first: string, end: string): string {
  for (let count = 1; ; count += 1) {
    const file = `${first}${count === 1 ? '' : `-${count}`}.${end}`
    if (!existsSync(file)) return file
  }
}

const programVersion = () =>
  v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')))
    .version

function prepareFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  removePartial(folder)
  removeAbandonedChecks(folder)
}

type MediaFile = { sha256: string; bytes: number; name: string; path: string }

/** Lists bytes shared by several rows once. Leaves out an incomplete file, rather than letting it stop the backup. */
async function mediaFiles(
  ctx: Context,
  request: BackupRequest,
): Promise<Pick<MadeBackup, 'leftOut' | 'inStore'> & { files: MediaFile[] }> {
  const rows = ctx.db
    .select({ sha256: media.sha256, bytes: media.bytes, name: media.name })
    .from(media)
    .orderBy(asc(media.sha256))
    .all()
  const known = new Map(rows.map((row) => [row.sha256, { ...row, path: mediaFile(ctx, row) }]))
  if (request.isMediaApart) makeFolderApart(request.folder)
  const files: MediaFile[] = []
  for (const file of known.values()) {
    const isThere = request.isMediaApart ? await isKeptApart(ctx, request, file) : isWholeFile(file.path, file.bytes)
    if (isThere) files.push(file)
  }
  const stored = await knownInStore(ctx)
  const others = [...known.values()].filter((file) => !files.includes(file))
  const leftOut = others.filter(({ sha256 }) => !stored.has(sha256)).map(({ name, path }) => ({ name, file: path }))
  return { files, leftOut, inStore: others.length - leftOut.length }
}

/** Those aren't in a backup: a restored site reads them from there as well. While the store is away, we take them to be there. */
async function knownInStore(ctx: Context): Promise<Set<string>> {
  try {
    return await videoFilesInStore(ctx)
  } catch (error) {
    ctx.log.warn('the store of films not looked at', { reason: errorMessage(error) })
    return new Set(listVideoFiles(ctx).map(({ sha256 }) => sha256))
  }
}

function makeFolderApart(folder: string): void {
  const apart = join(folder, 'media')
  mkdirSync(apart, { recursive: true, mode: 0o700 })
  chmodSync(apart, 0o700)
}

/** Copies it there unless a whole copy exists, in which case the site's own may even be lost. */
async function isKeptApart(ctx: Context, { folder, passphrase }: BackupRequest, file: MediaFile): Promise<boolean> {
  const { sha256, bytes, path } = file
  const to = join(folder, 'media', sha256)
  if (existsSync(to) && isWholeFile(to, (await isSealed(to)) ? sealedBytes(bytes) : bytes)) return true
  if (!isWholeFile(path, bytes)) return false
  const partial = partialPath(folder, ctx.newId())
  try {
    await writeSealedFile(to, unchanged(createReadStream(path), sha256), { passphrase, partial })
    return true
  } catch (error) {
    if (!(error instanceof ChangedFile)) throw error
    noteChecked(ctx, sha256, false)
    return false
  }
}

class ChangedFile extends Error {}

/** What's backed up is kept for good, so verify it: throws at the end if its hash doesn't match, or once it can't be read. */
async function* unchanged(content: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = new Bun.CryptoHasher('sha256')
  const chunks = content[Symbol.asyncIterator]()
  const next = () =>
    chunks.next().catch(() => {
      throw new ChangedFile(sha256)
    })
  for (let chunk = await next(); !chunk.done; chunk = await next()) {
    hash.update(chunk.value)
    yield chunk.value
  }
  if (hash.digest('hex') !== sha256) throw new ChangedFile(sha256)
}

type Contents = {
  manifest: BackupManifest
  copy: string
  sandboxCopy: string
  env: string
  files: MediaFile[]
  /** Gets the files whose bytes weren't what they should be. The manifest has their hash, so a restore knows. */
  onDamaged: (file: MediaFile) => void
}

async function* entriesOf({
  manifest,
  copy,
  sandboxCopy,
  env,
  files,
  onDamaged,
}: Contents): AsyncGenerator<ArchiveEntry> {
  yield textEntry('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
  yield { name: 'alliance.sqlite', bytes: manifest.database.bytes, content: createReadStream(copy) }
  if (manifest.sandbox !== undefined)
    yield { name: 'sandbox.sqlite', bytes: manifest.sandbox.bytes, content: createReadStream(sandboxCopy) }
  if (manifest.hasSettings) yield textEntry('settings.env', readFileSync(env, 'utf8'))
  for (const file of files) {
    yield { name: `media/${file.sha256}`, bytes: file.bytes, content: readToEnd(file, () => onDamaged(file)) }
  }
}

/** Always as many bytes as the archive's header says, whatever the disk gives. */
async function* readToEnd({ path, bytes, sha256 }: MediaFile, onChanged: () => void): AsyncGenerator<Uint8Array> {
  let left = bytes
  try {
    for await (const chunk of unchanged(createReadStream(path, { end: bytes - 1 }), sha256)) {
      left -= chunk.length
      yield chunk
    }
  } catch (error) {
    if (!(error instanceof ChangedFile)) throw error
    onChanged()
    for (; left > 0; left -= Math.min(left, padding.length)) yield padding.subarray(0, left)
  }
}

const padding = new Uint8Array(64 * 1024)

function textEntry(name: string, text: string): ArchiveEntry {
  const content = Buffer.from(text)
  return {
    name,
    bytes: content.length,
    content: (async function* () {
      yield content
    })(),
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
