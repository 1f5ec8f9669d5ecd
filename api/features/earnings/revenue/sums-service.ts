import { getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { HasDb } from '#api/db/query.ts'
import { monthSums, movementSums, subscriptionSums } from '#api/db/schema/revenue.ts'

/** Tables of sums that triggers keep, with the view that adds up every row, and what each row of it is called. */
const keptSums = [
  { table: monthSums, whole: sql`whole_month_sums`, name: sql`"month"` },
  { table: movementSums, whole: sql`whole_movement_sums`, name: sql`"month"` },
  { table: subscriptionSums, whole: sql`whole_subscription_sums`, name: sql`'MRR'` },
]

/** Adds up every row again, in place of what the triggers kept. */
export function recountSums(ctx: Context): void {
  transact(ctx, () => {
    for (const { table, whole } of keptSums) {
      ctx.db.delete(table).run()
      const columns = columnsOf(table)
      ctx.db.run(sql`insert into ${table} (${columns}) select ${columns} from ${whole}`)
    }
  })
}

/** The months whose sums aren't what their rows add up to, and `MRR` if that's it. Reads every row. */
export function findWrongSums({ db }: HasDb): string[] {
  const wrong = keptSums.flatMap(({ table, whole, name }) => {
    const columns = columnsOf(table)
    const [kept, counted] = [table, whole].map((from) => sql`select ${columns} from ${from} where ${isAnything(table)}`)
    return db.all<{ name: string }>(sql`
      select distinct ${name} as "name" from (
        select * from (${kept} except ${counted}) union all select * from (${counted} except ${kept}))`)
  })
  return [...new Set(wrong.map(({ name }) => name))].sort()
}

const columnsOf = (table: SQLiteTable) =>
  sql.join(
    Object.values(getTableColumns(table)).map(({ name }) => sql.identifier(name)),
    sql`, `,
  )

/** What was added and has gone again leaves a row of noughts. */
const isAnything = (table: SQLiteTable) =>
  sql.join(
    Object.values(getTableColumns(table))
      .filter(({ hasDefault }) => hasDefault)
      .map(({ name }) => sql`${sql.identifier(name)} <> 0`),
    sql` or `,
  )
