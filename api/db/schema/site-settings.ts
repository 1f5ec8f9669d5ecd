import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'

/** Options owners set while the site runs, in the environment's format. */
export const siteSettings = sqliteTable(
  'site_settings',
  {
    /** The environment variable, which takes precedence. */
    name: text().primaryKey(),
    /** Empty if it was unset. The row stays for its version. */
    value: text().notNull(),
    /** Goes up with each change. A change sends the version it started from. */
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
  },
  () => [check('site_settings_version', sql.raw('"version" >= 1'))],
)
