import Database from 'better-sqlite3'
import { knownMigrations, readMigrations } from './migrations.ts'

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
 * version added can't be known here.
 */
export function foreignParts(sqlite: Sqlite, extent: Extent): string[] {
  const applied = appliedTo(sqlite)
  const known = knownMigrations()
  const expected = schemaAfter(applied.filter((when) => known.includes(when)))
  const isNewer = applied.some((when) => !known.includes(when))
  const found = partsOf(sqlite)
  const isMeant = ([, { type, sql }]: [string, Part]) => extent === 'all' || isActing(type, sql)
  const foreign = [...found].filter(isMeant).flatMap(([name, part]) => {
    const ours = expected.get(name)
    if (ours === undefined)
      return isNewer
        ? []
        : [`The database has ${part.type === 'index' ? 'an' : 'a'} ${part.type} that isn’t ours: ${name}.`]
    return ours.sql === part.sql ? [] : [`The ${part.type} ${name} in the database isn’t the one we make.`]
  })
  const missing = [...expected].filter(isMeant).filter(([name]) => !found.has(name))
  return [...foreign, ...missing.map(([name, { type }]) => `The ${type} ${name} is missing from the database.`)]
}

/** For a file without migrations of ours, such as the payment sandbox's: it has nothing that acts. */
export const actingParts = (sqlite: Sqlite): string[] =>
  [...partsOf(sqlite)].filter(([, { type, sql }]) => isActing(type, sql)).map(([name, { type }]) => `${type} ${name}`)

const isActing = (type: string, sql: string) =>
  type === 'trigger' || type === 'view' || sql.startsWith('create virtual table')

type Part = { type: string; sql: string }

/** SQLite's own tables and indexes, and Litestream's. */
const isOfOthers = /^(sqlite_(sequence|stat\d|autoindex_.*)|_litestream_.*)$/

function partsOf(sqlite: Sqlite): Map<string, Part> {
  const rows = sqlite
    .prepare<[], { type: string; name: string; sql: string | null }>('select type, name, sql from sqlite_master')
    .all()
  const parts = rows.filter(({ name, type }) => !isOfOthers.test(name) || type === 'trigger' || type === 'view')
  return new Map(parts.map(({ type, name, sql }) => [name, { type, sql: plain(sql ?? '') }]))
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

function appliedTo(sqlite: Sqlite): number[] {
  const table = sqlite
    .prepare(`select 1 from sqlite_master where type = 'table' and name = '__drizzle_migrations'`)
    .get()
  if (table === undefined) return []
  return sqlite.prepare('select created_at from __drizzle_migrations').pluck().all().map(Number)
}

/** What those migrations make in an empty database. */
function schemaAfter(applied: readonly number[]): Map<string, Part> {
  const sqlite = new Database(':memory:')
  try {
    if (applied.length > 0)
      sqlite.exec('create table __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)')
    for (const { folderMillis, sql } of readMigrations())
      if (applied.includes(folderMillis)) for (const statement of sql) sqlite.exec(statement)
    return partsOf(sqlite)
  } finally {
    sqlite.close()
  }
}
