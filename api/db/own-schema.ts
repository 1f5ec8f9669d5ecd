import Database from 'better-sqlite3'
import { appliedTo, knownMigrations, readMigrations, unknownOf, withSchemaWritable } from './migrations.ts'

type Sqlite = Database.Database

/** Triggers, views and virtual tables act on their own: one runs with the next write, or with the next read. */
export type Extent = 'acting' | 'all'

/**
 * Opens a file that may come from anywhere. Nothing its schema says may call a function with effects, and what's read from it is
 * checked page by page.
 */
export function openForeign(file: string): Sqlite {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  distrust(sqlite)
  return sqlite
}

export function distrust(sqlite: Sqlite): void {
  sqlite.pragma('trusted_schema = OFF')
  sqlite.pragma('cell_size_check = ON')
}

/**
 * What a database has that its own migrations didn't make, or made otherwise, and what's missing of what they made. What a newer
 * version added can't be known here, and it may have changed tables.
 */
export function foreignParts(sqlite: Sqlite, extent: Extent): string[] {
  const applied = appliedTo(sqlite)
  const known = knownMigrations()
  const { newer, strange } = unknownOf(applied, known)
  const expected = schemaAfter(applied.filter((when) => known.includes(when)))
  const found = partsOf(sqlite)
  const isMeant = ([, part]: [string, Part]) => (extent === 'all' && newer.length === 0) || isActing(part)
  const foreign = [...found].filter(isMeant).flatMap(([key, { type, name, sql }]) => {
    const ours = expected.get(key)
    if (ours === undefined)
      return newer.length > 0
        ? []
        : [`The database has ${type === 'index' ? 'an' : 'a'} ${type} that isn’t ours: ${name}.`]
    return ours.sql === sql ? [] : [`The ${type} ${name} in the database isn’t the one we make.`]
  })
  const missing = [...expected].filter(isMeant).filter(([key]) => !found.has(key))
  return [
    ...strange.map((when) => `The database has a migration that isn’t ours: ${when}.`),
    ...foreign,
    ...missing.map(([, { type, name }]) => `The ${type} ${name} is missing from the database.`),
  ]
}

/** For a file without migrations of ours, such as the payment sandbox's: it has nothing that acts. */
export const actingParts = (sqlite: Sqlite): string[] =>
  [...partsOf(sqlite).values()].filter(isActing).map(({ type, name }) => `${type} ${name}`)

type Part = { type: string; name: string; sql: string }

const isActing = ({ type, sql }: Part) =>
  type === 'trigger' || type === 'view' || sql.startsWith('create virtual table')

/** SQLite's own tables and indexes, and the two tables that Litestream makes. */
const isOfOthers = (part: Part) =>
  (part.type === 'table' && !isActing(part) && /^(sqlite_(sequence|stat\d)|_litestream_(seq|lock))$/.test(part.name)) ||
  (part.type === 'index' && part.sql === '')

/** By type and name: a trigger may have the name of a table. */
function partsOf(sqlite: Sqlite): Map<string, Part> {
  const rows = sqlite
    .prepare<[], { type: string; name: string; sql: string | null }>('select type, name, sql from sqlite_master')
    .all()
  const parts = rows.map((row) => ({ ...row, sql: plain(row.sql ?? '') })).filter((part) => !isOfOthers(part))
  return new Map(parts.map((part) => [`${part.type} ${part.name}`, part]))
}

/** Versions of SQLite write the same statement with other quotes and spaces. What stands in single quotes counts as it is. */
const plain = (sql: string): string =>
  sql
    .split(/('(?:[^']|'')*')/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .toLowerCase()
            .replace(/["`[\]]/g, '')
            .replace(/\s+/g, ' '),
    )
    .join('')
    .replace(/^create table if not exists /, 'create table ')
    .trim()

/** What those migrations make in an empty database. */
function schemaAfter(applied: readonly number[]): Map<string, Part> {
  const sqlite = new Database(':memory:')
  try {
    if (applied.length > 0)
      sqlite.exec('create table __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)')
    withSchemaWritable(sqlite, () => {
      for (const { folderMillis, sql } of readMigrations())
        if (applied.includes(folderMillis)) for (const statement of sql) sqlite.exec(statement)
    })
    return partsOf(sqlite)
  } finally {
    sqlite.close()
  }
}
