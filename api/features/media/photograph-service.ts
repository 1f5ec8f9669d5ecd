import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { errorMessage } from '#api/log.ts'
import { type Asked, draw, mostPixels, UnreadablePicture } from '#api/pictures/drawing.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import { hasMatchingEtag } from '#api/serving/compressed-response.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import type { MediaFile, NewPicture } from '#shared/contract/media.ts'
import { photoSide } from '#shared/contract/photo.ts'
import { photographShapes, photographWidths } from '#shared/rules/picture-address.ts'
import { type MediaFormat, pictureType } from '#shared/values/media.ts'
import { describeMedia } from './library-service.ts'
import { type MediaRow, mediaById } from './queries.ts'
import { publicMediaCaching } from './response-service.ts'
import { mediaFile, mediaFolder, storeMedia } from './store-service.ts'

/** Counts as 24 megapixels on a camera. Browsers make photos far smaller, and anyone with an account may send one. */
const mostPixelsOfFace = 25_000_000

/** Why a picture was unreadable, worded for the uploader. Passes other errors on. */
function refusalOf(error: unknown, formats: string, most = mostPixels): unknown {
  if (!(error instanceof UnreadablePicture)) return error
  return error.message.includes('exceeds pixel limit')
    ? new AppError(
        'too_large',
        `This picture has more than ${most / 1_000_000} million pixels. Make it smaller and upload that.`,
      )
    : unreadable(formats)
}

const unreadable = (formats: string) =>
  new AppError('unsupported_media_type', `We can’t read this picture. Use a ${formats}.`)

const isPicture = ({ format, isPublic }: MediaRow) => isPublic && /^(jpg|png|webp)$/.test(format)

function publicPicture(ctx: Context, id: string): MediaRow {
  const row = mediaById.get(ctx, { id })
  if (row === undefined || !isPicture(row)) throw notFound('This picture')
  return row
}

/** Whether a logo is the owners' own picture rather than our drawing. */
export const isStoredPicture = (logo: string): boolean => logo.startsWith('/media/')

/** The owners' logo for a document; null if they have none or its file is gone. */
export async function logoForDocument(ctx: Context, logo = ''): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isStoredPicture(logo)) return null
  try {
    return await logoPng(ctx, logo)
  } catch (error) {
    ctx.log.error('a document was drawn without its logo', { logo, reason: errorMessage(error) })
    return null
  }
}

export async function logoPng(ctx: Context, address: string, isSquare = true): Promise<Uint8Array<ArrayBuffer>> {
  const row = publicPicture(ctx, address.replace(/^\/media\/|\.\w+$/g, ''))
  return draw(mediaFile(ctx, row), { as: 'logo', side: 320, isSquare })
}

/** Upright, no larger than a screen, without metadata or hidden content. `wanted` is the format of the file it replaces. */
export async function withoutMetadata(
  content: Uint8Array,
  { wanted = null, asked }: { wanted?: MediaFormat | null; asked: Asked | undefined },
): Promise<Blob> {
  try {
    return new Blob([await draw(content, { as: 'stored', format: wanted }, { asked })])
  } catch (error) {
    throw refusalOf(error, 'JPEG, PNG or WebP')
  }
}

export async function squarePhoto(content: Uint8Array, asked: Asked): Promise<Uint8Array> {
  // Check the first bytes, which pick the decoder: anyone with a login may send a file, and there are decoders for a dozen types.
  if (pictureType(content) === null) throw unreadable('JPEG, PNG or WebP')
  try {
    return await draw(content, { as: 'face', side: photoSide }, { most: mostPixelsOfFace, asked })
  } catch (error) {
    throw refusalOf(error, 'JPEG, PNG or WebP', mostPixelsOfFace)
  }
}

const types = { avif: 'image/avif', webp: 'image/webp' } as const

/** A photograph in one size, made on the first request and kept. */
export async function respondWithPhotograph(ctx: Context, request: Request, file: string): Promise<Response> {
  const [, id = '', name, format] = /^([\w-]+)-(\d+(?:x\d+)?)\.(avif|webp)$/.exec(file) ?? []
  const size = sizes.find((one) => nameOf(one) === name)
  if (size === undefined || (format !== 'avif' && format !== 'webp')) throw notFound('This picture')
  const row = publicPicture(ctx, id)
  const path = await resizedFile(ctx, row, { ...size, format })
  const etag = `"${row.sha256}-${name}.${format}"`
  const headers = {
    'content-type': types[format],
    'x-content-type-options': 'nosniff',
    'content-security-policy': closedPolicy,
    'cache-control': publicMediaCaching,
    etag,
  }
  if (hasMatchingEtag(request, etag)) return new Response(null, { status: 304, headers })
  return new Response(Bun.file(path), { headers })
}

/** We make no other sizes: they'd fill the disk. */
const sizes = photographWidths.flatMap((width): Size[] => [
  ...photographShapes.map((shape) => ({ width, height: Math.round((width * shape) / 100) })),
  { width },
])

/** Without a height, a picture keeps its shape and isn't enlarged. */
type Size = { width: number; height?: number }

const nameOf = ({ width, height }: Size) => (height === undefined ? `${width}` : `${width}x${height}`)

type Wanted = Size & { format: keyof typeof types }

async function resizedFile(ctx: Context, row: MediaRow, wanted: Wanted): Promise<string> {
  const file = join(mediaFolder(ctx), 'sizes', `${row.sha256}-${nameOf(wanted)}.${wanted.format}`)
  // An existing file needn't wait for the lock.
  if (await Bun.file(file).exists()) return file
  // Concurrent requests share one resize.
  return withKeyLock(ctx, `photograph ${file}`, async () => {
    if (!(await Bun.file(file).exists())) await resize(ctx, { row, wanted, file })
    return file
  })
}

async function resize(ctx: Context, { row, wanted, file }: { row: MediaRow; wanted: Wanted; file: string }) {
  try {
    const made = await draw(mediaFile(ctx, row), { as: 'resized', ...wanted })
    mkdirSync(join(mediaFolder(ctx), 'sizes'), { recursive: true, mode: 0o700 })
    const unfinished = `${file}.${ctx.newId()}`
    await writeFile(unfinished, made, { mode: 0o600 })
    await rename(unfinished, file)
  } catch (error) {
    ctx.log.error('a photograph could not be made smaller', { id: row.id, reason: errorMessage(error) })
    throw notFound('This picture')
  }
}

/** Whether it starts like an SVG, the only text format decoded here. */
const isDrawing = (bytes: Uint8Array) => /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 1000)))

/** Reports a refusal at its field. */
async function readSent(bytes: Uint8Array, asked: Asked | undefined): Promise<Blob> {
  try {
    if (pictureType(bytes) === null && !isDrawing(bytes)) throw unreadable('JPEG, PNG, WebP or SVG')
    return await withoutMetadata(bytes, { asked })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, error.message, { fields: { content: error.message } })
  }
}

export async function addPicture(
  ctx: Context,
  { actor }: Owner,
  { body: { name, content }, signal }: { body: NewPicture; signal: AbortSignal },
): Promise<MediaFile> {
  const bytes = new Uint8Array(Buffer.from(content, 'base64'))
  const stored = await storePicture(ctx, actor, { name, bytes, asked: { by: actor, signal } })
  return describeMedia(ctx, stored.id)
}

type PictureBytes = { name: string; bytes: Uint8Array; id?: string; asked?: Asked }

/** A public picture in the library, or the one that's there with the same bytes. */
export async function storePicture(
  ctx: Context,
  actor: string,
  { bytes, asked, ...file }: PictureBytes,
): Promise<MediaRow> {
  const stored = await storeMedia(ctx, await readSent(bytes, asked), { ...file, isPublic: true })
  audit(ctx, actor, 'media.added', { targetId: stored.id, detail: { name: stored.name } })
  return stored
}
