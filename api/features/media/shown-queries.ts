import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { least } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { memberVideos } from '#api/db/schema/videos.ts'

export const isShownOn = (today: SQLWrapper): SQL =>
  sql`(${memberVideos.isPublished} = 1 and (${memberVideos.availableFrom} is null or ${memberVideos.availableFrom} <= ${today}))`

/** The day the next published video appears; null if all have. */
export const nextShownDay = preparedQuery<{ today: string }>()((db, { today }) =>
  db
    .select({ day: least(memberVideos.availableFrom) })
    .from(memberVideos)
    .where(and(eq(memberVideos.isPublished, true), sql`${memberVideos.availableFrom} > ${today}`)),
)

/** Their captions have changed, so phones reload their texts, and a page that's open has an older version. `videoIds` is a JSON array. */
export const touchVideos = preparedQuery<{ videoIds: string; updatedAt: string }>()((db, { videoIds, updatedAt }) =>
  db
    .update(memberVideos)
    .set({ version: sql`${memberVideos.version} + 1`, updatedAt: sql`${updatedAt}` })
    .where(sql`${memberVideos.id} in (select value from json_each(${videoIds}))`),
)
