import * as v from 'valibot'
import { normaliseCaptions, readCaptions } from '#shared/values/captions.ts'
import { readVideoSource } from '#shared/values/video-source.ts'
import { Day, Id, OptionalText, RequiredLine, RequiredText, Text } from './fields.ts'
import { listEntries } from './listing.ts'
import { TierSlug } from './tier.ts'
import { Handout, MemberVideo, VideoType } from './video.ts'

export const videoTextKinds = ['notes', 'transcript', 'captions'] as const
export const VideoTextKind = v.picklist(videoTextKinds)
export type VideoTextKind = v.InferOutput<typeof VideoTextKind>

/** A video as owners see it. `version` goes up with each change; a change names the one it was made from. */
export const AdminVideo = v.object({
  ...MemberVideo.entries,
  version: v.number(),
  /** The first day members see it, once it's published; null means straight away. */
  availableFrom: v.optional(v.nullable(v.string()), null),
  texts: v.optional(v.array(VideoTextKind)),
  handouts: v.optional(v.array(Handout)),
})
export type AdminVideo = v.InferOutput<typeof AdminVideo>
export const AdminVideoList = v.array(AdminVideo)

/** `file`: the id of a file in the library. */
const HandoutFile = v.object({ file: v.string(), title: v.string() })

/** A video with everything on its page, in the shape of the request that changes it. `captions` is WebVTT. */
export const WholeVideo = v.object({
  ...AdminVideo.entries,
  notes: v.nullable(v.string()),
  transcript: v.nullable(v.string()),
  captions: v.nullable(v.string()),
  /** The id of the captions file these were copied from. They change when it does. */
  captionsFrom: v.nullable(v.string()),
  /** The ids of its own files, in the order a browser tries them. */
  filmFiles: v.array(v.string()),
  handoutFiles: v.array(HandoutFile),
})
export type WholeVideo = v.InferOutput<typeof WholeVideo>

const orderBelowZero = 'Order must be 0 or greater'

export const videoTextLengths = { notes: 20_000, transcript: 200_000, captions: 400_000 }

const Captions = v.pipe(
  OptionalText(videoTextLengths.captions),
  // As it was typed, so that a problem's line is the one in the field.
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value === null) return
    const read = readCaptions(dataset.value)
    if ('problem' in read) addIssue({ message: read.problem })
  }),
  v.transform((text) => text && normaliseCaptions(text)),
)

/** What's on a video's page beside its place in the list. A change that leaves one out keeps it. */
const parts = {
  notes: OptionalText(videoTextLengths.notes),
  transcript: OptionalText(videoTextLengths.transcript),
  captions: v.optional(Captions, null),
  /** Goes with `captions`. We keep it only if they still match that file. */
  captionsFrom: v.optional(v.nullable(Id), null),
  filmFiles: v.optional(v.pipe(v.array(Id), v.maxLength(6, 'A video can have up to 6 files.')), []),
  handoutFiles: v.optional(
    v.pipe(
      v.array(v.object({ file: Id, title: RequiredLine('Title', 120) })),
      v.maxLength(12, 'A video can have up to 12 downloads.'),
    ),
    [],
  ),
  /** Its place in its category, from 0, or the last one. The others make room. Without it `orderIndex` holds. */
  place: v.optional(v.union([v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), v.literal('end')])),
}

/**
 * `videoId` and `embedUrl` are long enough for embed code, which `readVideoSource` reduces. `videoId` is empty for a file of our
 * own. `duration` is minutes.
 */
const fields = {
  ...parts,
  title: RequiredLine('Title'),
  description: OptionalText(2000),
  videoType: VideoType,
  videoId: v.optional(Text(4000), ''),
  embedUrl: OptionalText(4000),
  category: RequiredLine('Category', 60),
  orderIndex: v.optional(
    v.pipe(
      v.number(orderBelowZero),
      v.minValue(0, orderBelowZero),
      v.integer('Use a whole number.'),
      v.maxValue(100_000, 'Use a smaller number.'),
    ),
    0,
  ),
  isPublished: v.optional(v.boolean(), true),
  availableFrom: v.optional(v.nullable(Day), null),
  /** Without it, all of them. */
  tierAccess: v.optional(v.pipe(v.array(TierSlug), v.minLength(1, 'Choose at least one tier.'))),
  duration: v.optional(
    v.nullable(
      v.pipe(
        v.number('Use a number of minutes.'),
        v.minValue(0, 'Use a number of minutes.'),
        v.maxValue(1440, 'Use up to 1440 minutes.'),
      ),
    ),
    null,
  ),
}

const missing: Record<string, string> = {
  '"title"': 'Title is required',
  '"videoType"': 'Video type is required',
  '"category"': 'Category is required',
}

/** A video as we store it, with the pasted text reduced to the host's id. */
export const VideoRequest = v.pipe(
  v.object(fields, ({ expected }) => missing[expected ?? ''] ?? 'Fill in this field.'),
  v.forward(
    v.partialCheck(
      [['videoId'], ['filmFiles']],
      ({ videoId, filmFiles: videoFiles }) => videoId !== '' || videoFiles.length > 0,
      'Video ID/URL is required',
    ),
    ['videoId'],
  ),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    // A file of our own has no host, unless a player is named.
    const isOurs = value.videoId === '' && value.embedUrl === null
    const source = isOurs ? { videoId: '', embedUrl: null } : readVideoSource(value)
    if (!('problems' in source)) return { ...value, ...source }
    for (const [key, message] of Object.entries(source.problems))
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: value, key, value: null }] })
    return NEVER
  }),
)
export type VideoRequest = v.InferOutput<typeof VideoRequest>

const version = v.pipe(v.number(), v.integer(), v.minValue(1))

export const VideoChangeRequest = v.object({ ...v.partial(v.object(fields)).entries, version })
export type VideoChangeRequest = v.InferOutput<typeof VideoChangeRequest>

export const VideoOrderRequest = v.object({
  videos: v.pipe(v.array(v.object({ id: Id, version })), v.minLength(1), v.maxLength(1000)),
})
export type VideoOrderRequest = v.InferOutput<typeof VideoOrderRequest>

/** Every category in the members' order, with its number of videos. `version` is 0 until the owners change something. */
export const VideoCategories = v.object({
  categories: v.array(v.object({ name: v.string(), videos: v.number() })),
  version: v.number(),
})
export type VideoCategories = v.InferOutput<typeof VideoCategories>

/** All categories in their new order. `was` is a category's old name; null for a new one. */
export const VideoCategoriesRequest = v.object({
  categories: v.pipe(
    v.array(v.object({ name: RequiredLine('Category', 60), was: v.nullable(RequiredLine('Category', 60)) })),
    v.minLength(1),
    v.maxLength(60, 'You can have up to 60 categories.'),
  ),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type VideoCategoriesRequest = v.InferOutput<typeof VideoCategoriesRequest>

export const viewerStates = ['done', 'begun', 'open'] as const

/** How far a member is in a video. `seconds` is where they stopped and `lastAt` when; null if they never started. */
export const VideoViewer = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  state: v.picklist(viewerStates),
  completedAt: v.nullable(v.string()),
  seconds: v.nullable(v.number()),
  lastAt: v.nullable(v.string()),
})
export type VideoViewer = v.InferOutput<typeof VideoViewer>
export const VideoViewerList = v.array(VideoViewer)

export const VideoViewersQuery = v.object({
  ...listEntries('name', 'state', 'when'),
  show: v.optional(v.picklist(viewerStates)),
})
export type VideoViewersQuery = v.InferOutput<typeof VideoViewersQuery>

/** What a video's host says about it; empty if the host didn't answer. `duration` is minutes, `picture` a `data:` address. */
export const HostedVideo = v.object({
  isAnswered: v.boolean(),
  title: v.nullable(v.string()),
  duration: v.nullable(v.number()),
  picture: v.nullable(v.string()),
})
export type HostedVideo = v.InferOutput<typeof HostedVideo>

/** A pasted video. We ask its host about the id in it. */
export const HostedVideoQuery = v.strictObject({ videoType: VideoType, videoId: RequiredText('Video ID/URL', 4000) })

export const VideoParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })

/** `version` is the video's as the owner saw it. Without it we remove the video whatever its version. */
export const RemoveVideoQuery = v.strictObject({
  version: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
})

export const VideoRemoved = v.object({ success: v.literal(true) })
