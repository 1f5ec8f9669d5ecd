import * as v from 'valibot'
import { maxMediaBytes, mediaFormats, mediaKinds } from '#shared/values/media.ts'
import { Id, RequiredLine } from './fields.ts'
import { listEntries } from './listing.ts'
import { offsetHeader } from './upload-piece.ts'

/**
 * A place that shows a file: a video (`film`, its `light` version or `sound`, `handout` or `captions`), a page or a post. `at` is
 * its id, or the page's name.
 */
export const MediaUse = v.object({
  what: v.picklist(['film', 'light', 'sound', 'handout', 'captions', 'page', 'post', 'episode']),
  title: v.string(),
  at: v.string(),
})
export type MediaUse = v.InferOutput<typeof MediaUse>

/** A file in the media store. `videos` counts the videos that play it. */
export const MediaFile = v.object({
  id: v.string(),
  name: v.string(),
  format: v.picklist(mediaFormats),
  bytes: v.number(),
  isPublic: v.boolean(),
  address: v.string(),
  videos: v.number(),
  createdAt: v.string(),
  replacedAt: v.nullable(v.string()),
  usedIn: v.array(MediaUse),
})
export type MediaFile = v.InferOutput<typeof MediaFile>
export const MediaFileList = v.array(MediaFile)

export const AdminMediaQuery = v.object({
  ...listEntries('added', 'name', 'size'),
  kind: v.optional(v.picklist(mediaKinds)),
  use: v.optional(v.picklist(['used', 'unused'])),
  who: v.optional(v.picklist(['everybody', 'members'])),
})
export type AdminMediaQuery = v.InferOutput<typeof AdminMediaQuery>

export const MediaRoom = v.object({ bytes: v.number(), quota: v.number() })
export type MediaRoom = v.InferOutput<typeof MediaRoom>

/**
 * Valibot's own check matches four characters at a time and gives up after some millions, so it refuses a picture of five
 * megabytes.
 */
const base64 = [
  v.regex<string, string>(/^[A-Za-z0-9+/]*={0,2}$/, 'This must be base64.'),
  v.check<string, string>(({ length }) => length % 4 === 0, 'This must be base64.'),
] as const

export const NewPicture = v.object({
  name: v.pipe(v.string(), v.maxLength(200)),
  content: v.pipe(v.string(), v.nonEmpty('This file is empty.'), ...base64),
})
export type NewPicture = v.InferOutput<typeof NewPicture>

/**
 * A file to upload. `fingerprint` is a SHA-256 the browser makes of its beginning, end and size, so that choosing the same file
 * again resumes the upload. `replaces` is the file to replace.
 */
export const NewUpload = v.object({
  name: RequiredLine('Name', 200),
  bytes: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, 'This file is empty. Save or export it again, and upload that.'),
    v.maxValue(maxMediaBytes, 'A file can have up to 2 GB.'),
  ),
  fingerprint: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'This must be a SHA-256 in hexadecimal.')),
  isPublic: v.boolean(),
  replaces: v.optional(v.nullable(Id), null),
  /** A file to move in from. It isn't checked as media, and never enters the library. */
  isImport: v.optional(v.boolean(), false),
})
export type NewUpload = v.InferOutput<typeof NewUpload>

/** An unfinished upload. `offset` is the number of bytes that have arrived. */
export const MediaUpload = v.object({
  id: v.string(),
  name: v.string(),
  bytes: v.number(),
  offset: v.number(),
  isPublic: v.boolean(),
  fingerprint: v.string(),
  replaces: v.nullable(v.string()),
  createdAt: v.string(),
})
export type MediaUpload = v.InferOutput<typeof MediaUpload>
export const MediaUploadList = v.array(MediaUpload)

export const ChunkHeaders = v.object({
  [offsetHeader]: v.pipe(v.string(), v.regex(/^\d{1,10}$/, 'Say where the part starts.'), v.transform(Number)),
})

/**
 * What a phone needs to keep a file: its hash, and the SHA-256 of each piece of `pieceBytes`, in order. `pieces` is null while the
 * server is still reading the file.
 */
export const MediaPieces = v.object({
  sha256: v.string(),
  bytes: v.number(),
  pieceBytes: v.number(),
  pieces: v.nullable(v.array(v.string())),
})
export type MediaPieces = v.InferOutput<typeof MediaPieces>

/** `file` is the id with its extension, as in the address. */
export const MediaParams = v.object({ file: v.pipe(v.string(), v.maxLength(64)) })
export const MediaIdParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })
export const MediaRemoved = v.object({ success: v.literal(true) })
