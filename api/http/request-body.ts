import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { AppError } from '#api/errors.ts'
import { webhookPath } from '#api/serving/paths.ts'
import { maxPhotoBytes, ownPhotoPath, photoType } from '#shared/contract/photo.ts'
import { questionPieceBytes } from '#shared/contract/questions.ts'
import { chunkType, maxChunkBytes } from '#shared/contract/upload-piece.ts'
import { receiving } from './request-turns.ts'

/** Progress waits for other writers itself, with all ticks of a moment together. */
export const progressPrefix = '/api/video-progress'

/**
 * The largest body we read before authentication (except Stripe's): an application's three long answers, in a script with three
 * bytes a letter. Parsing even the strangest JSON of this size takes only a few milliseconds.
 */
export const maxOpenBytes = 64 * 1024

/** The largest body otherwise, except in `largeBodies`: owners' texts, or months of a device's ticks. */
export const maxBodyBytes = 256 * 1024

/** A 15 MB picture in base64. */
const maxPictureBytes = 20 * 1024 ** 2

const mediaUploadPath = '/api/admin/media'

export const isChunkAddress = (request: Request): boolean =>
  request.method === 'PATCH' && new URL(request.url).pathname.startsWith(`${mediaUploadPath}/uploads/`)

const questionFilePaths = ['/api/members/question-files/', '/api/admin/question-files/'] as const

export const isQuestionPieceAddress = (request: Request): boolean =>
  request.method === 'PATCH' && questionFilePaths.some((path) => new URL(request.url).pathname.startsWith(path))

export const isQuestionPiece = (request: Request): boolean =>
  request.headers.get('content-type') === chunkType && isQuestionPieceAddress(request)

export const wrongQuestionPieceType = () =>
  new AppError(
    'unsupported_media_type',
    `Send each part of a photo or voice note as bytes (Content-Type: ${chunkType}), up to ${questionPieceBytes / 1024} kB.`,
  )

export const isChunk = (request: Request): boolean =>
  request.headers.get('content-type') === chunkType && isChunkAddress(request)

export const wrongPieceType = () =>
  new AppError(
    'unsupported_media_type',
    `Send each part of an upload as bytes (Content-Type: ${chunkType}), up to ${maxChunkBytes / 1024 ** 2} MB.`,
  )

export const isPhoto = (request: Request): boolean =>
  request.method === 'PUT' &&
  request.headers.get('content-type') === photoType &&
  new URL(request.url).pathname === ownPhotoPath

/** A million characters of an email, some escaped or longer than a byte. */
const maxReportBytes = 2 * 1024 ** 2

/** Owners' larger uploads: a picture, a bounced email. A proxy in front must let them through. */
export const largeBodies: Partial<Record<string, number>> = {
  [`POST ${mediaUploadPath}`]: maxPictureBytes,
  'POST /api/admin/bounces': maxReportBytes,
}

function maxBytesOf(request: Request): number {
  if (isChunk(request)) return maxChunkBytes
  if (isPhoto(request)) return maxPhotoBytes
  if (isQuestionPiece(request)) return questionPieceBytes
  const { pathname } = new URL(request.url)
  const usual = isGuarded(pathname) || pathname === webhookPath ? maxBodyBytes : maxOpenBytes
  return largeBodies[`${request.method} ${pathname}`] ?? usual
}

/** Owners and members' devices may send larger bodies than the public. */
const isGuarded = (path: string) => path.startsWith('/api/admin/') || path.startsWith(progressPrefix)

const isOfBytes = (request: Request) => isChunk(request) || isPhoto(request) || isQuestionPiece(request)

/** Whether to read the body only after authentication (JSON by the guard, bytes by the route), since it may be large. */
export const isForLater = (request: Request, path: string): boolean => isGuarded(path) || isOfBytes(request)

export const isForGuard = (request: Request, path: string): boolean =>
  !['GET', 'HEAD'].includes(request.method) && isGuarded(path) && !isOfBytes(request)

export async function readForGuard(ctx: Context, request: Request, path: string): Promise<unknown> {
  const body = await readJsonBody(request)
  await whenRouteWritable(ctx, path)
  return body
}

/** Waits before a route that may write. Returns undefined for routes that wait themselves. */
export function whenRouteWritable(ctx: Context, path: string): Promise<void> | undefined {
  return path.startsWith('/api/') && !path.startsWith(progressPrefix) ? whenWritable(ctx) : undefined
}

export function assertBodyLength(request: Request, bytes: number): void {
  // True for nearly every body, so we needn't parse the address.
  if (bytes <= maxOpenBytes || bytes <= maxBytesOf(request)) return
  throw new AppError('too_large', tooLong(request))
}

function tooLong(request: Request): string {
  if (isPhoto(request)) return 'A photo can have up to 2 MB.'
  if (isQuestionPiece(request))
    return `Each part of a photo or voice note can have up to ${questionPieceBytes / 1024} kB.`
  return isChunk(request)
    ? `Each part of an upload can have up to ${maxChunkBytes / 1024 ** 2} MB.`
    : 'That’s too much for one request.'
}

/** Reads the body as text, stopping as soon as it's too long: its Content-Length may be missing or wrong. */
export async function readTextBody(request: Request): Promise<string> {
  const announced = announcedBytes(request)
  if (announced === 0) return ''
  // A connection delivers no more than it announced, but other callers might.
  if (announced > 0) {
    const text = await receiving(request, () => request.text())
    assertBodyLength(request, Buffer.byteLength(text))
    return text
  }
  const { body } = request
  if (body === null) return ''
  return new TextDecoder().decode(await receiving(request, () => readCounted(request, body)))
}

export async function readChunk(request: Request): Promise<Uint8Array> {
  if (!isChunk(request)) throw wrongPieceType()
  return readBytesBody(request)
}

export async function readQuestionPiece(request: Request): Promise<Uint8Array> {
  if (!isQuestionPiece(request)) throw wrongQuestionPieceType()
  return readBytesBody(request)
}

/** Empty if it isn't a photo. */
export const readPhoto = async (request: Request): Promise<Uint8Array> =>
  isPhoto(request) ? readBytesBody(request) : new Uint8Array()

/** Reads raw bytes, with the same limits. */
async function readBytesBody(request: Request): Promise<Uint8Array> {
  const announced = announcedBytes(request)
  if (announced === 0) return new Uint8Array()
  if (announced > 0) {
    const bytes = await receiving(request, () => request.bytes())
    assertBodyLength(request, bytes.byteLength)
    return bytes
  }
  const { body } = request
  if (body === null) return new Uint8Array()
  return receiving(request, () => readCounted(request, body))
}

/** NaN if the request doesn't say, or says more than we read. */
function announcedBytes(request: Request): number {
  const bytes = Number(request.headers.get('content-length') ?? Number.NaN)
  return bytes <= maxOpenBytes || bytes <= maxBytesOf(request) ? bytes : Number.NaN
}

async function readCounted(request: Request, body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    assertBodyLength(request, size)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function readJsonBody(request: Request): Promise<unknown> {
  const text = await readTextBody(request)
  if (text === '') return undefined
  if (isNestedDeeper(text, maxNesting)) throw new AppError('malformed', 'The request is nested too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('malformed', 'We couldn’t read the request as JSON.')
  }
}

/** Deeper than any of our bodies. Formatting an error about JSON thousands of levels deep takes gigabytes. */
const maxNesting = 16

/** Whether the JSON nests deeper. Skips strings quickly, as a picture is a single one of millions of characters. */
function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === codes.quote) at = endOfString(text, at)
    else if (code === codes.list || code === codes.object) depth += 1
    else if (code === codes.listEnd || code === codes.objectEnd) depth -= 1
    if (depth > most) return true
  }
  return false
}

/** The end of the string that starts there: the first unescaped quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === codes.backslash) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
}

const codes = { quote: 0x22, backslash: 0x5c, list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d } as const

/** The OpenAPI entry for a route that reads bytes, as it has no schema. */
export const bytesBody = (type: typeof chunkType | typeof photoType) => ({
  requestBody: { required: true, content: { [type]: { schema: { type: 'string' as const, format: 'binary' } } } },
})

/** The same for the form mail programs send (RFC 8058). */
export const oneClickBody = () => ({
  requestBody: {
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object' as const,
          properties: { 'List-Unsubscribe': { type: 'string' as const, enum: ['One-Click'] } },
        },
      },
    },
  },
})
