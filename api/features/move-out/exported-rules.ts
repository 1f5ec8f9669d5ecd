import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { users } from '#api/db/schema/people.ts'

/**
 * A file of the export. `columns` says what each column is: only those leave, and the README is made of them. `comesBack`: another
 * site of ours takes it in again.
 */
export type ExportedTable = {
  name: string
  table: SQLiteTable
  about: string
  comesBack: boolean
  columns: Readonly<Record<string, string>>
  where?: SQL
}

type ColumnsOf<Table extends SQLiteTable> = { readonly [Name in keyof Table['$inferSelect'] & string]?: string }

type File<Table extends SQLiteTable> = {
  name: string
  table: Table
  about: string
  columns: ColumnsOf<Table>
  where?: SQL
}

export const ours = <Table extends SQLiteTable>(file: File<Table>): ExportedTable => ({
  ...entryOf(file),
  comesBack: true,
})
export const onlyOut = <Table extends SQLiteTable>(file: File<Table>): ExportedTable => ({
  ...entryOf(file),
  comesBack: false,
})

function entryOf<Table extends SQLiteTable>({ columns, ...file }: File<Table>) {
  const described = Object.entries<string | undefined>(columns).flatMap(([name, about]) =>
    about === undefined ? [] : [[name, about]],
  )
  return { ...file, columns: Object.fromEntries(described) }
}

export const madeAt = 'when it was made'
export const changedAt = 'when it last changed'
export const version = 'goes up with each change'
export const ownId = 'our id'
export const person = 'whose it is: an id of people'
export const video = 'the video: an id of videos'
export const file = 'the file: an id of media'

/** Owners make their own accounts on the next site, so theirs stay behind. */
export const members = sql`(select ${users.id} from ${users} where ${users.isAdmin} = 0)`
