import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { mediaUploads } from '#api/db/schema/media.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { type Asked, pictureSize } from '#api/pictures/drawing.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import type { MediaFile, MediaRoom, MediaUpload, NewUpload } from '#shared/contract/media.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { kindOfMedia, type MediaFormat } from '#shared/values/media.ts'
import { assertShown, assertSound, detectFormat } from './content-rules.ts'
import {
  deletedUpload,
  openUploads,
  storedBytes,
  touchedUpload,
  type UploadRow,
  uploadById,
} from './library-queries.ts'
import { assertReplaceable, describeMedia, removeUnnamedBytes, replaceMedia } from './library-service.ts'
import { withoutMetadata } from './photograph-service.ts'
import {
  assertFits,
  flushNamesApart,
  type Incoming,
  keepMedia,
  mediaFolder,
  readIncoming,
  toSafeName,
  writeIncoming,
} from './store-service.ts'

export const uploadFolder = (ctx: Context) => join(mediaFolder(ctx), 'uploads')
export const uploadFile = (ctx: Context, id: string) => join(uploadFolder(ctx), id)

/** How many bytes have arrived, which only the file knows. Null if it's gone. */
export const arrivedBytes = (ctx: Context, id: string): number | null =>
  statSync(uploadFile(ctx, id), { throwIfNoEntry: false })?.size ?? null

export const toUpload = (
  { mediaId: _, updatedAt: __, isImport: ___, replacesId, ...row }: UploadRow,
  offset: number,
): MediaUpload => ({
  ...row,
  replaces: replacesId,
  offset,
})

/** Of the library. A file to move in from shows with its import. */
export const listUploads = (ctx: Context): MediaUpload[] =>
  openUploads
    .all(ctx)
    .filter(({ isImport }) => !isImport)
    .map((row) => toUpload(row, arrivedBytes(ctx, row.id) ?? 0))

/** No person needs more, and each one reserves disk space. */
const mostOpen = 500

/** Starts an upload. Choosing the same file again resumes it. Its file's name is on the disk before we say so. */
export async function beginUpload(ctx: Context, owner: Owner, request: NewUpload): Promise<MediaUpload> {
  const upload = createUpload(ctx, owner, request)
  await flushNamesApart(uploadFolder(ctx))
  return upload
}

function createUpload(ctx: Context, owner: Owner, request: NewUpload): MediaUpload {
  return transact(ctx, () => {
    const open = openUploads.all(ctx)
    const same = open.find((row) => isSame(row, request))
    const arrived = same === undefined ? null : arrivedBytes(ctx, same.id)
    if (same !== undefined && arrived !== null) return toUpload(same, arrived)
    if (open.length >= mostOpen)
      throw new AppError('conflict', `You’ve got ${mostOpen} unfinished uploads. Finish or remove some first.`)
    if (request.isImport && request.bytes > maxImportBytes)
      throw new AppError('too_large', 'A file to move in from can have up to 500 MB.')
    if (request.replaces !== null) assertReplaceable(ctx, request.replaces)
    assertRoom(ctx, request.bytes, open)
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    const { replaces, ...wanted } = request
    const name = toSafeName(request.name)
    mkdirSync(uploadFolder(ctx), { recursive: true, mode: 0o700 })
    writeFileSync(uploadFile(ctx, id), '', { mode: 0o600 })
    insertRow(ctx, mediaUploads, { id, ...wanted, name, replacesId: replaces, createdAt: at, updatedAt: at })
    audit(ctx, owner.actor, 'media.upload_begun', { targetId: id, detail: { name, bytes: request.bytes } })
    return toUpload(findUpload(ctx, id), 0)
  })
}

const maxImportBytes = 500_000_000

const isSame = (row: UploadRow, { fingerprint, bytes, isPublic, isImport, replaces }: NewUpload): boolean =>
  row.fingerprint === fingerprint &&
  row.bytes === bytes &&
  row.isPublic === isPublic &&
  row.isImport === isImport &&
  row.replacesId === replaces

function assertRoom(ctx: Context, bytes: number, open: readonly UploadRow[]): void {
  const promised = open.reduce((sum, row) => sum + row.bytes, 0)
  const arrived = open.reduce((sum, row) => sum + (arrivedBytes(ctx, row.id) ?? 0), 0)
  assertFits(ctx, bytes, promised - arrived)
  const { bytes: stored, quota } = roomOfLibrary(ctx)
  if (stored + promised + bytes > quota)
    throw new AppError(
      'too_large',
      `Your library is full (${quota / gigabyte} GB). Delete files you’re not using and try again.`,
    )
}

const gigabyte = 1000 ** 3

export const roomOfLibrary = (ctx: Context): MediaRoom => ({
  bytes: storedBytes.get(ctx)?.bytes ?? 0,
  quota: ctx.settings.mediaQuotaGb * gigabyte,
})

export function findUpload(ctx: Context, id: string): UploadRow {
  const row = uploadById.get(ctx, { id })
  if (row === undefined) throw notFound('This upload')
  return row
}

export function readUpload(ctx: Context, id: string): MediaUpload {
  const row = findUpload(ctx, id)
  return toUpload(row, arrivedBytes(ctx, id) ?? (row.mediaId === null ? 0 : row.bytes))
}

export const lockOf = (id: string) => `upload:${id}`

const refusals: readonly string[] = ['unsupported_media_type', 'too_large', 'invalid', 'conflict']

/** If an upload's content is refused, deletes all of it. */
export async function forgetIfRefused<Result>(ctx: Context, id: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && refusals.includes(error.code)) forgetUpload(ctx, id)
    throw error
  }
}

export function forgetUpload(ctx: Context, id: string): void {
  deletedUpload.run(ctx, { id })
  rmSync(uploadFile(ctx, id), { force: true })
}

type Finish = { id: string; signal: AbortSignal }

/** Checks the uploaded file and stores it. Safe to repeat after a lost response. */
export function finishUpload(ctx: Context, owner: Owner, { id, signal }: Finish): Promise<MediaFile> {
  return withKeyLock(ctx, lockOf(id), async () => {
    const row = findUpload(ctx, id)
    if (row.mediaId !== null) return describeMedia(ctx, row.mediaId)
    if (row.isImport) throw notFound('This upload')
    const arrived = arrivedBytes(ctx, id) ?? 0
    if (arrived !== row.bytes)
      throw new AppError(
        'conflict',
        `${arrived} of ${row.bytes} bytes have arrived. Choose the file again to send the rest.`,
      )
    // One at a time of each owner: it takes a core and the disk.
    const { actor } = owner
    const store = () => storeUpload(ctx, owner, { row, asked: { by: actor, signal } })
    return forgetIfRefused(ctx, id, () => withKeyLock(ctx, `uploads of ${actor}`, store))
  })
}

type Uploaded = { row: UploadRow; asked: Asked }

async function storeUpload(ctx: Context, owner: Owner, { row, asked }: Uploaded): Promise<MediaFile> {
  const path = uploadFile(ctx, row.id)
  const content = Bun.file(path)
  const found = await detectFormat(content)
  await assertSound(content, found)
  const format = await assertShown(content, found)
  const incoming = await incomingOf(ctx, path, { format, row, asked })
  const captions = format === 'vtt' ? decodeText(await content.bytes()) : null
  try {
    const size = kindOfMedia(format) === 'picture' ? await pictureSize(incoming.path, asked) : null
    const { file, replaced } = transact(ctx, () => {
      const { name, replacesId } = row
      const mediaId = replacesId ?? keepNew(ctx, owner, { row, incoming })
      const replaced =
        replacesId === null ? null : replaceMedia(ctx, owner, { id: mediaId, name, incoming, captions, size })
      touchedUpload.run(ctx, { id: row.id, updatedAt: ctx.now().toISOString(), mediaId })
      return { file: describeMedia(ctx, mediaId), replaced }
    })
    if (replaced !== null) removeUnnamedBytes(ctx, replaced)
    return file
  } finally {
    if (incoming.path !== path) rmSync(incoming.path, { force: true })
    if (uploadById.get(ctx, row)?.mediaId) rmSync(path, { force: true })
  }
}

/** A picture loses its metadata and takes the format of the one it replaces. */
async function incomingOf(
  ctx: Context,
  path: string,
  { format, row, asked }: Uploaded & { format: MediaFormat },
): Promise<Incoming> {
  if (kindOfMedia(format) !== 'picture') return readIncoming(path, format)
  const wanted = row.replacesId === null ? null : assertReplaceable(ctx, row.replacesId).format
  const picture = await withoutMetadata(await readFile(path), { wanted, asked })
  return writeIncoming(ctx, picture)
}

function keepNew(ctx: Context, owner: Owner, { row, incoming }: { row: UploadRow; incoming: Incoming }): string {
  const { id, name } = keepMedia(ctx, incoming, { name: row.name, isPublic: row.isPublic })
  audit(ctx, owner.actor, 'media.added', { targetId: id, detail: { name } })
  return id
}

export function removeUpload(ctx: Context, owner: Owner, id: string): Promise<{ success: true }> {
  return withKeyLock(ctx, lockOf(id), async () => {
    const { name } = findUpload(ctx, id)
    audit(ctx, owner.actor, 'media.upload_removed', { targetId: id, detail: { name } })
    forgetUpload(ctx, id)
    return { success: true }
  })
}
