import type { Context } from '#api/context.ts'
import { AppError, notFound } from '#api/errors.ts'
import { type Audience, audienceOf } from '#api/identity/audience.ts'
import type { Member } from '#api/identity/person.ts'
import { errorMessage } from '#api/log.ts'
import { hasMatchingEtag } from '#api/serving/compressed-response.ts'
import type { MediaPieces } from '#shared/contract/media.ts'
import { type ByteRange, contentRange, readByteRange } from '#shared/rules/byte-range.ts'
import { londonDay } from '#shared/rules/london.ts'
import { isInTier } from '#shared/rules/video.ts'
import { isPlayable, kindOfMedia, mediaTypes } from '#shared/values/media.ts'
import { listPieces } from './pieces-service.ts'
import { type MediaRow, mediaById, tiersOfMedia } from './queries.ts'
import { mediaStoreOf, objectOf } from './remote-service.ts'
import { mediaFile } from './store-service.ts'

/** A replaced file shows after five minutes. Browsers revalidate by ETag, so unchanged content isn't sent again. */
export const publicMediaCaching = 'public, max-age=300, stale-while-revalidate=86400'

export function respondWithPublicMedia(ctx: Context, request: Request, file: string): Promise<Response> {
  const row = findAt(ctx, file)
  if (!row.isPublic) throw notFound('This file')
  return fileResponse(ctx, request, { row, cacheControl: publicMediaCaching })
}

export const respondWithPrivateMedia = (
  ctx: Context,
  person: Member,
  { request, file }: { request: Request; file: string },
) => fileResponse(ctx, request, { row: findOpenTo(ctx, person, file), cacheControl: 'private, no-store' })

/** What a phone needs to keep the file. */
export function piecesOfPrivateMedia(ctx: Context, person: Member, file: string): MediaPieces {
  const row = findOpenTo(ctx, person, file)
  if (!isPlayable(row.format)) throw notFound('This file')
  return listPieces(ctx, row)
}

/** A private file, for owners and members who see a video that has it. Not found for anyone else. */
function findOpenTo(ctx: Context, person: Member, file: string): MediaRow {
  const row = findAt(ctx, file)
  if (row.isPublic || !isOpenTo(ctx, row, audienceOf(person))) throw notFound('This file')
  return row
}

const isOpenTo = (ctx: Context, { id }: MediaRow, audience: Audience): boolean =>
  audience === 'owner' ||
  tiersOfMedia.all(ctx, { id, today: londonDay(ctx.now()) }).some((video) => isInTier(video, audience))

/** Matches the whole name, so that a file has one URL with the right extension. */
function findAt(ctx: Context, file: string): MediaRow {
  const [id = '', format] = file.split('.')
  const row = mediaById.get(ctx, { id })
  if (row === undefined || row.format !== format || file !== `${id}.${format}`) throw notFound('This file')
  return row
}

type Sent = { row: MediaRow; cacheControl: string }

/** The bytes from one to another, or all of them, if the file is anywhere. */
type Content = { whole(): Blob | ReadableStream; part(range: ByteRange): Blob | ReadableStream }

/** Videos and sounds may be in the store. They're sent from here all the same, so who may see them is asked at each request. */
export async function contentOfRow(ctx: Context, row: MediaRow, isRanged: boolean): Promise<Content | null> {
  const file = Bun.file(mediaFile(ctx, row))
  const isThere = await file.exists()
  // Bun would send whatever is left of it, with that length.
  if (isThere && file.size === row.bytes) {
    return {
      // Bun applies any requested range to a file or its stream, ignoring If-Range. It leaves our own stream alone.
      whole: () => (isRanged ? file.stream().pipeThrough(new TransformStream()) : file),
      part: ({ first, last }) => file.slice(first, last + 1),
    }
  }
  const stored = await storedContent(ctx, row)
  if (stored !== null) return stored
  ctx.log.error(isThere ? 'a stored file is not whole' : 'a stored file is missing', { id: row.id, file: file.name })
  return null
}

async function storedContent(ctx: Context, row: MediaRow): Promise<Content | null> {
  const store = mediaStoreOf(ctx)
  if (store === null || !isPlayable(row.format)) return null
  try {
    if ((await store.size(objectOf(row))) !== row.bytes) return null
  } catch (error) {
    ctx.log.error('a film’s store doesn’t answer', { id: row.id, reason: errorMessage(error) })
    throw new AppError('busy', 'We can’t get at this file just now. Try again in a few minutes.')
  }
  const part = (range: ByteRange) => store.stream(objectOf(row), range)
  return { part, whole: () => part({ first: 0, last: row.bytes - 1 }) }
}

/** `If-None-Match` comes before `Range`, which holds only for the version that `If-Range` names (RFC 9110, section 13.2.2). */
async function fileResponse(ctx: Context, request: Request, { row, cacheControl }: Sent): Promise<Response> {
  const asked = request.headers.get('range')
  const content = await contentOfRow(ctx, row, asked !== null)
  if (content === null) throw notFound('This file')
  const etag = `"${row.sha256}"`
  const headers = headersOf(row, { etag, cacheControl })
  if (hasMatchingEtag(request, etag)) return new Response(null, { status: 304, headers })
  const isRanged = asked !== null && request.method === 'GET' && isOfVersion(request, etag)
  const range = isRanged ? readByteRange(asked, row.bytes) : null
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${row.bytes}` } })
  if (range !== null) return partResponse(content, { range, row, headers })
  return new Response(content.whole(), { headers: { ...headers, 'content-length': String(row.bytes) } })
}

type Part = { range: ByteRange; row: MediaRow; headers: Record<string, string> }

const partResponse = (content: Content, { range, row, headers }: Part) =>
  new Response(content.part(range), {
    status: 206,
    headers: {
      ...headers,
      'content-range': contentRange(range, row.bytes),
      'content-length': String(range.last - range.first + 1),
    },
  })

/** A date in `If-Range` never matches, because we send none. */
function isOfVersion(request: Request, etag: string): boolean {
  const version = request.headers.get('if-range')
  return version === null || version === etag
}

/** Nothing inside an uploaded file may run as our origin: we send its detected type, with a sandbox CSP. */
const headersOf = (
  { format, name, isPublic }: MediaRow,
  { etag, cacheControl }: { etag: string; cacheControl: string },
) => ({
  'content-type': mediaTypes[format],
  // Browsers don't show documents in a sandbox.
  'content-disposition': `${kindOfMedia(format) === 'document' ? 'attachment' : 'inline'}; filename*=UTF-8''${encodeURIComponent(name)}`,
  'content-security-policy': `sandbox; default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
  'cache-control': cacheControl,
  etag,
  // Podcast players on other sites load episodes from here.
  ...(isPublic ? { 'cross-origin-resource-policy': 'cross-origin' } : {}),
})
