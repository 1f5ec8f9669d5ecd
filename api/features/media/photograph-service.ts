import { mkdirSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import { closedPolicy } from '#api/http/closed-policy.ts'
import { hasMatchingEtag } from '#api/http/compressed-response.ts'
import type { Owner } from '#api/http/session.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { errorMessage } from '#api/log.ts'
import type { MediaFile, NewPicture } from '#shared/contract/media.ts'
import { photoSide } from '#shared/contract/photo.ts'
import { type MediaFormat, pictureType } from '#shared/rules/media.ts'
import { photographShapes, photographWidths } from '#shared/rules/picture-address.ts'
import { describeMedia, type PictureSize } from './library-service.ts'
import { type MediaRow, mediaById } from './queries.ts'
import { publicMediaCaching } from './response-service.ts'
import { mediaFile, mediaFolder, storeMedia } from './store-service.ts'

/** 50 megapixels: more is no photograph, and would fill the memory. */
const pixels = { limitInputPixels: 50_000_000 }

/** What counts as 24 megapixels on a camera: browsers make a face far smaller, and anybody with an account may send one. */
const pixelsOfFace = { limitInputPixels: 25_000_000 }

/** Why sharp has not read a picture, in words for the person who uploads it. */
const unreadable = (error: unknown, formats: string, { limitInputPixels } = pixels): AppError =>
  errorMessage(error).includes('exceeds pixel limit')
    ? new AppError(
        'too_large',
        `This picture has more than ${limitInputPixels / 1_000_000} million pixels. Please make it smaller and upload that.`,
      )
    : new AppError('unsupported_media_type', `This picture cannot be read. Please use a ${formats}.`)

const isPicture = ({ format, isPublic }: MediaRow) => isPublic && /^(jpg|png|webp)$/.test(format)

function publicPicture(ctx: Context, id: string): MediaRow {
  const row = mediaById.get(ctx, { id })
  if (row === undefined || !isPicture(row)) throw notFound('This picture')
  return row
}

/** Of a file as the store keeps it, upright. */
export async function pictureSize(path: string): Promise<PictureSize> {
  const { default: sharp } = await import('sharp')
  const { width, height } = await sharp(path, pixels).metadata()
  return { width, height }
}

/** Whether a logo is the owners' own picture, and not drawn by the program. */
export const isStoredPicture = (logo: string): boolean => logo.startsWith('/media/')

/** The owners' logo for a document; null where they have none, or its file is gone. */
export async function logoForDocument(ctx: Context, logo = ''): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!isStoredPicture(logo)) return null
  try {
    return await logoPng(ctx, logo)
  } catch (error) {
    ctx.log.error('a document was drawn without its logo', { logo, reason: errorMessage(error) })
    return null
  }
}

/** The logo at an address of the media store, in a square with room around it. */
export async function logoPng(ctx: Context, address: string): Promise<Uint8Array<ArrayBuffer>> {
  const row = publicPicture(ctx, address.replace(/^\/media\/|\.\w+$/g, ''))
  const { default: sharp } = await import('sharp')
  const fit = { fit: 'contain', background: '#ffffff' } as const
  const png = await sharp(mediaFile(ctx, row), pixels).resize(320, 320, fit).flatten({ background: '#ffffff' }).png()
  return new Uint8Array(await png.toBuffer())
}

/**
 * A picture as it goes into the store: upright, no larger than a screen, and without what the camera wrote into it, or anybody
 * hid behind it. `wanted` is the format of the one whose place it takes.
 */
export async function withoutMetadata(content: Uint8Array, wanted: MediaFormat | null = null): Promise<Blob> {
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(content, { ...pixels, density: 300 })
    const { format: found } = await image.metadata()
    const format = (wanted === 'jpg' ? 'jpeg' : wanted) ?? found
    const upright = image.rotate().resize(2560, 2560, { fit: 'inside', withoutEnlargement: true })
    if (format === 'jpeg') return toBlob(await upright.jpeg({ quality: 88, mozjpeg: true }).toBuffer())
    if (format === 'webp') return toBlob(await upright.webp({ quality: 88 }).toBuffer())
    if (format === 'png' || format === 'svg') return toBlob(await upright.png().toBuffer())
  } catch (error) {
    throw unreadable(error, 'JPEG, PNG, WebP or SVG')
  }
  throw unreadable(null, 'JPEG, PNG, WebP or SVG')
}

/**
 * A face as a small square, from whatever a phone took: upright, and without what the camera wrote into it. One after the other, as
 * each takes a core; no photograph for visitors waits for them.
 */
export async function squarePhoto(ctx: Context, content: Uint8Array): Promise<Uint8Array> {
  // Its first bytes say which decoder reads it: anybody with a login may send one, and there are decoders for a dozen kinds.
  if (pictureType(content) === null) throw unreadable(null, 'JPEG, PNG or WebP')
  return withKeyLock(ctx, 'faces', () => drawSquare(content))
}

async function drawSquare(content: Uint8Array): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(content, pixelsOfFace)
      .rotate()
      .resize(photoSide, photoSide, { position: 'attention' })
      .webp({ quality: 80 })
      .toBuffer()
  } catch (error) {
    throw unreadable(error, 'JPEG, PNG or WebP', pixelsOfFace)
  }
}

const toBlob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])

const types = { avif: 'image/avif', webp: 'image/webp' } as const

/** A photograph in one of its sizes, made with the first request for it, and kept. */
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

/** No others are made: they would fill the disk. */
const sizes = photographWidths.flatMap((width): Size[] => [
  ...photographShapes.map((shape) => ({ width, height: Math.round((width * shape) / 100) })),
  { width },
])

/** Without a height a picture keeps its own shape, and is made no larger than it is. */
type Size = { width: number; height?: number }

const nameOf = ({ width, height }: Size) => (height === undefined ? `${width}` : `${width}x${height}`)

type Wanted = Size & { format: keyof typeof types }

async function resizedFile(ctx: Context, row: MediaRow, wanted: Wanted): Promise<string> {
  const file = join(mediaFolder(ctx), 'sizes', `${row.sha256}-${nameOf(wanted)}.${wanted.format}`)
  // What is there waits for nothing that is being made.
  if (await Bun.file(file).exists()) return file
  // One after the other: each takes a core.
  return withKeyLock(ctx, 'photographs', async () => {
    if (!(await Bun.file(file).exists())) await resize(ctx, { row, wanted, file })
    return file
  })
}

async function resize(ctx: Context, { row, wanted, file }: { row: MediaRow; wanted: Wanted; file: string }) {
  const { width, height, format } = wanted
  try {
    const { default: sharp } = await import('sharp')
    const whole = sharp(mediaFile(ctx, row), pixels)
    const image =
      height === undefined
        ? whole.resize({ width, withoutEnlargement: true })
        : whole.resize(width, height, { fit: 'cover', position: 'attention' })
    const made = format === 'avif' ? image.avif({ quality: 55, effort: 2 }) : image.webp({ quality: 78 })
    mkdirSync(join(mediaFolder(ctx), 'sizes'), { recursive: true, mode: 0o700 })
    const unfinished = `${file}.${ctx.newId()}`
    await writeFile(unfinished, await made.toBuffer(), { mode: 0o600 })
    await rename(unfinished, file)
  } catch (error) {
    ctx.log.error('a photograph could not be made smaller', { id: row.id, reason: errorMessage(error) })
    throw notFound('This picture')
  }
}

/** Whether it begins as an SVG does, which alone of what is decoded here is text. */
const isDrawing = (bytes: Uint8Array) => /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 1000)))

/** Stores a picture for everybody, without what the camera wrote into it. */
export async function addPicture(ctx: Context, owner: Owner, { name, content }: NewPicture): Promise<MediaFile> {
  const bytes = new Uint8Array(Buffer.from(content, 'base64'))
  if (pictureType(bytes) === null && !isDrawing(bytes)) throw unreadable(null, 'JPEG, PNG, WebP or SVG')
  const picture = await withoutMetadata(bytes)
  const stored = await storeMedia(ctx, picture, { name, isPublic: true })
  audit(ctx, owner.actor, 'media.added', { targetId: stored.id, detail: { name: stored.name } })
  return describeMedia(ctx, stored.id)
}
