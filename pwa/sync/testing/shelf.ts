import type { ShelfDevice } from '#pwa/sync/shelf/device.ts'
import type { PieceFiles } from '#pwa/sync/shelf/piece-files.ts'
import type { NetworkKind, Room } from '#shared/rules/shelf.ts'
import type { Phone } from './phone.ts'

export type PhoneShelf = {
  device: ShelfDevice
  /** Pieces, by `file/index`. */
  pieces: Map<string, Blob>
  room: Room
  network: NetworkKind
  savesData: boolean
  isVideoPlaying: boolean
  isKeptPlaying: boolean
  hasUnsentForms: boolean
  /** Whether the page has asked the browser to go on without it. */
  isGoing: boolean
  /** Changes a response on its way; a test may cut it or answer something else. */
  onTheWay: (response: Response, path: string) => Response | Promise<Response>
  /** Tells the shelf that a video or the network changed. */
  change(): void
}

/** What a phone's browser gives the shelf. */
export function createPhoneShelf(phone: Phone): PhoneShelf {
  const listeners = new Set<() => void>()
  const pieces = new Map<string, Blob>()
  let isAllowed = false
  const shelf: PhoneShelf = {
    pieces,
    room: { usage: 0, quota: 1e9, isSafe: true },
    network: 'wifi',
    savesData: false,
    isVideoPlaying: false,
    isKeptPlaying: false,
    hasUnsentForms: false,
    isGoing: false,
    onTheWay: (response) => response,
    change: () => {
      for (const changed of [...listeners]) changed()
    },
    device: {
      files: memoryFiles(pieces),
      fetch: async (path, init) => shelf.onTheWay(await phone.network.fetch(path, init), path),
      room: async () => shelf.room,
      network: () => shelf.network,
      savesData: () => shelf.savesData,
      isAllowed: () => isAllowed,
      allow: () => {
        isAllowed = true
      },
      hasUnsentForms: async () => shelf.hasUnsentForms,
      isVideoPlaying: async () => shelf.isVideoPlaying,
      isKeptPlaying: async () => shelf.isKeptPlaying,
      onChange: (changed) => {
        listeners.add(changed)
        return () => void listeners.delete(changed)
      },
      keepGoing: () => {
        shelf.isGoing = true
        return () => {
          shelf.isGoing = false
        }
      },
    },
  }
  return shelf
}

const memoryFiles = (pieces: Map<string, Blob>): PieceFiles => ({
  write: async (file, index, bytes) => void pieces.set(`${file}/${index}`, new Blob([bytes])),
  read: async (file, count) => {
    const found = Array.from({ length: count }, (_, index) => pieces.get(`${file}/${index}`))
    return found.every((blob) => blob !== undefined) ? found : null
  },
  list: async () => {
    const found = new Map<string, number>()
    for (const key of pieces.keys()) {
      const [file = ''] = key.split('/')
      found.set(file, (found.get(file) ?? 0) + 1)
    }
    return found
  },
  remove: async (file) => {
    for (const key of pieces.keys()) if (key.startsWith(`${file}/`)) pieces.delete(key)
  },
  wipe: async () => pieces.clear(),
})

/** The response with its line cut after so many bytes. */
export function cutAfter(response: Response, bytes: number): Response {
  let left = bytes
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      if (left === 0) controller.error(new TypeError('network error'))
    },
  })
  return new Response(response.body?.pipeThrough(cut) ?? null, { status: response.status, headers: response.headers })
}
