import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant, unknownJson } from './columns.ts'
import { users } from './people.ts'

/** What owners have written in place of an entry of a file in `data/content`. */
export const contentOverrides = sqliteTable(
  'content_overrides',
  {
    /** The file: `site`, or the name of a page. */
    page: text().notNull(),
    /** The names that lead to it, with dots between them; a list is one entry, whole. */
    entry: text().notNull(),
    value: unknownJson().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.page, table.entry] })],
)

/** Each change of an override, the oldest first. The number of a page's last one is its version. */
export const contentChanges = sqliteTable(
  'content_changes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    page: text().notNull(),
    entry: text().notNull(),
    /** What stood there from then on; null where the file's own came back. */
    value: unknownJson(),
    /** Who did it, as in the audit log. */
    actor: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [index('content_changes_page').on(table.page, table.seq)],
)

/** What an owner has written and not published yet, one draft for each page; nobody but its owner and who has its link sees it. */
export const contentDrafts = sqliteTable(
  'content_drafts',
  {
    page: text().notNull(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** By entry, what is to stand there. */
    entries: unknownJson().notNull(),
    /** The page's version that the draft was begun from. */
    version: integer().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.page, table.userId] })],
)
