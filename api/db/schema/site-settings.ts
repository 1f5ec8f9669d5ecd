import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'

/** Options that owners have set while the site runs, as the environment would hold them. */
export const siteSettings = sqliteTable(
  'site_settings',
  {
    /** The name of the variable that goes before it. */
    name: text().primaryKey(),
    /** Empty where it was taken back; the version goes on. */
    value: text().notNull(),
    /** Grows with every change; a change names the one that it was made from. */
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
  },
  () => [check('site_settings_version', sql.raw('"version" >= 1'))],
)
