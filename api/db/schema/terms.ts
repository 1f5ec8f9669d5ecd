import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant, unknownJson } from './columns.ts'

/** Every wording of the terms that was shown, by its name: what somebody agreed to can be read for ever. */
export const termsVersions = sqliteTable('terms_versions', {
  version: text().primaryKey(),
  /** The page as it was shown, particulars filled in. */
  text: unknownJson().notNull(),
  createdAt: instant().notNull(),
})
