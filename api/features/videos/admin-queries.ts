import { asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { jsonOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { memberVideos, videoTexts } from '#api/db/schema/videos.ts'
import { tiersOfVideo } from '#api/db/video-tiers.ts'
import { type VideoTextKind, videoTextKinds } from '#shared/contract/admin-video.ts'
import { filesOfVideo, handoutsOfVideo } from './queries.ts'

const flagsOfTexts = jsonOf(v.array(v.picklist([0, 1])))

/** Which texts a video has. Nested in another `sql`, or Drizzle drops the table names. */
const textsOfVideo =
  sql`${sql`coalesce((select json_array(${videoTexts.notes} is not null, ${videoTexts.transcript} is not null,
  ${videoTexts.captions} is not null) from ${videoTexts} where ${videoTexts.videoId} = ${memberVideos.id}), '[0,0,0]')`}`.mapWith(
    (json: string): VideoTextKind[] => {
      const isThere = flagsOfTexts(json)
      return videoTextKinds.filter((_, at) => isThere[at] === 1)
    },
  )

const fields = {
  ...getTableColumns(memberVideos),
  tierAccess: tiersOfVideo,
  files: filesOfVideo,
  texts: textsOfVideo,
  handouts: handoutsOfVideo,
}

export const countsOfCategories = preparedQuery()((db) =>
  db.select({ category: memberVideos.category, videos: count() }).from(memberVideos).groupBy(memberVideos.category),
)

/** Includes drafts, in the order of the members' list. */
export const allVideos = preparedQuery()((db) =>
  db
    .select(fields)
    .from(memberVideos)
    .orderBy(asc(memberVideos.category), asc(memberVideos.orderIndex), asc(memberVideos.title), asc(memberVideos.id)),
)

export const videoById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select(fields).from(memberVideos).where(eq(memberVideos.id, id)),
)

export const movedVideo = preparedQuery<{ id: string; orderIndex: number; updatedAt: string }>()(
  (db, { id, orderIndex, updatedAt }) =>
    db
      .update(memberVideos)
      .set({ orderIndex: sql`${orderIndex}`, version: sql`${memberVideos.version} + 1`, updatedAt: sql`${updatedAt}` })
      .where(eq(memberVideos.id, id)),
)

export const allSlugs = preparedQuery()((db) => db.select({ slug: memberVideos.slug }).from(memberVideos))

export const textsOf = preparedQuery<{ videoId: string }>()((db, { videoId }) =>
  db
    .select({
      notes: videoTexts.notes,
      transcript: videoTexts.transcript,
      captions: videoTexts.captions,
      captionsFrom: videoTexts.captionsFrom,
      version: videoTexts.version,
    })
    .from(videoTexts)
    .where(eq(videoTexts.videoId, videoId)),
)
