import { getTableColumns, sql } from 'drizzle-orm'
import { memberVideos } from '#api/db/schema/videos.ts'
import { statement } from '#api/db/statement.ts'

const columns = Object.entries(getTableColumns(memberVideos))

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

/** A row of the table from the `cells` of `publishedVideos`; the caller checks it. */
export function rowOfCells(cells: string): Record<string, unknown> {
  const values: unknown[] = JSON.parse(cells)
  return Object.fromEntries(
    columns.map(([name, column], at) => {
      const value = values[at]
      return [name, value === null ? null : column.mapFromDriverValue(value)]
    }),
  )
}
