import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { users } from '#api/db/schema/people.ts'

/** A row as another site's file has it: of what's in it, only the columns we know. */
export type RowSchema = v.GenericSchema<unknown, Record<string, unknown>>

/**
 * A file of the export. `columns` says what each column is: only those leave, and the README is made of them. `row`: another site of
 * ours takes it in again, if each value is one that could have been typed there. `where` holds in both directions.
 */
export type ExportedTable = {
  name: string
  table: SQLiteTable
  about: string
  columns: Readonly<Record<string, string>>
  row: RowSchema | null
  where?: SQL
}

type ColumnsOf<Table extends SQLiteTable> = { readonly [Name in keyof Table['$inferSelect'] & string]?: string }

type File<Table extends SQLiteTable, Columns extends ColumnsOf<Table>> = {
  name: string
  table: Table
  about: string
  columns: Columns
  where?: SQL
}

type Checks<Columns> = { readonly [Name in keyof Columns]: v.GenericSchema }

/** A column without a check doesn't compile. A column that an older site didn't have yet may be absent. */
export const ours = <Table extends SQLiteTable, Columns extends ColumnsOf<Table>>(
  file: File<Table, Columns> & { row: Checks<Columns> },
): ExportedTable => ({ ...file, columns: described(file.columns), row: v.partial(v.object(file.row)) })

export const onlyOut = <Table extends SQLiteTable, Columns extends ColumnsOf<Table>>(
  file: File<Table, Columns>,
): ExportedTable => ({ ...file, columns: described(file.columns), row: null })

const described = (columns: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).flatMap(([name, about]) => (about === undefined ? [] : [[name, about]])))

export const madeAt = 'when it was made'
export const changedAt = 'when it last changed'
export const version = 'goes up with each change'
export const ownId = 'our id'
export const person = 'whose it is: an id of people'
export const video = 'the video: an id of videos'
export const file = 'the file: an id of media'

/** Owners make their own accounts on the next site, so theirs stay behind. */
export const members = sql`(select ${users.id} from ${users} where ${users.isAdmin} = 0)`
