import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { media, mediaChecks, mediaPieces } from '#api/db/schema/media.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Settings } from '#api/settings.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isPlayable, type MediaFormat, maxMediaBytes, pieceBytes } from '#shared/values/media.ts'
import { codecOf, detectFormat } from './content-rules.ts'
import { type MediaRow, mediaByContent, mediaById } from './queries.ts'

type HasFolder = { settings: Pick<Settings, 'dataDir'> }

export const mediaFolder = ({ settings }: HasFolder) => join(settings.dataDir, 'media')

export const mediaFile = (ctx: HasFolder, { sha256 }: Pick<MediaRow, 'sha256'>) =>
  join(mediaFolder(ctx), sha256.slice(0, 2), sha256)

/** Whether a file exists with its full length: damage by a disk usually cuts off the end. One we may not look at isn't there. */
export function isWholeFile(path: string, bytes: number): boolean {
  try {
    const found = statSync(path)
    return found.isFile() && found.size === bytes
  } catch {
    return false
  }
}

export type NewMedia = { name: string; isPublic: boolean; id?: string }

/** A file's SHA-256, and that of each of its pieces. */
export type Hashes = { sha256: string; pieces: readonly string[] }

export type Incoming = Hashes & { path: string; bytes: number; format: MediaFormat; codec: string | null }

/**
 * Flushes to disk before writing the row. A second file with the same bytes and visibility returns the first. Its type comes from
 * its content, and must be one of `mediaTypes`.
 */
export async function storeMedia(ctx: Context, content: Blob, file: NewMedia): Promise<MediaRow> {
  assertFits(ctx, content.size)
  const format = await detectFormat(content)
  const codec = await codecOf(content, format)
  const path = newIncomingPath(ctx)
  try {
    const hashes = await copyTo(path, content)
    return transact(ctx, () => keepMedia(ctx, { path, ...hashes, bytes: content.size, format, codec }, file))
  } finally {
    rmSync(path, { force: true })
  }
}

/** Links a file on disk into the store, which also repairs a damaged one. Call it inside a transaction. */
export function keepMedia(
  ctx: Context,
  { path, pieces, ...found }: Incoming,
  { name, isPublic, id }: NewMedia,
): MediaRow {
  const known = mediaByContent.get(ctx, { sha256: found.sha256, isPublic: Number(isPublic) })
  placeFile(ctx, { path, ...found })
  // Only videos and sounds are kept on phones.
  if (isPlayable(found.format)) keepPieces(ctx, { sha256: found.sha256, pieces })
  if (known !== undefined) return known
  const row = { id: id ?? ctx.newId(), ...found, name: toSafeName(name), isPublic }
  insertRow(ctx, media, { ...row, createdAt: ctx.now().toISOString() })
  return storedRow(ctx, row.id)
}

/** Returns how many weren't known. Call it inside a transaction. */
export const keepPieces = (ctx: Context, { sha256: file, pieces }: Hashes): number =>
  pieces.filter((sha256, index) => insertIfAbsent(ctx, mediaPieces, { file, index, sha256 })).length

export function storedRow(ctx: Context, id: string): MediaRow {
  const row = mediaById.get(ctx, { id })
  if (row === undefined) throw notFound('This file')
  return row
}

/** Disk space kept free for the database. */
const reservedBytes = 256 * 1024 ** 2

/** `toCome`: bytes other open uploads will still fill. */
export function assertFits(ctx: Context, bytes: number, toCome = 0): void {
  if (bytes === 0) throw new AppError('invalid', 'This file is empty.')
  if (bytes > maxMediaBytes) throw new AppError('too_large', 'A file can have up to 2 GB.')
  const { bavail, bsize } = statfsSync(ctx.settings.dataDir)
  if (bavail * bsize - bytes - toCome < reservedBytes)
    throw new AppError('busy', 'The server’s disk is full. Free some space and try again.', { retryAfter: 600 })
}

/** What to keep of a file on disk, whose format is known. */
export async function readIncoming(path: string, format: MediaFormat): Promise<Incoming> {
  const content = Bun.file(path)
  return { path, format, bytes: content.size, codec: await codecOf(content, format), ...(await hashesOf(path)) }
}

/** Writes a processed upload next to it, for `keepMedia` to take. */
export async function writeIncoming(ctx: Context, content: Blob): Promise<Incoming> {
  const path = newIncomingPath(ctx)
  const format = await detectFormat(content)
  return { path, format, codec: null, bytes: content.size, ...(await copyTo(path, content)) }
}

function startHashes(): { update(chunk: Uint8Array): void; digest(): Hashes } {
  const whole = new Bun.CryptoHasher('sha256')
  const pieces: string[] = []
  let piece = new Bun.CryptoHasher('sha256')
  let filled = 0
  const endPiece = () => {
    pieces.push(piece.digest('hex'))
    piece = new Bun.CryptoHasher('sha256')
    filled = 0
  }
  return {
    update(chunk) {
      whole.update(chunk)
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + pieceBytes - filled)
        piece.update(part)
        at += part.length
        filled += part.length
        if (filled === pieceBytes) endPiece()
      }
    },
    digest() {
      if (filled > 0) endPiece()
      return { sha256: whole.digest('hex'), pieces }
    },
  }
}

/** Flushes the file's bytes to disk. */
export async function hashesOf(path: string): Promise<Hashes> {
  const hash = startHashes()
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  return hash.digest()
}

/** Writes the bytes and flushes them to disk. */
async function copyTo(file: string, content: Blob): Promise<Hashes> {
  const hash = startHashes()
  const handle = await open(file, 'wx', 0o600)
  try {
    for await (const chunk of content.stream()) {
      hash.update(chunk)
      await handle.appendFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return hash.digest()
}

/**
 * Puts a file whose hash was just read where it's kept. Call it inside a transaction. The caller removes the file's first name after
 * the commit, so that a retry finds the bytes.
 */
export function placeFile(ctx: Context, { path, sha256 }: { path: string; sha256: string }): void {
  linkIntoPlace(path, mediaFile(ctx, { sha256 }))
  noteChecked(ctx, sha256, true)
}

/** What's there already may be damaged, and only its length says nothing of that, so it's replaced. Readers keep what they opened. */
function linkIntoPlace(partial: string, file: string): void {
  const folder = makeFolder(dirname(file))
  const beside = `${file}.new`
  rmSync(beside, { force: true })
  try {
    linkSync(partial, beside)
    renameSync(beside, file)
  } catch {
    // For file systems without hard links, such as some network ones.
    renameSync(partial, file)
  }
  // Renaming one name of a file to another of its names does nothing.
  rmSync(beside, { force: true })
  flushNames(folder)
}

/** A new file's name is on the disk only after this. */
function flushNames(folder: string): void {
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

/** As `flushNames`, while the event loop goes on. */
export async function flushNamesApart(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Notes that a file's content was read and compared with its hash. */
export function noteChecked(ctx: Context, file: string, isWhole: boolean): void {
  const checkedAt = ctx.now().toISOString()
  upsert(ctx, mediaChecks, { file, checkedAt, isWhole, ...(isWhole && { wholeAt: checkedAt }) })
}

/** For a file that's written before it's kept. What killed servers left there goes. */
export function newIncomingPath(ctx: Context): string {
  const incoming = makeFolder(join(mediaFolder(ctx), 'incoming'))
  removeLeftovers(incoming)
  return join(incoming, ctx.newId())
}

const leftoverMs = dayMs

function removeLeftovers(incoming: string): void {
  for (const name of readdirSync(incoming)) {
    const writtenAt = statSync(join(incoming, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - writtenAt > leftoverMs) rmSync(join(incoming, name), { force: true })
  }
}

export function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** A display name without folders and control characters, short enough for a file name. */
export function toSafeName(name: string): string {
  const plain = name
    .replace(/^.*[\\/]/, '')
    .replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')
    .trim()
  return plain.slice(0, 120).replace(/^\.+/, '') || 'file'
}
