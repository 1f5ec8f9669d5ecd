import * as v from 'valibot'
import { mediaAddress, mediaFormats } from '#shared/values/media.ts'
import { Id, Instant, OptionalText, RequiredLine, RequiredText } from './fields.ts'

/** An episode as owners edit it. `notes` is plain text; a change names the version it was made from. */
export const AdminEpisode = v.object({
  id: v.string(),
  title: v.string(),
  summary: v.string(),
  notes: v.nullable(v.string()),
  number: v.nullable(v.number()),
  mediaId: v.string(),
  mediaName: v.string(),
  mediaFormat: v.picklist(mediaFormats),
  /** Its own picture, also public; null to show the podcast's. */
  pictureId: v.nullable(v.string()),
  pictureFormat: v.nullable(v.picklist(mediaFormats)),
  seconds: v.number(),
  isExplicit: v.boolean(),
  isPublished: v.boolean(),
  publishedAt: v.nullable(v.string()),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
})
export type AdminEpisode = v.InferOutput<typeof AdminEpisode>

/** The address of its own picture; null if it has none. */
export const episodePicture = ({
  pictureId: id,
  pictureFormat: format,
}: Pick<AdminEpisode, 'pictureId' | 'pictureFormat'>): string | null =>
  id === null || format === null ? null : mediaAddress({ id, format, isPublic: true })

/** Newest first. */
export const AdminEpisodeList = v.array(AdminEpisode)

const fields = {
  title: RequiredLine('Title', 150),
  summary: RequiredText('Summary', 600),
  notes: OptionalText(50_000),
  number: v.optional(
    v.nullable(
      v.pipe(
        v.number('Give a whole number.'),
        v.integer('Give a whole number.'),
        v.minValue(1, 'Give a number from 1 to 99999.'),
        v.maxValue(99_999, 'Give a number from 1 to 99999.'),
      ),
    ),
    null,
  ),
  mediaId: v.pipe(v.string('Choose the audio.'), v.nonEmpty('Choose the audio.'), Id),
  pictureId: v.optional(v.nullable(Id), null),
  seconds: v.pipe(
    v.number('Give the length, as 24:30.'),
    v.integer('Give the length, as 24:30.'),
    v.minValue(1, 'Give the length, as 24:30.'),
    v.maxValue(86_400, 'An episode can last up to a day.'),
  ),
  isExplicit: v.optional(v.boolean(), false),
  isPublished: v.optional(v.boolean(), false),
  /** A time in the future schedules the episode. Null means the moment it's first published. */
  publishedAt: v.optional(v.nullable(Instant), null),
}

export const EpisodeRequest = v.object(fields)
export type EpisodeRequest = v.InferOutput<typeof EpisodeRequest>

export const EpisodeChangeRequest = v.object({ ...fields, version: v.pipe(v.number(), v.integer(), v.minValue(1)) })
export type EpisodeChangeRequest = v.InferOutput<typeof EpisodeChangeRequest>

export const EpisodeParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })
export const RemoveEpisodeQuery = v.strictObject({
  version: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
})
export const EpisodeRemoved = v.object({ success: v.literal(true) })
