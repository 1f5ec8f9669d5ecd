import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { media, videoFiles } from '#api/db/schema/media.ts'
import { memberVideos, videoTexts } from '#api/db/schema/videos.ts'
import { statement } from '#api/db/statement.ts'
import { type MediaFormat, mediaAddress } from '#shared/rules/media.ts'

const columns = Object.entries(getTableColumns(memberVideos))

const filesAsJson = sql`(select json_group_array(json_array(id, format)) from (
  select ${media.id} as id, ${media.format} as format from ${videoFiles} join ${media} on ${media.id} = ${videoFiles.mediaId}
  where ${videoFiles.videoId} = ${memberVideos.id} order by ${videoFiles.position}))`

type StoredFile = [id: string, format: MediaFormat]

const addressesOf = (files: readonly StoredFile[]): string[] =>
  files.map(([id, format]) => mediaAddress({ id, format, isPublic: false }))

/** Addresses of the files that a video plays, in their order. Within another `sql`, or Drizzle would drop the tables' names. */
export const filesOfVideo = sql`${filesAsJson}`.mapWith((json: string) => addressesOf(JSON.parse(json)))

/**
 * Everything that is published, in the order of the list. `cells` is the row as one JSON text: the list is read after
 * every change, which touches few rows, and comparing a text is quicker than making an object of each row.
 */
export const publishedVideos = statement()(
  {
    id: memberVideos.id,
    cells: sql`json_array(${sql.join(
      columns.map(([, column]) => column),
      sql`, `,
    )})`.mapWith(String),
  },
  (selected) => sql`select ${selected} from ${memberVideos} where ${memberVideos.isPublished} = 1
    order by ${memberVideos.category}, ${memberVideos.orderIndex}`,
)

/** The files of each video that has some, as one JSON text. Read apart: a subquery in each row takes as long as the whole list. */
export const playedFiles = statement()(
  {
    videoId: videoFiles.videoId,
    files: sql`json_group_array(json_array(${media.id}, ${media.format}) order by ${videoFiles.position})`.mapWith(
      String,
    ),
  },
  (selected) => sql`select ${selected} from ${videoFiles} join ${media} on ${media.id} = ${videoFiles.mediaId}
    group by ${videoFiles.videoId}`,
)

/** What there is to read beside the videos that are published. */
export const publishedTexts = preparedQuery()((db) =>
  db
    .select({
      videoId: videoTexts.videoId,
      tierAccess: memberVideos.tierAccess,
      notes: videoTexts.notes,
      transcript: videoTexts.transcript,
      hasCaptions: sql`${videoTexts.captions} is not null`.mapWith(Boolean),
    })
    .from(videoTexts)
    .innerJoin(memberVideos, eq(memberVideos.id, videoTexts.videoId))
    .where(eq(memberVideos.isPublished, true))
    .orderBy(videoTexts.videoId),
)

export const publishedCaptions = preparedQuery<{ videoId: string }>()((db, { videoId }) =>
  db
    .select({ captions: videoTexts.captions, tierAccess: memberVideos.tierAccess })
    .from(videoTexts)
    .innerJoin(memberVideos, eq(memberVideos.id, videoTexts.videoId))
    .where(and(eq(memberVideos.isPublished, true), eq(videoTexts.videoId, videoId))),
)

/** A video from the `cells` of `publishedVideos` and its `playedFiles`, without `files` where it has none; the caller checks it. */
export function rowOfCells(cells: string, files: string | undefined): Record<string, unknown> {
  const values: unknown[] = JSON.parse(cells)
  const row = columns.map(([name, column], at) => {
    const value = values[at]
    return [name, value === null ? null : column.mapFromDriverValue(value)] as const
  })
  return { ...Object.fromEntries(row), ...(files !== undefined && { files: addressesOf(JSON.parse(files)) }) }
}
