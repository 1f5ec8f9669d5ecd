import { getTableColumns, sql } from 'drizzle-orm'
import { memberVideos } from '#api/db/schema/videos.ts'
import { statement } from '#api/db/statement.ts'

/** `tierAccess` is the JSON as it is stored: most rows are only compared with those of the last reading. */
const fields = { ...getTableColumns(memberVideos), tierAccess: sql`${memberVideos.tierAccess}`.mapWith(String) }

/** Everything that is published, in the order of the list. */
export const publishedVideos = statement()(
  fields,
  (selected) => sql`select ${selected} from ${memberVideos} where ${memberVideos.isPublished} = 1
    order by ${memberVideos.category}, ${memberVideos.orderIndex}`,
)

export type VideoRow = ReturnType<typeof publishedVideos.all>[number]
