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
