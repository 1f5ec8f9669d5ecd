import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ImportColumn, ImportFact, ImportOptions } from '#shared/contract/imports.ts'
import { importKinds, importOutcomes, importStates } from '#shared/contract/imports.ts'
import { id, instant, json, oneOf } from './columns.ts'
import { users } from './people.ts'

/**
 * What was moved in from elsewhere, planned or done. The file itself is in `DATA_DIR/imports` under the id until the import is
 * applied or cancelled, or a week old.
 */
export const imports = sqliteTable(
  'imports',
  {
    id: id(),
    kind: text({ enum: importKinds }).notNull(),
    source: text().notNull().default(''),
    fileName: text(),
    /** SHA-256 of the file, so that the same file isn't moved in twice. */
    fileHash: text(),
    options: json<ImportOptions>().notNull(),
    state: text({ enum: importStates }).notNull(),
    problem: text(),
    columns: json<ImportColumn[]>().notNull(),
    facts: json<Partial<Record<ImportFact, number>>>().notNull(),
    startedBy: text().references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
    appliedAt: instant(),
    undoneAt: instant(),
    /** How often its file was begun without coming further. */
    begun: integer().notNull().default(0),
  },
  (table) => [
    index('imports_state').on(table.state),
    check('imports_kind', sql.raw(oneOf('kind', importKinds))),
    check('imports_state_known', sql.raw(oneOf('state', importStates))),
  ],
)

/** One row of an import's file, by its line. It holds nothing of the row but a keyed hash, and the id of what it made. */
export const importRows = sqliteTable(
  'import_rows',
  {
    importId: text()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    line: integer().notNull(),
    keyHash: text(),
    outcome: text({ enum: importOutcomes }).notNull(),
    reason: text(),
    madeId: text(),
    doneAt: instant(),
    undoneAt: instant(),
    /** Welcome letters sent to the person, and when the last was. */
    letters: integer().notNull().default(0),
    lastLetterAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.importId, table.line] }),
    index('import_rows_key').on(table.importId, table.keyHash),
    index('import_rows_made').on(table.madeId).where(sql`"madeId" is not null`),
    check('import_rows_outcome', sql.raw(oneOf('outcome', importOutcomes))),
  ],
)

/** Addresses that had unsubscribed where we were moved in from. A later import never agrees to emails for them. */
export const mailRefusals = sqliteTable('mail_refusals', {
  address: text().primaryKey(),
  source: text().notNull(),
  at: instant().notNull(),
})
