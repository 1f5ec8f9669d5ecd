import type { Database as Sqlite } from 'better-sqlite3'
import * as v from 'valibot'

/** `oldest`: a program that knows this migration and those before it runs on the database, as far as `upTo`. */
const Floor = v.object({ oldest: v.number(), upTo: v.number() })
type Floor = v.InferOutput<typeof Floor>
type Migration = { sql: readonly string[]; folderMillis: number }

const key = 'oldest_version'

/** An index, a view or a trigger may have that name too. */
export const hasTable = (sqlite: Sqlite, name: string): boolean =>
  sqlite.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(name) !== undefined

/** Null if nothing was recorded, or if there's no table for it yet. */
export function readFloor(sqlite: Sqlite): Floor | null {
  if (!hasTable(sqlite, 'settings')) return null
  const value = sqlite.prepare('select value from settings where key = ?').pluck().get(key)
  return value === undefined ? null : v.parse(v.pipe(v.string(), v.parseJson(), Floor), value)
}

/**
 * Records which older versions can still run on the schema, so that going back needs no backup. `applied` are the migrations the
 * database had before.
 */
export function recordFloor(sqlite: Sqlite, applied: readonly number[], fresh: readonly Migration[]): void {
  const upTo = Math.max(...applied, ...fresh.map(({ folderMillis }) => folderMillis))
  const before = readFloor(sqlite)?.oldest ?? Math.max(0, ...applied)
  const breaking = fresh.filter(({ sql }) => !addsOnly(sql)).map(({ folderMillis }) => folderMillis)
  const floor: Floor = { oldest: Math.max(before, ...breaking), upTo }
  sqlite
    .prepare('insert or replace into settings (key, value, updatedAt) values (?, ?, ?)')
    .run(key, JSON.stringify(floor), new Date().toISOString())
}

/** Whether a program with these migrations runs on a database that has `unknown` ones too. */
export const runsOn = (floor: Floor | null, known: readonly number[], unknown: readonly number[]): boolean =>
  floor !== null && known.includes(floor.oldest) && unknown.every((when) => when > floor.oldest && when <= floor.upTo)

/** Whether a program written before this migration notices nothing of it. What changes rows, renames or adds a trigger may surprise it. */
export function addsOnly(sql: readonly string[]): boolean {
  const statements = sql
    .join(';')
    .replace(/\/\*[\s\S]*?\*\/|--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim().toLowerCase())
    .filter((statement) => statement !== '')
  const added = new Set(statements.flatMap((one) => /^create table (?:if not exists )?[`"]?(\w+)/.exec(one)?.[1] ?? []))
  return statements.every(
    (one) =>
      /^(create (table|index|view)|drop index|alter table \S+ add)\b/.test(one) ||
      // Rows of an older program may break the rule of a table it knows.
      added.has(/^create unique index .+ on [`"]?(\w+)/.exec(one)?.[1] ?? ''),
  )
}
