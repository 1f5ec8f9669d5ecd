import * as v from 'valibot'
import { mediaFormats } from '#shared/rules/media.ts'
import { Id } from './fields.ts'

/** A file of the media store. `videos` counts the lessons that play it. */
export const MediaFile = v.object({
  id: v.string(),
  name: v.string(),
  format: v.picklist(mediaFormats),
  bytes: v.number(),
  isPublic: v.boolean(),
  address: v.string(),
  videos: v.number(),
  createdAt: v.string(),
})
export type MediaFile = v.InferOutput<typeof MediaFile>
export const MediaFileList = v.array(MediaFile)

/** The files that a video plays, in the order in which a browser tries them; `version` is of the video that the owner saw. */
export const VideoFilesRequest = v.object({
  files: v.pipe(v.array(Id), v.maxLength(6, 'A video takes at most 6 files.')),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type VideoFilesRequest = v.InferOutput<typeof VideoFilesRequest>

/** A picture for everybody; `content` is base64. */
export const NewPicture = v.object({
  name: v.pipe(v.string(), v.maxLength(200)),
  content: v.pipe(v.string(), v.nonEmpty('This file is empty.'), v.base64('This must be base64.')),
})
export type NewPicture = v.InferOutput<typeof NewPicture>

/** `file` is the id with its ending, as in the address. */
export const MediaParams = v.object({ file: v.pipe(v.string(), v.maxLength(64)) })
export const MediaIdParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })
export const MediaRemoved = v.object({ success: v.literal(true) })
