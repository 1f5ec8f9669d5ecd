import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { filesOfVideo } from './queries.ts'

const fields = { ...getTableColumns(memberVideos), files: filesOfVideo }

/** Drafts too, in the order of the members' list. */
export const allVideos = preparedQuery()((db) =>
  db
    .select(fields)
    .from(memberVideos)
    .orderBy(asc(memberVideos.category), asc(memberVideos.orderIndex), asc(memberVideos.title), asc(memberVideos.id)),
)

export const videoById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select(fields).from(memberVideos).where(eq(memberVideos.id, id)),
)

/** Writes a video's new place, if it is another one. */
export const movedVideo = preparedQuery<{ id: string; orderIndex: number; updatedAt: string }>()(
  (db, { id, orderIndex, updatedAt }) =>
    db
      .update(memberVideos)
      .set({ orderIndex: sql`${orderIndex}`, version: sql`${memberVideos.version} + 1`, updatedAt: sql`${updatedAt}` })
      .where(eq(memberVideos.id, id)),
)

export const allSlugs = preparedQuery()((db) => db.select({ slug: memberVideos.slug }).from(memberVideos))
