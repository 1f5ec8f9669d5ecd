import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant, unknownJson } from './columns.ts'

/** Every version of the terms that was ever shown, so what people agreed to stays readable. */
export const termsVersions = sqliteTable('terms_versions', {
  version: text().primaryKey(),
  /** The page as it was shown, with details filled in. */
  text: unknownJson().notNull(),
  createdAt: instant().notNull(),
})
