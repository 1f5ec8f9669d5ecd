import { api, parseResponse } from '#pwa/lib/api.ts'
import { chunkType, MediaFile, MediaUpload, offsetHeader } from '#shared/contract/media.ts'

/** What is uploaded: whether everybody may see it, and the file whose place it takes. */
export type UploadAim = { isPublic: boolean; replaces: string | null }

const edgeBytes = 64 * 1024

/** Knows a file again that is chosen once more: a SHA-256 of its size, its beginning and its end. */
async function fingerprintOf(file: File): Promise<string> {
  const edges = await Promise.all(
    [file.slice(0, edgeBytes), file.slice(-edgeBytes)].map(async (part) => new Uint8Array(await part.arrayBuffer())),
  )
  const size = new TextEncoder().encode(`${file.size} `)
  const parts = [size, ...edges]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((at, part) => {
    bytes.set(part, at)
    return at + part.length
  }, 0)
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Begins an upload, or finds how much of it has arrived. */
export const requestUpload = async (file: File, aim: UploadAim, signal: AbortSignal): Promise<MediaUpload> =>
  parseResponse(
    MediaUpload,
    api.api.admin.media.uploads.post(
      { name: file.name, bytes: file.size, fingerprint: await fingerprintOf(file), ...aim },
      { fetch: { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) } },
    ),
  )

/** A piece that has not arrived by then is given up and made smaller. */
const pieceTimeoutMs = 60_000

export async function sendPiece(
  { id, offset }: Pick<MediaUpload, 'id' | 'offset'>,
  piece: Blob,
  signal: AbortSignal,
): Promise<MediaUpload> {
  const body = await piece.arrayBuffer()
  const request = fetch(`/api/admin/media/uploads/${id}`, {
    method: 'PATCH',
    credentials: 'same-origin',
    headers: { 'content-type': chunkType, [offsetHeader]: String(offset) },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(pieceTimeoutMs)]),
  })
  return parseResponse(MediaUpload, readResponse(request))
}

async function readResponse(request: Promise<Response>) {
  const response = await request.catch(() => undefined)
  if (response === undefined) return { data: null, error: { value: null }, response }
  const value: unknown = await response.json()
  return response.ok ? { data: value, error: null, response } : { data: null, error: { value }, response }
}

/** A film of two gigabytes is read through once before it is stored. */
const checkTimeoutMs = 300_000

export const requestFinish = (id: string, signal: AbortSignal): Promise<MediaFile> =>
  parseResponse(
    MediaFile,
    api.api.admin.media
      .uploads({ id })
      .finish.post(undefined, { fetch: { signal: AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]) } }),
  )
