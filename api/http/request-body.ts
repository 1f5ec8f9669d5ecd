import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { AppError } from '#api/errors.ts'
import { maxPhotoBytes, ownPhotoPath, photoType } from '#shared/contract/photo.ts'
import { chunkType, maxChunkBytes } from '#shared/contract/upload-piece.ts'

/** The provider's calls come from elsewhere, and prove themselves by a signature over the raw body. */
export const webhookPath = '/api/stripe/webhook'

/** What is written here waits for other writers by itself, all ticks of a moment together. */
export const progressPrefix = '/api/video-progress'

/**
 * The largest body that is read from anybody but the provider: the three long answers of an application, in an alphabet of three bytes a letter. Even
 * the oddest JSON of that size is read within a few milliseconds.
 */
export const maxOpenBytes = 64 * 1024

/** The largest body that others may send, but for those that `largeBodies` names: texts of owners, and a device's ticks of months. */
export const maxBodyBytes = 256 * 1024

/** A picture of 15 MB, as text. */
const maxPictureBytes = 20 * 1024 ** 2

const mediaUploadPath = '/api/admin/media'

/** Whether a piece of an upload is sent to this address. */
export const isChunkAddress = (request: Request): boolean =>
  request.method === 'PATCH' && new URL(request.url).pathname.startsWith(`${mediaUploadPath}/uploads/`)

/** Whether this is a piece of an upload. */
export const isChunk = (request: Request): boolean =>
  request.headers.get('content-type') === chunkType && isChunkAddress(request)

export const wrongPieceType = () =>
  new AppError(
    'unsupported_media_type',
    `Send each part of an upload as bytes (Content-Type: ${chunkType}), up to ${maxChunkBytes / 1024 ** 2} MB.`,
  )

/** Whether this is somebody's photo. */
export const isPhoto = (request: Request): boolean =>
  request.method === 'PUT' &&
  request.headers.get('content-type') === photoType &&
  new URL(request.url).pathname === ownPhotoPath

/** A million characters of a mail, some of which are escaped or take more than a byte. */
const maxReportBytes = 2 * 1024 ** 2

/** What owners send that is larger: a picture, a folder of posts, and a mail that came back. A proxy in front lets it through. */
export const largeBodies: Partial<Record<string, number>> = {
  [`POST ${mediaUploadPath}`]: maxPictureBytes,
  'POST /api/admin/blog/import': maxPictureBytes,
  'POST /api/admin/bounces': maxReportBytes,
}

function maxBytesOf(request: Request): number {
  if (isChunk(request)) return maxChunkBytes
  if (isPhoto(request)) return maxPhotoBytes
  const { pathname } = new URL(request.url)
  const usual = isGuarded(pathname) || pathname === webhookPath ? maxBodyBytes : maxOpenBytes
  return largeBodies[`${request.method} ${pathname}`] ?? usual
}

/** The calls of owners and of a member's device may be larger than what is read from anybody. */
const isGuarded = (path: string) => path.startsWith('/api/admin/') || path.startsWith(progressPrefix)

const isOfBytes = (request: Request) => isChunk(request) || isPhoto(request)

/**
 * Whether a body is read only once it is clear whose it is: JSON by the guard of its route (`readForGuard`), bytes by the route. It may
 * be so large that it would hold up everybody.
 */
export const isForLater = (request: Request, path: string): boolean => isGuarded(path) || isOfBytes(request)

/** Whether the guard of the route is to read it. */
export const isForGuard = (request: Request, path: string): boolean =>
  !['GET', 'HEAD'].includes(request.method) && isGuarded(path) && !isOfBytes(request)

export async function readForGuard(ctx: Context, request: Request, path: string): Promise<unknown> {
  const body = await readJsonBody(request)
  await whenRouteWritable(ctx, path)
  return body
}

/** Before a route that may write: nothing where it waits by itself. */
export function whenRouteWritable(ctx: Context, path: string): Promise<void> | undefined {
  return path.startsWith('/api/') && !path.startsWith(progressPrefix) ? whenWritable(ctx) : undefined
}

export function assertBodyLength(request: Request, bytes: number): void {
  // Nearly every body is, and its address need not be looked at.
  if (bytes <= maxOpenBytes || bytes <= maxBytesOf(request)) return
  throw new AppError('too_large', tooLong(request))
}

function tooLong(request: Request): string {
  if (isPhoto(request)) return 'A photo can have up to 2 MB.'
  return isChunk(request)
    ? `Each part of an upload can have up to ${maxChunkBytes / 1024 ** 2} MB.`
    : 'That’s too much for one request.'
}

/** Reads the body as text, and stops as soon as it is too long: its Content-Length may be missing or wrong. */
export async function readTextBody(request: Request): Promise<string> {
  if (request.body === null) return ''
  // A connection delivers no more than it announced; what others hand us is counted all the same.
  if (!isAnnounced(request)) return new TextDecoder().decode(await readCounted(request, request.body))
  const text = await request.text()
  assertBodyLength(request, Buffer.byteLength(text))
  return text
}

/** Reads the body as it is, within the same limits. */
export async function readBytesBody(request: Request): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  if (!isAnnounced(request)) return readCounted(request, request.body)
  const bytes = await request.bytes()
  assertBodyLength(request, bytes.byteLength)
  return bytes
}

function isAnnounced(request: Request): boolean {
  const bytes = Number(request.headers.get('content-length') ?? Number.NaN)
  return bytes <= maxOpenBytes || bytes <= maxBytesOf(request)
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

/** Reads the body as JSON; undefined where there is none. */
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

/** Deeper than any body of ours. One that is nested thousands deep takes gigabytes when an error about it is written. */
const maxNesting = 16

/**
 * Whether the brackets of a JSON text go deeper than that; those inside strings do not count. A picture is one string of millions
 * of characters, which is stepped over at once.
 */
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

/** Where the string ends that begins there: at the first quote that no backslash escapes, else with the text. */
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

/** How a route that reads bytes shows them in the API's document: no schema checks them. */
export const bytesBody = (type: typeof chunkType | typeof photoType) => ({
  requestBody: { required: true, content: { [type]: { schema: { type: 'string' as const, format: 'binary' } } } },
})

/** The same of the form that mail programs send (RFC 8058). */
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
