import * as v from 'valibot'
import { mediaFormats } from '#shared/values/media.ts'
import { Id } from './fields.ts'

/** What a phone may keep instead of the file. */
export const versionForms = ['light', 'sound'] as const
const VersionForm = v.picklist(versionForms, 'Choose light or sound.')
export type VersionForm = v.InferOutput<typeof VersionForm>

/** Why we don't make a version: an owner removed it, or making it failed. */
export const skipReasons = ['removed', 'unreadable', 'no-sound', 'no-smaller', 'too-slow', 'refused'] as const
export type SkipReason = (typeof skipReasons)[number]

/** `unable`: this server has no ffmpeg. `not-needed`: the file is small already. */
export const versionStates = ['given', 'made', 'waiting', 'making', 'unable', 'not-needed', 'skipped'] as const

/** `file` is what phones get now; while a new one is being made, that's the old one. */
export const VideoVersion = v.object({
  form: VersionForm,
  state: v.picklist(versionStates),
  reason: v.nullable(v.picklist(skipReasons)),
  /** How much of it is made. Null unless this server is making it. */
  percent: v.nullable(v.number()),
  file: v.nullable(
    v.object({
      id: v.string(),
      name: v.string(),
      format: v.picklist(mediaFormats),
      bytes: v.number(),
      address: v.string(),
    }),
  ),
})
export type VideoVersion = v.InferOutput<typeof VideoVersion>

/** `phones`: how many keep the video. `film` is what they keep unless they choose a version; null if it's hosted elsewhere. */
export const VideoVersions = v.object({
  phones: v.number(),
  film: v.nullable(v.object({ name: v.string(), format: v.picklist(mediaFormats), bytes: v.number() })),
  versions: v.array(VideoVersion),
})
export type VideoVersions = v.InferOutput<typeof VideoVersions>

export const VersionParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)), form: VersionForm })

/** The id of a file in the library. */
export const VersionRequest = v.object({ file: Id })
