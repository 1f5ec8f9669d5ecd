import type { Database as Sqlite } from 'better-sqlite3'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { foldText } from '#shared/rules/fold-text.ts'
import { inboxNotes } from './schema/forms.ts'
import { personTexts, users } from './schema/people.ts'

const { firstName, lastName, email, phone, businessName, trade } = users
const typed = [firstName, lastName, email, phone, businessName, trade]

const notes = sql`(select group_concat(${inboxNotes.text}, ' | ') from ${inboxNotes}
  where ${inboxNotes.aboutId} = ${users.id} and ${inboxNotes.about} = 'members' and ${inboxNotes.kind} = 'note')`

/** What a person is found by. */
export const personColumns: readonly SQLWrapper[] = [...typed, notes]

const listed = (columns: readonly SQLWrapper[]) => sql.join([...columns], sql`, `)

/** What `foldText` makes of some columns. No word of a search has a space. */
export const foldedText = (columns: readonly SQLWrapper[]): SQL => sql`fold(concat_ws(' ', ${listed(columns)}))`

export const digitsOf = (columns: readonly SQLWrapper[]): SQL => sql`digits(concat_ws('|', ${listed(columns)}))`

export function addTextFunctions(sqlite: Sqlite): void {
  sqlite.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? foldText(text) : ''))
  sqlite.function('digits', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.replace(/[^\d|]/g, '') : '',
  )
}

const write = (where: SQL) => sql`insert into ${personTexts} ("userId", "text", "digits")
  select ${users.id}, ${foldedText(personColumns)}, ${digitsOf(personColumns)} from ${users} where ${where}`

/** `id`: SQL of the account's. */
const trigger = (name: string, when: SQL, id: SQL) => sql`create temp trigger ${sql.raw(name)} after ${when} begin
  update ${personTexts} set "isOld" = 1 where "userId" = ${id} and "isOld" = 0;
  ${write(sql`${users.id} = ${id}`)};
end`

const isOther = sql.join(
  typed.map(({ name }) => sql.raw(`new."${name}" is not old."${name}"`)),
  sql` or `,
)
const named = sql.raw(typed.map(({ name }) => `"${name}"`).join(', '))
const ofMember = (row: 'new' | 'old') => sql.raw(`when ${row}."about" = 'members'`)

const triggers = [
  trigger('person_added', sql`insert on main.${users}`, sql`new."id"`),
  trigger('person_changed', sql`update of ${named} on main.${users} when ${isOther}`, sql`new."id"`),
  trigger('note_added', sql`insert on main.${inboxNotes} ${ofMember('new')}`, sql`new."aboutId"`),
  trigger('note_changed', sql`update on main.${inboxNotes} ${ofMember('new')}`, sql`new."aboutId"`),
  trigger('note_removed', sql`delete on main.${inboxNotes} ${ofMember('old')}`, sql`old."aboutId"`),
]

const textOf = (statement: SQL) => new SQLiteSyncDialect().sqlToQuery(statement).sql

/**
 * From now on whatever this connection writes about a person is in `person_texts` too, in the same transaction. The triggers are
 * the connection's own, because only the program can fold.
 */
export const keepPersonTexts = (sqlite: Sqlite): unknown => sqlite.exec(triggers.map(textOf).join(';\n'))

/** Every three letters that the index has, in their order, for a search for two of them. The connection's own: it holds nothing. */
export const showThrees = (sqlite: Sqlite): unknown =>
  sqlite.exec(`create virtual table temp.person_threes using fts5vocab('main', 'people_found', 'instance')`)

const isMissing = sql`${users.id} not in (select "userId" from ${personTexts} where "isOld" = 0)`

/** Writes the rows that are missing: after the migration that added the table. */
export const fillPersonTexts = (sqlite: Sqlite): unknown => sqlite.exec(textOf(write(isMissing)))

const isFound = sql`(select iif(count(*) = 1, max("text" = ${foldedText(personColumns)} and "digits" = ${digitsOf(personColumns)}), 0)
  from ${personTexts} where "userId" = ${users.id} and "isOld" = 0)`

/** Addresses of accounts that aren't found by what they say now: another program wrote them. Reads every one. */
export function findWrongTexts(sqlite: Sqlite): string[] {
  addTextFunctions(sqlite)
  return sqlite
    .prepare<[], string>(textOf(sql`select ${users.email} from ${users} where not ${isFound}`))
    .pluck()
    .all()
}

/** Writes the search text of those accounts again. */
export const mendPersonTexts = (sqlite: Sqlite): void =>
  sqlite.transaction(() => {
    sqlite.exec(
      textOf(sql`update ${personTexts} set "isOld" = 1 where "isOld" = 0 and "userId" in (
      select ${users.id} from ${users} where not ${isFound})`),
    )
    fillPersonTexts(sqlite)
  })()
