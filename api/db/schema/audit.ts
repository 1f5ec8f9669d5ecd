import { sql } from 'drizzle-orm'
import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { id, instant, json } from './columns.ts'

/** Who did what to whom. Entries outlive the people they name. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: id(),
    /** `user:ID`, `local:NAME` (the terminal) or `system`. */
    actor: text().notNull(),
    action: text().notNull(),
    targetId: text(),
    detail: json<Record<string, unknown>>().notNull(),
    at: instant().notNull(),
  },
  (table) => [
    index('audit_entries_at').on(table.at),
    index('audit_entries_target').on(table.targetId, table.at),
    // Its migration is written by hand: the generator takes an expression apart at its comma.
    index('audit_entries_disputed')
      .on(sql`cast(json_extract("detail", '$.invoice') as text)`)
      .where(sql.raw(`"action" = 'invoice.disputed'`)),
  ],
)
