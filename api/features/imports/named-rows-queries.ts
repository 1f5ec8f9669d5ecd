import { eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { importRows } from '#api/db/schema/imports.ts'

const divider = ' · '

/** An open plan names people, because no one knows a subscription by its id. */
export const withAddress = (address: string | null, text: string) =>
  address === null ? text : `${address}${divider}${text}`

/** Once a plan isn't open any more, no one's address stays in it. */
export function dropAddresses({ db }: Context, importId: string): void {
  const { reason } = importRows
  const start = sql`instr(${reason}, ${divider})`
  db.update(importRows)
    .set({
      reason: sql`case when ${start} = 0 then ${reason} else substr(${reason}, ${start} + ${divider.length}) end`,
    })
    .where(eq(importRows.importId, importId))
    .run()
}
