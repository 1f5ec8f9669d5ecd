import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  AdminMediaQuery,
  MediaFile,
  MediaFileList,
  MediaRoom,
  MediaUpload,
  MediaUploadList,
} from '#shared/contract/media.ts'
import { chunkType, offsetHeader } from '#shared/contract/upload-piece.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import type { MediaKind } from '#shared/values/media.ts'

const Address = v.pick(AdminMediaQuery, ['q', 'sort', 'kind', 'use'])

export const mediaList: ListDefinition<MediaFile> = {
  name: 'media',
  request: ({ show, ...address }, page) => {
    const read = v.safeParse(Address, { ...address, ...(show === 'unused' ? { use: show } : { kind: show }) })
    return requestListPage(
      MediaFile,
      api.api.admin.media.get({ query: { ...(read.success ? read.output : {}), ...page } }),
    )
  },
  idOf: ({ id }) => id,
  refreshMs: 60_000,
}

/** Unfinished uploads of either owner, from any device. */
export const uploadsQuery = queryOptions({
  queryKey: [adminKey, 'uploads'],
  queryFn: () => parseResponse(MediaUploadList, api.api.admin.media.uploads.get()),
  staleTime: 0,
})

export const roomQuery = queryOptions({
  queryKey: [adminKey, 'media-room'],
  queryFn: () => parseResponse(MediaRoom, api.api.admin.media.room.get()),
  staleTime: 0,
})

const mostChoices = 1000

export const choicesQuery = (kinds: readonly MediaKind[], who: 'members' | 'everybody' = 'members') =>
  queryOptions({
    queryKey: [adminKey, 'media-choices', who, ...kinds],
    queryFn: async () => {
      const pages = await Promise.all(
        kinds.map((kind) =>
          parseResponse(
            MediaFileList,
            api.api.admin.media.get({ query: { kind, who, sort: 'name', limit: mostChoices } }),
          ),
        ),
      )
      return pages.flat()
    },
    staleTime: 0,
  })

/** Throws when offline, or if the file’s been deleted. */
export async function readMediaText(address: string): Promise<string> {
  const response = await fetch(address, { credentials: 'same-origin' })
  if (!response.ok) throw new Error('We couldn’t read the file.')
  return decodeText(new Uint8Array(await response.arrayBuffer()))
}

/** `replaces`: the id of the file whose place it takes. */
export type UploadAim = { isPublic: boolean; replaces: string | null; isImport?: boolean }

const edgeBytes = 64 * 1024

/** Recognises a file chosen again: SHA-256 of its size, first and last bytes. */
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

/** Starts an upload, or resumes one with the same fingerprint. */
export const requestUpload = async (file: File, aim: UploadAim, signal: AbortSignal): Promise<MediaUpload> =>
  parseResponse(
    MediaUpload,
    api.api.admin.media.uploads.post(
      { name: file.name, bytes: file.size, fingerprint: await fingerprintOf(file), isImport: false, ...aim },
      { fetch: { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) } },
    ),
  )

/** After this the piece is sent again, smaller. */
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

/** The server reads up to 2 GB before it stores the file. */
const checkTimeoutMs = 300_000

export const requestFinish = (id: string, signal: AbortSignal): Promise<MediaFile> =>
  parseResponse(
    MediaFile,
    api.api.admin.media
      .uploads({ id })
      .finish.post(undefined, { fetch: { signal: AbortSignal.any([signal, AbortSignal.timeout(checkTimeoutMs)]) } }),
  )
