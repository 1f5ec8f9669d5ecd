import type { ShelfForm } from '#shared/contract/shelf.ts'
import type { Kept, Wait } from '#shared/rules/shelf.ts'

// Members' phones store these: changing a name needs a new version of the member's database.

/** A download of a kept video, held as one piece. */
export type KeptHandout = { address: string; sha256: string; format: string; bytes: number }

/** A video the member keeps on this phone. */
export type KeptRow = Kept & {
  /** Chosen by "Keep the next two for me", so it goes once it's done. */
  isAutomatic: boolean
  /** Null if it has none, or they aren't here yet. */
  captions: string | null
  handouts: KeptHandout[]
  /** The video's `updatedAt` at which captions and downloads were fetched. */
  readingOf: string | null
}

/** Why the shelf stands still. `room`: the browser's limit for this site is near; `limit`: the member's own. */
export type ShelfPause = Wait | 'room' | 'limit' | 'server'

export type ShelfRow = {
  key: 'shelf'
  form: ShelfForm
  isWifiOnly: boolean
  /** The member has chosen the form, and was asked about the network with it. */
  hasChosen: boolean
  keepsNext: boolean
  /** Videos the member has deleted, which "Keep the next two for me" leaves alone until it's switched on again. */
  skipped: string[]
  /** The most that kept videos may take, in bytes. Null: as much as the browser gives. */
  mostBytes: number | null
  pause: ShelfPause | null
  /** The browser refused a piece. Nothing is fetched until the member makes room or asks again. */
  isFull: boolean
  /** What the server was last told is on this phone. Null before it was told anything. */
  told: string[] | null
  /** Videos the browser removed, until the member has read so. */
  removed: string[]
  /** The ETag of the server's last word on what may be kept, so that a launch needn't fetch it again. */
  tag: string | null
  /** The ETag of the list of videos it was given after, and the phone's time. */
  word?: { list: string | null; at: number }
}

/** Until the member has chosen a form, a browser told to save data gets the sound. */
export const formOf = ({ form, hasChosen }: ShelfRow, savesData: boolean): ShelfForm =>
  savesData && !hasChosen ? 'sound' : form

/** A row that an older version wrote lacks what came since. */
export const shelfOf = (row: { key: string } | undefined): ShelfRow =>
  row?.key === 'shelf' ? { ...emptyShelf, ...row, key: 'shelf' } : emptyShelf

export const emptyShelf: ShelfRow = {
  key: 'shelf',
  form: 'film',
  isWifiOnly: true,
  hasChosen: false,
  keepsNext: false,
  skipped: [],
  mostBytes: null,
  pause: null,
  isFull: false,
  told: null,
  removed: [],
  tag: null,
}
