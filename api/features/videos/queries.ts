import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { jsonOf } from '#api/db/expressions.ts'
import { type HasDb, perDatabase, preparedQuery } from '#api/db/query.ts'
import { media, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { memberVideos, videoTexts } from '#api/db/schema/videos.ts'
import { statement } from '#api/db/statement.ts'
import { tiersOfVideo } from '#api/db/video-tiers.ts'
import { isShownOn } from '#api/features/media/shown-queries.ts'
import type { Handout } from '#shared/contract/video.ts'
import { mediaAddress, mediaFormats } from '#shared/values/media.ts'

const filesAsJson = sql`(select json_group_array(json_array(id, format)) from (
  select ${media.id} as id, ${media.format} as format from ${videoFiles} join ${media} on ${media.id} = ${videoFiles.mediaId}
  where ${videoFiles.videoId} = ${memberVideos.id} order by ${videoFiles.position}))`

const Format = v.picklist(mediaFormats)
const StoredFile = v.tuple([v.string(), Format])
type StoredFile = v.InferOutput<typeof StoredFile>

const readFiles = jsonOf(v.array(StoredFile))

const addressesOf = (files: readonly StoredFile[]): string[] =>
  files.map(([id, format]) => mediaAddress({ id, format, isPublic: false }))

/** The URLs of a video's files, in order. Nested in another `sql`, or Drizzle drops the table names. */
export const filesOfVideo = sql`${filesAsJson}`.mapWith((json: string) => addressesOf(readFiles(json)))

/** Revisions of everything members see, as one text. Comparing it takes a fifth of the time of reading the rows. */
export const publishedRevisions = statement<{ today: string }>()(
  { text: sql`group_concat(video)`.mapWith(String) },
  // The index gives the order; `group_concat(… order by …)` would sort, and take twice as long.
  (selected, { today }) => sql`select ${selected} from (
    select ${memberVideos.id} || ' ' || ${memberVideos.revision} as video from ${memberVideos} where ${isShownOn(today)}
    order by ${memberVideos.category}, ${memberVideos.orderIndex})`,
)

export const videosByIds = preparedQuery<{ ids: string }>()((db, { ids }) =>
  db
    .select({ ...getTableColumns(memberVideos), tierAccess: tiersOfVideo })
    .from(memberVideos)
    .where(sql`${memberVideos.id} in (select value from json_each(${ids}))`),
)

/** Read separately: a subquery per row takes as long as the whole list, and one row per video three times as long as one text. */
const allPlayedFiles = statement()(
  {
    text: sql`json_group_array(json_array(video, place, ${media.id}, ${media.format}))`.mapWith(String),
  },
  // The light version shows its picture everywhere, so it's tried after the file itself.
  (selected) => sql`select ${selected} from (
    select ${videoFiles.videoId} as video, ${videoFiles.position} as place, ${videoFiles.mediaId} as file from ${videoFiles}
    union all select ${videoVersions.videoId}, 0.5, ${videoVersions.mediaId} from ${videoVersions}
    where ${videoVersions.form} = 'light' and exists (select 1 from ${videoFiles} where ${videoFiles.videoId} = ${videoVersions.videoId}))
    join ${media} on ${media.id} = file`,
)

const PlayedFile = v.tuple([v.string(), v.number(), v.string(), Format])
type PlayedFile = v.InferOutput<typeof PlayedFile>

const readPlayedFiles = jsonOf(v.array(PlayedFile))

const lastPlayed = perDatabase(() => ({ text: '[]', filesOf: new Map<string, string[]>() }))

/** Each video's file addresses, in the order its player tries them. Returns the same map until one changes. */
export function playedFiles(ctx: HasDb): ReadonlyMap<string, string[]> {
  const last = lastPlayed(ctx.db)
  const { text } = allPlayedFiles.get(ctx) ?? last
  if (text === last.text) return last.filesOf
  const byVideo = Map.groupBy(readPlayedFiles(text), ([videoId]) => videoId)
  const inOrder = (files: PlayedFile[]): StoredFile[] =>
    files.toSorted(([, one], [, other]) => one - other).map(([, , id, format]) => [id, format])
  const filesOf = new Map(Array.from(byVideo, ([videoId, files]) => [videoId, addressesOf(inOrder(files))]))
  return Object.assign(last, { text, filesOf }).filesOf
}

const handoutsAsJson = sql`(select json_group_array(json_object('title', title, 'name', name, 'bytes', bytes, 'id', id, 'format', format)) from (
  select ${videoHandouts.title} as title, ${media.name} as name, ${media.bytes} as bytes, ${media.id} as id, ${media.format} as format
  from ${videoHandouts} join ${media} on ${media.id} = ${videoHandouts.mediaId}
  where ${videoHandouts.videoId} = ${memberVideos.id} order by ${videoHandouts.position}))`

const readStoredHandouts = jsonOf(
  v.array(v.object({ title: v.string(), name: v.string(), bytes: v.number(), id: v.string(), format: Format })),
)

const readHandouts = (json: string): Handout[] =>
  readStoredHandouts(json).map(({ id, ...handout }) => ({
    ...handout,
    address: mediaAddress({ ...handout, id, isPublic: false }),
  }))

/** A video's downloads, in order. Nested in another `sql`, or Drizzle drops the table names. */
export const handoutsOfVideo = sql`${handoutsAsJson}`.mapWith(readHandouts)

export const publishedTexts = preparedQuery<{ today: string }>()((db, { today }) =>
  db
    .select({
      videoId: memberVideos.id,
      tierAccess: tiersOfVideo,
      notes: videoTexts.notes,
      transcript: videoTexts.transcript,
      captions: videoTexts.captions,
      handouts: handoutsOfVideo,
    })
    .from(memberVideos)
    .leftJoin(videoTexts, eq(videoTexts.videoId, memberVideos.id))
    .where(and(isShownOn(today), sql`(${videoTexts.videoId} is not null or ${handoutsAsJson} <> '[]')`))
    .orderBy(memberVideos.id),
)

export const publishedCaptions = preparedQuery<{ videoId: string; today: string }>()((db, { videoId, today }) =>
  db
    .select({ captions: videoTexts.captions, tierAccess: tiersOfVideo })
    .from(videoTexts)
    .innerJoin(memberVideos, eq(memberVideos.id, videoTexts.videoId))
    .where(and(isShownOn(today), eq(videoTexts.videoId, videoId))),
)
