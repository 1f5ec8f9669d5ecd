import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant, unknownJson } from './columns.ts'
import { users } from './people.ts'

/** Owners' replacements for entries in the files of `data/content`. */
export const contentOverrides = sqliteTable(
  'content_overrides',
  {
    /** The file: `site`, or a page's name. */
    page: text().notNull(),
    /** The path of keys, joined with dots. A list is one entry. */
    entry: text().notNull(),
    value: unknownJson().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.page, table.entry] })],
)

/** Each change of an override, oldest first. The number of a page's last change is its version. */
export const contentChanges = sqliteTable(
  'content_changes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    page: text().notNull(),
    entry: text().notNull(),
    /** The value from then on. Null if the file's own came back. */
    value: unknownJson(),
    actor: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [index('content_changes_page').on(table.page, table.seq)],
)

/** An owner's unpublished changes, one draft per page. Only the author, and people with its link, can see it. */
export const contentDrafts = sqliteTable(
  'content_drafts',
  {
    page: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The new values by entry. */
    entries: unknownJson().notNull(),
    version: integer().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.page, table.userId] })],
)
