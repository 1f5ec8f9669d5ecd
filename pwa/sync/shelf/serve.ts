import type { Platform } from '#pwa/sync/platform.ts'
import { readStoreLock } from '#pwa/sync/progress/phone-lock.ts'
import { type MemberStore, openMemberStore } from '#pwa/sync/progress/store.ts'
import { type DeviceStore, findMember, openDeviceStore } from '#pwa/sync/session/device-store.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import { contentRange, readByteRange } from '#shared/rules/byte-range.ts'
import { keptPath } from '#shared/rules/kept-path.ts'
import { pieceCount, type WholeFile } from '#shared/rules/shelf.ts'
import { mediaTypes } from '#shared/values/media.ts'
import type { PieceFiles } from './piece-files.ts'

/** Answers for the addresses of kept videos and captions, which the network has nothing at. */
export function createKeptServer(platform: Platform, files: PieceFiles) {
  const findStore = createStoreFinder(platform)
  let last: { sha256: string; keptAt: number; videoFile: Blob } | null = null

  const videoFileOf = async ({ sha256, bytes, format }: WholeFile, keptAt: number): Promise<Blob | null> => {
    // What was deleted and kept again is in other files.
    if (last?.sha256 === sha256 && last.keptAt === keptAt) return last.videoFile
    const pieces = await files.read(sha256, pieceCount(bytes))
    const videoFile = pieces && new Blob(pieces, { type: mediaTypes[format] })
    // A torn video never plays half.
    if (videoFile?.size !== bytes) return null
    last = { sha256, keptAt, videoFile }
    return videoFile
  }

  return async (request: Request): Promise<Response> => {
    const store = await findStore()
    if (store === null || !(await readStoreLock(store, platform.wall())).isOpen) {
      last = null
      return refusal(403)
    }
    const asked = keptPath.read(new URL(request.url).pathname)
    if (asked?.format === 'vtt') {
      const captions = (await store.kept.get(asked.name))?.captions
      return captions ? new Response(captions, { headers: headersOf('vtt') }) : refusal(404)
    }
    const row = asked && (await store.kept.where('whole.sha256').equals(asked.name).first())
    if (!row?.whole || row.whole.format !== asked?.format) return refusal(404)
    const videoFile = await videoFileOf(row.whole, row.keptAt)
    return videoFile ? videoResponse(request, videoFile, headersOf(row.whole.format)) : refusal(404)
  }
}

/** The store of the member who is logged in here. It stays open between a player's many requests; a logout in any tab closes it. */
function createStoreFinder(platform: Platform) {
  let device: DeviceStore | null = null
  let store: MemberStore | null = null
  return async (): Promise<MemberStore | null> => {
    if (device === null || hasEnded(device.dexie)) device = openDeviceStore(platform.database)
    const row = await findMember(device)
    if (row === undefined) return null
    if (store?.memberId === row.memberId && !hasEnded(store.dexie)) return store
    store?.dexie.close()
    store = openMemberStore(row.memberId, platform.database)
    return store
  }
}

const refusal = (status: number) => new Response(null, { status, headers: { 'cache-control': 'no-store' } })

/** As the server sends them: nothing in the file may run as our origin. */
const headersOf = (format: keyof typeof mediaTypes) => ({
  'content-type': mediaTypes[format],
  'content-security-policy': `sandbox; default-src 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
  'cache-control': 'no-store',
})

/** A part is a slice of the files on disk, so a video never passes through memory whole. */
function videoResponse(request: Request, videoFile: Blob, headers: Record<string, string>): Response {
  const asked = request.headers.get('range')
  const range = readByteRange(asked, videoFile.size)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${videoFile.size}` } })
  if (range === null)
    return new Response(videoFile, { headers: { ...headers, 'content-length': String(videoFile.size) } })
  return new Response(videoFile.slice(range.first, range.last + 1), {
    status: 206,
    headers: {
      ...headers,
      'content-range': contentRange(range, videoFile.size),
      'content-length': String(range.last - range.first + 1),
    },
  })
}
