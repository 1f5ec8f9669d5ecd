import type { ShelfFile, ShelfForm, ShelfVideo } from '#shared/contract/shelf.ts'
import { pieceBytes } from '#shared/values/media.ts'
import type { ByteRange } from './byte-range.ts'

export const pieceCount = (bytes: number): number => Math.ceil(bytes / pieceBytes)

export const pieceRange = (index: number, bytes: number): ByteRange => ({
  first: index * pieceBytes,
  last: Math.min((index + 1) * pieceBytes, bytes) - 1,
})

/** A file on its way to the phone. `pieces` are their hashes; null until the server has told them. `have` are those that are here. */
export type ComingFile = ShelfFile & { form: ShelfForm; pieces: string[] | null; have: number[] }
/** A file of which every piece is here. */
export type WholeFile = ShelfFile & { form: ShelfForm }

/**
 * What a phone has of a kept video. Both are there while a replaced video is fetched: the old one plays until the new one is whole.
 */
export type Kept = { videoId: string; keptAt: number; whole: WholeFile | null; coming: ComingFile | null }

/** The next thing to ask the server for; `pieces` asks for the hashes of a file's pieces. */
export type Step =
  | { kind: 'pieces'; sha256: string; address: string }
  | { kind: 'piece'; sha256: string; address: string; bytes: number; index: number; hash: string }

export const stepKey = (step: Step): string => (step.kind === 'pieces' ? step.sha256 : `${step.sha256}/${step.index}`)

/**
 * The first step for what was chosen first, except those in `busy`: under way, or asked for in vain. Two videos may share a file; it's
 * fetched once.
 */
export function nextStep(rows: readonly Kept[], busy: ReadonlySet<string>): Step | null {
  for (const { coming } of rows.toSorted((one, other) => one.keptAt - other.keptAt)) {
    const step = coming && stepFor(coming, busy)
    if (step) return step
  }
  return null
}

function stepFor({ sha256, address, bytes, pieces, have }: ComingFile, busy: ReadonlySet<string>): Step | null {
  if (pieces === null) {
    const step: Step = { kind: 'pieces', sha256, address }
    return busy.has(stepKey(step)) ? null : step
  }
  const held = new Set(have)
  for (const [index, hash] of pieces.entries()) {
    const step: Step = { kind: 'piece', sha256, address, bytes, index, hash }
    if (!held.has(index) && !busy.has(stepKey(step))) return step
  }
  return null
}

/** Those that fit below the member's own limit, the first chosen first. A video that doesn't fit isn't begun. */
export function withinLimit<Row extends Kept>(rows: readonly Row[], mostBytes: number | null): Row[] {
  if (mostBytes === null) return [...rows]
  let left = mostBytes - rows.reduce((sum, { whole }) => sum + (whole?.bytes ?? 0), 0)
  return rows
    .toSorted((one, other) => one.keptAt - other.keptAt)
    .filter(({ coming }) => {
      if (coming === null) return true
      if (coming.bytes > left) return false
      left -= coming.bytes
      return true
    })
}

const fallbacks: Record<ShelfForm, readonly ShelfForm[]> = {
  film: ['film', 'light', 'sound'],
  light: ['light', 'film', 'sound'],
  sound: ['sound', 'light', 'film'],
}

/** The file of a video in the wanted form, or the nearest to it; null if nothing of it can be kept. */
export function fileToKeep(
  video: Pick<ShelfVideo, ShelfForm>,
  wanted: ShelfForm,
): { form: ShelfForm; file: ShelfFile } | null {
  for (const form of fallbacks[wanted]) {
    const file = video[form]
    if (file) return { form, file }
  }
  return null
}

/** The row after the server's word on its video. Null: it isn't open to the member any more, or has nothing to keep. */
export function afterWord<Row extends Kept>(row: Row, video: ShelfVideo | undefined): Row | null {
  const form = row.coming?.form ?? row.whole?.form ?? 'film'
  const found = video && fileToKeep(video, form)
  if (!found) return null
  const { sha256 } = found.file
  if (row.whole?.sha256 === sha256)
    return row.coming === null ? { ...row, whole: { ...row.whole, ...found.file } } : { ...row, coming: null }
  if (row.coming?.sha256 === sha256) return { ...row, coming: { ...row.coming, ...found.file } }
  return { ...row, coming: { ...found.file, form: found.form, pieces: null, have: [] } }
}

/** The row once a piece has arrived: whole with its last one. */
export function withPiece<Row extends Kept>(row: Row, sha256: string, index: number): Row {
  const { coming } = row
  if (coming?.sha256 !== sha256 || coming.have.includes(index)) return row
  const have = [...coming.have, index]
  if (have.length < pieceCount(coming.bytes)) return { ...row, coming: { ...coming, have } }
  const { pieces: _, have: __, ...whole } = coming
  return { ...row, whole, coming: null }
}

/** What the browser says of the network. Most say nothing. */
export type NetworkKind = 'wifi' | 'mobile' | 'unknown'

export type Conditions = {
  isOnline: boolean
  /** Ticks, positions or forms wait to be sent. */
  hasUnsent: boolean
  /** A video plays from the network, here or in another tab. */
  isVideoPlaying: boolean
  network: NetworkKind
  isWifiOnly: boolean
  /** The member has said that this network will do. */
  isAllowed: boolean
}

/** Why nothing is fetched now. `ask`: the browser doesn't say what network it is, so the member has to. */
export type Wait = 'signal' | 'unsent' | 'film' | 'wifi' | 'ask'

export function whyWait(now: Conditions): Wait | null {
  if (!now.isOnline) return 'signal'
  if (now.hasUnsent) return 'unsent'
  if (now.isVideoPlaying) return 'film'
  if (!now.isWifiOnly || now.isAllowed || now.network === 'wifi') return null
  return now.network === 'mobile' ? 'wifi' : 'ask'
}

export type Room = {
  /** Bytes this site uses, and the most the browser gives it. Null if it doesn't say. */
  usage: number | null
  quota: number | null
  /** The browser may clear the kept videos without the ticks, or has promised to clear nothing. */
  isSafe: boolean
}

/** Of what the browser gives the site. The rest is for ticks, pages and the browser's own mistakes. */
const mostOfQuota = 0.8
/** Where an eviction would take the ticks too. */
const mostOfUnsafeQuota = 0.1

/** Whether `more` bytes may be fetched. A browser that doesn't say how much it gives gets the benefit of the doubt. */
export function hasRoomFor(more: number, { usage, quota, isSafe }: Room): boolean {
  if (usage === null || quota === null) return true
  return usage + more <= quota * (isSafe ? mostOfQuota : mostOfUnsafeQuota)
}

/** What this login's phone told the server it keeps, and doesn't have: the browser removed it. */
export const removedByBrowser = (told: readonly string[], here: ReadonlySet<string>): string[] =>
  told.filter((videoId) => !here.has(videoId))

type Listed = { id: string }

/** The next `count` videos that aren't done, in the list's order, of those that can be kept. */
export const nextToKeep = <Video extends Listed>(
  videos: readonly Video[],
  { isDone, canKeep, count }: { isDone: (id: string) => boolean; canKeep: (id: string) => boolean; count: number },
): Video[] => videos.filter(({ id }) => !isDone(id) && canKeep(id)).slice(0, count)
