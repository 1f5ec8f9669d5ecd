import * as v from 'valibot'
import { videoTypes } from '#shared/values/column-values.ts'
import { TierSlug } from './tier.ts'

export const VideoType = v.picklist(videoTypes, 'Video type is required')
export type VideoType = v.InferOutput<typeof VideoType>

/** A video as a member sees it. `videoId` is the host's id, `duration` minutes. */
export const MemberVideo = v.object({
  id: v.string(),
  /** For the video's own page. It stays when the title changes, so that links keep working. */
  slug: v.string(),
  title: v.string(),
  description: v.nullable(v.string()),
  videoType: VideoType,
  videoId: v.string(),
  embedUrl: v.nullable(v.string()),
  category: v.string(),
  orderIndex: v.number(),
  isPublished: v.boolean(),
  tierAccess: v.array(TierSlug),
  duration: v.nullable(v.number()),
  /** Addresses of our own files, which the page tries in order before the host's player. Absent if there are none. */
  files: v.optional(v.array(v.string())),
  createdAt: v.string(),
  updatedAt: v.string(),
})
export type MemberVideo = v.InferOutput<typeof MemberVideo>

export const MemberVideoList = v.array(MemberVideo)

/** A document members can keep. `name` is the file's. */
export const Handout = v.object({
  title: v.string(),
  name: v.string(),
  format: v.string(),
  bytes: v.number(),
  address: v.string(),
})
export type Handout = v.InferOutput<typeof Handout>

/** The texts on a video's page. `hasCaptions`: they're at `captionsAddress`. */
export const VideoText = v.object({
  videoId: v.string(),
  notes: v.nullable(v.string()),
  /** What's said, with a blank line between paragraphs. */
  transcript: v.nullable(v.string()),
  hasCaptions: v.boolean(),
  /** For captions whose words stand in the transcript: the second of the video, and the place in the text where they begin. */
  marks: v.optional(v.array(v.tuple([v.number(), v.number()]))),
  handouts: v.optional(v.array(Handout)),
})
export type VideoText = v.InferOutput<typeof VideoText>
export const VideoTextList = v.array(VideoText)

/** What's said in different words for one thing: each entry has them with commas between. */
export const SearchWordList = v.array(v.string())
