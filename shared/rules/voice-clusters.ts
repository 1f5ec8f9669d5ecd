/* WebM (RFC 9559) as browsers record it: Opus in clusters, which mostly have no size of their own. */

/**
 * What a browser recorded, or why we don't take it. `bytes`: how many of the first are whole, as a browser that was ended leaves half a
 * sound at the end. `film`: it has pictures. `cut`: it ends before there's a whole sound. `silent`: it has none.
 */
export type VoiceNote =
  | {
      type: 'audio/mp4' | 'audio/mp4; codecs=opus' | 'audio/webm; codecs=opus'
      durationMs: number
      bytes: number
    }
  | { problem: 'film' | 'cut' | 'silent' | 'unknown' }

const ids = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackType: 0x83,
  codec: 0x86,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const

const parents: ReadonlySet<number> = new Set([
  ids.segment,
  ids.info,
  ids.tracks,
  ids.track,
  ids.cluster,
  ids.blockGroup,
])

/** `end` is null for an element without a size, which lasts until the next that can't be in it. */
type Element = { id: number; start: number; end: number | null }

/** The number that begins there, with the bits that say its length or without; null if the file ends in it. */
function readNumber(
  view: DataView,
  at: number,
  keepsMarker: boolean,
): { value: number; length: number; isOpen: boolean } | null {
  if (at >= view.byteLength) return null
  const first = view.getUint8(at)
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > view.byteLength) return null
  let value = keepsMarker ? first : first & (0xff >> length)
  let isOpen = (first & (0xff >> length)) === 0xff >> length
  for (let next = at + 1; next < at + length; next += 1) {
    const byte = view.getUint8(next)
    value = value * 256 + byte
    isOpen &&= byte === 0xff
  }
  return { value, length, isOpen }
}

function readElement(view: DataView, at: number): Element | null {
  const id = readNumber(view, at, true)
  if (id === null) return null
  const size = readNumber(view, at + id.length, false)
  if (size === null) return null
  const start = at + id.length + size.length
  return { id: id.value, start, end: size.isOpen ? null : start + size.value }
}

function readUnsigned(view: DataView, { start, end }: Element): number {
  let value = 0
  for (let at = start; at < Math.min(end ?? start, start + 8); at += 1) value = value * 256 + view.getUint8(at)
  return value
}

type Track = { type: number; codec: string }

const soundType = 2

type Found = { scale: number; tracks: Track[]; clusterTime: number; first: number; last: number; packetsMs: number }

/** Walks through all elements in order, into those that hold others. */
export function readClusters(view: DataView): VoiceNote {
  const found: Found = {
    scale: 1_000_000,
    tracks: [],
    clusterTime: 0,
    first: Number.POSITIVE_INFINITY,
    last: 0,
    packetsMs: 0,
  }
  let at = 0
  while (at < view.byteLength) {
    const element = readElement(view, at)
    const isWhole = element !== null && (element.end ?? 0) <= view.byteLength && note(view, element, found)
    if (!isWhole) return found.packetsMs > 0 ? judge(found, at) : { problem: 'cut' }
    at = element.end === null || parents.has(element.id) ? element.start : element.end
  }
  return judge(found, at)
}

/** Notes what an element says. False for a block that ends before its sound. */
function note(view: DataView, element: Element, found: Found): boolean {
  const track = found.tracks.at(-1)
  switch (element.id) {
    case ids.track:
      found.tracks.push({ type: 0, codec: '' })
      return true
    case ids.trackType:
      if (track) track.type = readUnsigned(view, element)
      return true
    case ids.codec:
      if (track) track.codec = textOf(view, element)
      return true
    case ids.timestampScale:
      found.scale = readUnsigned(view, element)
      return true
    case ids.clusterTime:
      found.clusterTime = readUnsigned(view, element)
      return true
    case ids.simpleBlock:
    case ids.block:
      return noteBlock(view, element, found)
    default:
      return true
  }
}

function noteBlock(view: DataView, element: Element, found: Found): boolean {
  const block = readBlock(view, element)
  if (block === null) return false
  const time = ((found.clusterTime + block.time) * found.scale) / 1_000_000
  found.first = Math.min(found.first, time)
  found.last = Math.max(found.last, time + block.ms)
  found.packetsMs += block.ms
  return true
}

function judge({ tracks, packetsMs, first, last }: Found, bytes: number): VoiceNote {
  if (tracks.some(({ type }) => type !== soundType)) return { problem: 'film' }
  if (tracks.length !== 1 || tracks[0]?.codec !== 'A_OPUS') return { problem: 'unknown' }
  // Silence may be left out of the packets, but not of the time.
  const durationMs = Math.round(Math.max(packetsMs, last - first))
  if (durationMs === 0 || packetsMs === 0) return { problem: 'silent' }
  return { type: 'audio/webm; codecs=opus', durationMs, bytes }
}

function textOf(view: DataView, { start, end }: Element): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start, Math.min(32, (end ?? start) - start))
  return new TextDecoder('latin1').decode(bytes).replace(/\0+$/, '')
}

/** Its time within the cluster, and how long its packet lasts. */
function readBlock(view: DataView, { start, end }: Element): { time: number; ms: number } | null {
  const track = readNumber(view, start, false)
  if (track === null || end === null || start + track.length + 4 > end) return null
  const at = start + track.length
  return { time: view.getInt16(at), ms: at + 3 < end ? packetMs(view, at + 3, end) : 0 }
}

/** How long a frame of each of the 32 configurations of Opus lasts (RFC 6716, table 2). */
const frameMs = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
]

function packetMs(view: DataView, at: number, end: number): number {
  const head = view.getUint8(at)
  const kind = head & 3
  const frames = kind === 0 ? 1 : kind < 3 ? 2 : at + 1 < end ? view.getUint8(at + 1) & 0x3f : 0
  // No packet lasts longer.
  return Math.min(120, frames * (frameMs[head >> 3] ?? 0))
}
