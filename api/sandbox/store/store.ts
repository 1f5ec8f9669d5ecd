import { closeSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Kind, Kinds, StoredObject } from './objects.ts'

export type Store = {
  db: Database.Database
  prepare: Database.Database['prepare']
}

const schema = `
CREATE TABLE IF NOT EXISTS objects (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  deleted INTEGER NOT NULL DEFAULT 0,
  data TEXT NOT NULL,
  hidden TEXT,
  created INTEGER GENERATED ALWAYS AS (data ->> '$.created') VIRTUAL,
  status TEXT GENERATED ALWAYS AS (data ->> '$.status') VIRTUAL,
  customer TEXT GENERATED ALWAYS AS (data ->> '$.customer') VIRTUAL,
  invoice TEXT GENERATED ALWAYS AS (data ->> '$.invoice') VIRTUAL,
  payment_intent TEXT GENERATED ALWAYS AS (coalesce(data ->> '$.payment_intent', data ->> '$.payment.payment_intent')) VIRTUAL,
  subscription TEXT GENERATED ALWAYS AS (data ->> '$.parent.subscription_details.subscription') VIRTUAL,
  lookup TEXT GENERATED ALWAYS AS (coalesce(data ->> '$.lookup_key', data ->> '$.email')) VIRTUAL
);
CREATE INDEX IF NOT EXISTS objects_kind ON objects (kind, seq);
CREATE INDEX IF NOT EXISTS objects_customer ON objects (kind, customer, seq);
CREATE INDEX IF NOT EXISTS objects_invoice ON objects (kind, invoice, seq);
CREATE INDEX IF NOT EXISTS objects_payment_intent ON objects (kind, payment_intent, seq);
CREATE INDEX IF NOT EXISTS objects_subscription ON objects (kind, subscription, seq);
CREATE INDEX IF NOT EXISTS objects_lookup ON objects (kind, lookup, seq);
CREATE TABLE IF NOT EXISTS timers (
  object_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  clock TEXT,
  PRIMARY KEY (object_id, kind)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS timers_at ON timers (at);
CREATE TABLE IF NOT EXISTS deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id TEXT NOT NULL,
  endpoint TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS answers (
  key TEXT PRIMARY KEY,
  request TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  request_id TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_made_at ON answers (made_at);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`

/** How long a write waits for another program, such as a shell with the file locked. */
export const busyMs = 5_000
const pollMs = 20

const hasColumn = (db: Database.Database, table: string, column: string) =>
  db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined

function addColumn(db: Database.Database, table: string, column: string): void {
  if (!hasColumn(db, table, column)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} TEXT`)
}

function cachedPrepare(db: Database.Database): Database.Database['prepare'] {
  const known = new Map<string, Database.Statement<unknown[], unknown>>()
  const prepare = (sql: string) => {
    const statement = known.get(sql) ?? db.prepare<unknown[], unknown>(sql)
    known.set(sql, statement)
    return statement
  }
  // Like better-sqlite3, trusts the caller's types for parameters and rows.
  return prepare as Database.Database['prepare']
}

/** Readable by this user only. The log gets the same mode. */
const makePrivate = (file: string) => closeSync(openSync(file, 'a', 0o600))

/** `file` doesn't exist yet, or is empty. */
export function copyStore({ db }: Store, file: string): void {
  makePrivate(file)
  db.prepare('VACUUM INTO ?').run(file)
}

export function openStore(file: string): Store {
  if (file !== ':memory:') makePrivate(file)
  const db = new Database(file, { timeout: busyMs })
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec(schema)
  addColumn(db, 'deliveries', 'endpoint')
  addColumn(db, 'answers', 'request_id')
  addColumn(db, 'timers', 'clock')
  // An earlier version delivered each customer's events in order.
  if (hasColumn(db, 'deliveries', 'lane')) db.exec('ALTER TABLE deliveries DROP COLUMN lane')
  return { db, prepare: cachedPrepare(db) }
}

/**
 * Await it before a write, because SQLite's own wait would block the whole process, including the site. Throws if another program
 * locks the file for longer than `patienceMs`.
 */
export async function untilWritable(store: Store, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs
  while (!isWritable(store)) {
    if (performance.now() > until) throw new Error('Another program holds the file of the sandbox.')
    await Bun.sleep(pollMs)
  }
}

/** Any other error is left for the write itself. */
export function isWritable({ db }: Store): boolean {
  if (!db.open || db.memory) return true
  db.pragma('busy_timeout = 0')
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch (error) {
    return !(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
  } finally {
    db.pragma(`busy_timeout = ${busyMs}`)
  }
}

/** Commits everything `run` writes, or nothing. `run` mustn't await. */
export function transact<T>(store: Store, run: () => T): T {
  return store.db.transaction(run).immediate()
}

/** Within a transaction: if `run` throws, rolls back only its own writes. */
export function savepoint<T>(store: Store, run: () => T): T {
  return store.db.transaction(run)()
}

type Row = { data: string; hidden: string | null }

/** The only place where stored JSON becomes a typed object. Only `insertObject` and `saveObject` write these rows. */
function readRow<K extends Kind>(row: Row): Kinds[K] {
  const object: Kinds[K] = JSON.parse(row.data)
  return row.hidden === null ? object : { ...object, hidden: JSON.parse(row.hidden) }
}

function splitHidden(object: StoredObject): Row {
  if (!('hidden' in object)) return { data: JSON.stringify(object), hidden: null }
  const { hidden, ...data } = object
  return { data: JSON.stringify(data), hidden: JSON.stringify(hidden) }
}

export function insertObject<T extends StoredObject>(store: Store, object: T): T {
  const { data, hidden } = splitHidden(object)
  store
    .prepare('INSERT INTO objects (id, kind, data, hidden) VALUES (?, ?, ?, ?)')
    .run(object.id, object.object, data, hidden)
  return object
}

export function saveObject<T extends StoredObject>(store: Store, object: T): T {
  const { data, hidden } = splitHidden(object)
  store.prepare('UPDATE objects SET data = ?, hidden = ? WHERE id = ?').run(data, hidden, object.id)
  return object
}

/** A deleted object keeps its id and is shown as `deleted: true`. */
export function markDeleted(store: Store, kind: Kind, id: string): Record<string, unknown> {
  const stub = { id, object: kind, deleted: true }
  store.prepare('UPDATE objects SET data = ?, hidden = NULL, deleted = 1 WHERE id = ?').run(JSON.stringify(stub), id)
  return stub
}

/** The object can't be found any more, but objects that refer to it still show it. Its id can be reused. */
export function softDeleteObject<T extends StoredObject>(store: Store, object: T): Record<string, unknown> {
  saveObject(store, object)
  store.prepare('UPDATE objects SET deleted = 1 WHERE id = ?').run(object.id)
  return { id: object.id, object: object.object, deleted: true }
}

export function purgeSoftDeleted(store: Store, id: string): void {
  store.prepare('DELETE FROM objects WHERE id = ? AND deleted = 1').run(id)
}

export function findObject<K extends Kind>(store: Store, kind: K, id: string): Kinds[K] | null {
  const row = store
    .prepare<[string, string], Row>('SELECT data, hidden FROM objects WHERE id = ? AND kind = ? AND deleted = 0')
    .get(id, kind)
  return row ? readRow<K>(row) : null
}

/** The object as Stripe shows it, or a stub if it's deleted. Null if there's none. */
export function findPublic(store: Store, id: string): Record<string, unknown> | null {
  const row = store.prepare<[string], { data: string }>('SELECT data FROM objects WHERE id = ?').get(id)
  return row ? JSON.parse(row.data) : null
}

export type Selection = { where: string; values: unknown[]; order: 'ASC' | 'DESC'; limit: number }

export function selectObjects<K extends Kind>(store: Store, kind: K, selection: Selection): Kinds[K][] {
  return store
    .prepare<unknown[], Row>(
      `SELECT data, hidden FROM objects WHERE kind = ? AND deleted = 0 AND ${selection.where} ORDER BY seq ${selection.order} LIMIT ?`,
    )
    .all(kind, ...selection.values, selection.limit)
    .map((row) => readRow<K>(row))
}

export function seqOf(store: Store, id: string): number | null {
  return store.prepare<[string], { seq: number }>('SELECT seq FROM objects WHERE id = ?').get(id)?.seq ?? null
}
