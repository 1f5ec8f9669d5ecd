import {
  closeSync,
  fsyncSync,
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
import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { media } from '#api/db/schema/media.ts'
import { AppError, notFound } from '#api/errors.ts'
import { listOverrides } from '#api/features/content/queries.ts'
import type { Owner } from '#api/http/session.ts'
import { type MediaFormat, maxMediaBytes, mediaFormats } from '#shared/rules/media.ts'
import { documentsWithLogo, type MediaRow, mediaByContent, mediaById, rowsOfContent, usesOfMedia } from './queries.ts'

/** Where the bytes of all files lie. */
export const mediaFolder = ({ settings }: Context) => join(settings.dataDir, 'media')

/** Where the bytes of a row lie. */
export const mediaFile = (ctx: Context, { sha256 }: Pick<MediaRow, 'sha256'>) =>
  join(mediaFolder(ctx), sha256.slice(0, 2), sha256)

export type NewMedia = { name: string; isPublic: boolean; id?: string }

/**
 * Stores a file, durably before its row is. The same bytes are stored once; a second file of the same visibility is the one that
 * is there. What it is decides its content alone, and anything but the formats of `mediaTypes` is refused.
 */
export async function storeMedia(ctx: Context, content: Blob, { name, isPublic, id }: NewMedia): Promise<MediaRow> {
  assertFits(ctx, content.size)
  const format = await detectFormat(content)
  const incoming = makeFolder(join(mediaFolder(ctx), 'incoming'))
  removeLeftovers(incoming)
  const partial = join(incoming, ctx.newId())
  try {
    const sha256 = await copyTo(partial, content)
    return transact(ctx, () => {
      const known = mediaByContent.get(ctx, { sha256, isPublic: Number(isPublic) })
      if (known !== undefined) return known
      moveIntoPlace(partial, mediaFile(ctx, { sha256 }))
      const row = { id: id ?? ctx.newId(), sha256, bytes: content.size, format, name: toSafeName(name), isPublic }
      insertRow(ctx, media, { ...row, createdAt: ctx.now().toISOString() })
      return storedRow(ctx, row.id)
    })
  } finally {
    rmSync(partial, { force: true })
  }
}

/** Removes a file that no video plays and no page shows. Its bytes go with the last row that names them. */
export function removeMedia(ctx: Context, owner: Owner, id: string): { success: true } {
  transact(ctx, () => {
    const row = storedRow(ctx, id)
    const uses = usesOfMedia.all(ctx, { id }).length
    if (uses > 0)
      throw new AppError(
        'conflict',
        `${uses === 1 ? 'A video plays' : `${uses} videos play`} this file. Take it out of there first.`,
      )
    if (isInContent(ctx, id))
      throw new AppError('conflict', 'A page shows this picture. Take it out of the content first.')
    if (documentsWithLogo.get(ctx, { start: `/media/${id}.` }) !== undefined)
      throw new AppError('conflict', 'Invoices were issued with this logo, and it has to stay on them.')
    ctx.db.delete(media).where(eq(media.id, id)).run()
    audit(ctx, owner.actor, 'media.removed', { targetId: id, detail: { name: row.name } })
    // Within the transaction: nobody can store the same bytes meanwhile, and find them gone.
    if (rowsOfContent.all(ctx, row).length === 0) rmSync(mediaFile(ctx, row), { force: true })
  })
  return { success: true }
}

const isInContent = (ctx: Context, id: string): boolean =>
  JSON.stringify(listOverrides(ctx).map(({ value }) => value)).includes(`/media/${id}.`)

function storedRow(ctx: Context, id: string): MediaRow {
  const row = mediaById.get(ctx, { id })
  if (row === undefined) throw notFound('This file')
  return row
}

/** What the disk keeps free for the database. */
const reservedBytes = 256 * 1024 ** 2

function assertFits(ctx: Context, bytes: number): void {
  if (bytes === 0) throw new AppError('invalid', 'This file is empty.')
  if (bytes > maxMediaBytes) throw new AppError('too_large', 'A file may have at most 2 GB.')
  const { bavail, bsize } = statfsSync(ctx.settings.dataDir)
  if (bavail * bsize - bytes < reservedBytes)
    throw new AppError('busy', 'There is no room for this file on the server.', { retryAfter: 600 })
}

/** What the package finds, under the ending that we give it. */
const foundAs: Partial<Record<string, MediaFormat>> = { m4v: 'mp4', opus: 'ogg', oga: 'ogg', ogv: 'ogg' }

async function detectFormat(content: Blob): Promise<MediaFormat> {
  // Loaded with the first file: no start waits for it.
  const { fileTypeFromBlob } = await import('file-type')
  const found = (await fileTypeFromBlob(content))?.ext ?? ''
  const format = foundAs[found] ?? mediaFormats.find((one) => one === found)
  if (format !== undefined) return format
  throw new AppError('unsupported_media_type', `Only these files can be stored: ${mediaFormats.join(', ')}.`)
}

/** Writes the bytes to the disk itself, and returns their SHA-256. */
async function copyTo(file: string, content: Blob): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
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
  return hash.digest('hex')
}

function moveIntoPlace(partial: string, file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return
  const folder = makeFolder(dirname(file))
  renameSync(partial, file)
  const opened = openSync(folder, 'r')
  fsyncSync(opened)
  closeSync(opened)
}

const leftoverMs = 86_400_000

/** What a start that was cut short has left. */
function removeLeftovers(incoming: string): void {
  for (const name of readdirSync(incoming)) {
    const writtenAt = statSync(join(incoming, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - writtenAt > leftoverMs) rmSync(join(incoming, name), { force: true })
  }
}

function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** A name for people: without folders and control characters, and no longer than a file's name may be. */
function toSafeName(name: string): string {
  const plain = name
    .replace(/^.*[\\/]/, '')
    .replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')
    .trim()
  return plain.slice(0, 120).replace(/^\.+/, '') || 'file'
}
