import { getTableColumns, sql } from 'drizzle-orm'
import { memberVideos } from '#api/db/schema/videos.ts'
import { statement } from '#api/db/statement.ts'

/** Everything that is published, in the order of the list. */
export const publishedVideos = statement()(
  getTableColumns(memberVideos),
  (selected) => sql`select ${selected} from ${memberVideos} where ${memberVideos.isPublished} = 1
    order by ${memberVideos.category}, ${memberVideos.orderIndex}`,
)

export type VideoRow = typeof memberVideos.$inferSelect
