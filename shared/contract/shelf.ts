import * as v from 'valibot'
import { mediaFormats } from '#shared/values/media.ts'
import { Id } from './fields.ts'

/** What of a video a phone may keep: its file, a light version of it, or its sound alone. */
export const shelfForms = ['film', 'light', 'sound'] as const
export type ShelfForm = (typeof shelfForms)[number]

export const ShelfFile = v.object({
  address: v.string(),
  format: v.picklist(mediaFormats),
  bytes: v.number(),
  sha256: v.string(),
})
export type ShelfFile = v.InferOutput<typeof ShelfFile>

/** `isPreparing`: the server is still reading the file, and can't say yet what its pieces are. */
export const ShelfVideo = v.object({
  videoId: v.string(),
  isPreparing: v.boolean(),
  film: v.nullable(ShelfFile),
  light: v.nullable(ShelfFile),
  sound: v.nullable(ShelfFile),
})
export type ShelfVideo = v.InferOutput<typeof ShelfVideo>

/**
 * `lessons`: the videos this member may watch that have a file of ours. `kept`: what this login's phone said it keeps, which tells a
 * phone that its browser deleted something.
 */
export const Shelf = v.object({ lessons: v.array(ShelfVideo), kept: v.array(v.string()) })
export type Shelf = v.InferOutput<typeof Shelf>

export const KeptVideos = v.object({ videoIds: v.pipe(v.array(Id), v.maxLength(500)) })
export type KeptVideos = v.InferOutput<typeof KeptVideos>
