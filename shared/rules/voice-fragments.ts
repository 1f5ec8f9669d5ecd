import type { VoiceNote } from './voice-clusters.ts'

/* MP4 (ISO/IEC 14496-12) as browsers record it: an index that mostly lists nothing, and fragments that say how long their sounds are. */

type Box = { type: string; start: number; end: number }

/** The boxes between two places, without their heads, up to the first that isn't whole. */
function boxesIn(view: DataView, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < to; ) {
    if (at + 8 > to) break
    const short = view.getUint32(at)
    const isLong = short === 1 && at + 16 <= to
    const size = short === 0 ? to - at : isLong ? Number(view.getBigUint64(at + 8)) : short
    const head = isLong ? 16 : 8
    if (size < head || at + size > to) break
    boxes.push({ type: codeAt(view, at + 4), start: at + head, end: at + size })
    at += size
  }
  return boxes
}

const codeAt = (view: DataView, at: number) =>
  at + 4 > view.byteLength ? '' : String.fromCharCode(...[0, 1, 2, 3].map((next) => view.getUint8(at + next)))

const allIn = (view: DataView, { start, end }: Box, type: string): Box[] =>
  boxesIn(view, start, end).filter((box) => box.type === type)

function boxAt(view: DataView, box: Box | undefined, path: readonly string[]): Box | undefined {
  return path.reduce<Box | undefined>((within, type) => within && allIn(view, within, type)[0], box)
}

/** A number of that many bytes into a box; null if the box ends before. */
const numberIn = (view: DataView, box: Box | undefined, at: number): number | null =>
  box === undefined || box.start + at + 4 > box.end ? null : view.getUint32(box.start + at)

type Track = { handler: string; codec: string; timescale: number; listed: number }

function readTrack(view: DataView, track: Box): Track {
  const media = boxAt(view, track, ['mdia'])
  const header = boxAt(view, media, ['mdhd'])
  // Version 1 has times of 8 bytes.
  const isLong = header !== undefined && header.end > header.start && view.getUint8(header.start) === 1
  const samples = boxAt(view, media, ['minf', 'stbl'])
  const handler = boxAt(view, media, ['hdlr'])
  const described = boxAt(view, samples, ['stsd'])
  return {
    handler: handler === undefined ? '' : codeAt(view, handler.start + 8),
    codec: described === undefined ? '' : codeAt(view, described.start + 12),
    timescale: numberIn(view, header, isLong ? 20 : 12) ?? 0,
    listed: sumOfRuns(view, boxAt(view, samples, ['stts'])),
  }
}

/** Of a file with an index: runs of sounds of one length. */
function sumOfRuns(view: DataView, box: Box | undefined): number {
  const count = numberIn(view, box, 4) ?? 0
  let sum = 0
  for (let run = 0; run < count; run += 1) {
    const [samples, length] = [numberIn(view, box, 8 + run * 8), numberIn(view, box, 12 + run * 8)]
    if (samples === null || length === null) break
    sum += samples * length
  }
  return sum
}

const has = { offset: 0x1, firstFlags: 0x4, length: 0x100, size: 0x200, flags: 0x400, shift: 0x800 } as const
const headHas = { offset: 0x1, description: 0x2, length: 0x8 } as const

/** How long the sounds of one fragment are together. `usual` is what the index says of each. */
function lengthOfFragment(view: DataView, fragment: Box, usual: number): number {
  const head = boxAt(view, fragment, ['tfhd'])
  const flags = (numberIn(view, head, 0) ?? 0) & 0xffffff
  const at = 8 + (flags & headHas.offset ? 8 : 0) + (flags & headHas.description ? 4 : 0)
  const each = (flags & headHas.length ? numberIn(view, head, at) : null) ?? usual
  return allIn(view, fragment, 'trun').reduce((sum, run) => sum + lengthOfRun(view, run, each), 0)
}

function lengthOfRun(view: DataView, run: Box, each: number): number {
  const flags = (numberIn(view, run, 0) ?? 0) & 0xffffff
  const count = numberIn(view, run, 4) ?? 0
  if (!(flags & has.length)) return count * each
  const begin = 8 + (flags & has.offset ? 4 : 0) + (flags & has.firstFlags ? 4 : 0)
  const step = 4 * [has.length, has.size, has.flags, has.shift].filter((one) => flags & one).length
  let sum = 0
  for (let sample = 0; sample < count; sample += 1) {
    const length = numberIn(view, run, begin + sample * step)
    if (length === null) break
    sum += length
  }
  return sum
}

const types = { mp4a: 'audio/mp4', Opus: 'audio/mp4; codecs=opus' } as const

export function readFragments(view: DataView): VoiceNote {
  const found = boxesIn(view, 0, view.byteLength)
  const isCut = (found.at(-1)?.end ?? 0) < view.byteLength
  const boxes = isCut ? wholeFragments(found) : found
  const index = boxes.find(({ type }) => type === 'moov')
  if (index === undefined) return { problem: 'cut' }
  const tracks = allIn(view, index, 'trak').map((track) => readTrack(view, track))
  if (tracks.some(({ handler }) => handler !== 'soun')) return { problem: 'film' }
  const [track] = tracks
  const type = track?.codec === 'mp4a' || track?.codec === 'Opus' ? types[track.codec] : null
  if (track === undefined || tracks.length !== 1 || type === null || track.timescale === 0)
    return { problem: 'unknown' }
  const usual = numberIn(view, boxAt(view, index, ['mvex', 'trex']), 12) ?? 0
  const fragments = boxes.filter((box) => box.type === 'moof').flatMap((box) => allIn(view, box, 'traf'))
  const length = fragments.reduce((sum, fragment) => sum + lengthOfFragment(view, fragment, usual), track.listed)
  const durationMs = Math.round((length * 1000) / track.timescale)
  const hasSound = boxes.some((box) => box.type === 'mdat' && box.end > box.start)
  if (durationMs === 0 || !hasSound) return { problem: 'silent' }
  return { type, durationMs, bytes: boxes.at(-1)?.end ?? 0 }
}

/** Up to the sounds of the last fragment that's whole. Nothing of a file without one: its index is of all its sounds. */
function wholeFragments(boxes: readonly Box[]): Box[] {
  const last = boxes.findLastIndex(({ type }, at) => type === 'mdat' && boxes[at - 1]?.type === 'moof')
  return boxes.slice(0, last + 1)
}
