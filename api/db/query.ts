import { count, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './open.ts'

/** A context, or anything else with an open database. */
export type HasDb = { db: Db }

export type Parameters = Record<string, unknown>

export type Values<P extends Parameters> = [keyof P] extends [never] ? [] : [values: P]

/** A parameter may be used wherever a value of its type may: in conditions, `values` and `set`. */
export type Placeholders<P extends Parameters> = {
  [Name in keyof P & string]: Placeholder<Name, P[Name]> & SQL<P[Name]>
}

type Builder = {
  prepare(): {
    all(values?: Parameters): unknown
    get(values?: Parameters): unknown
    run(values?: Parameters): unknown
    getQuery(): { sql: string }
  }
}
type Result<B extends Builder, Method extends 'all' | 'get' | 'run'> = ReturnType<ReturnType<B['prepare']>[Method]>

export type PreparedQuery<P extends Parameters, B extends Builder> = {
  all(ctx: HasDb, ...values: Values<P>): Result<B, 'all'>
  get(ctx: HasDb, ...values: Values<P>): Result<B, 'get'>
  run(ctx: HasDb, ...values: Values<P>): Result<B, 'run'>
}

/** A query that takes longer is told to `onSlowQuery`'s listener. */
const slowMs = 100

type OnSlow = (query: { text: string; ms: number }) => void
const slowListeners = new WeakMap<Db, OnSlow>()

export const onSlowQuery = ({ db }: HasDb, listener: OnSlow): void => void slowListeners.set(db, listener)

/** Runs a prepared query. `textOf` gives its SQL, which names it: the values aren't in it. */
export function runTimed<Result>(db: Db, textOf: () => string, run: () => Result): Result {
  const from = performance.now()
  const result = run()
  const ms = performance.now() - from
  if (ms >= slowMs) slowListeners.get(db)?.({ text: textOf(), ms })
  return result
}

/**
 * A query of Drizzle's builder, compiled once for each open database: building one takes ten times as long as running it.
 * The type argument names its parameters.
 *
 *     const openAttempt = preparedQuery<{ userId: string }>()((db, { userId }) =>
 *       db.select().from(purchaseAttempts).where(and(eq(purchaseAttempts.userId, userId), isNull(purchaseAttempts.closedAt))),
 *     )
 *     openAttempt.get(ctx, { userId })
 */
export const preparedQuery =
  <P extends Parameters = Record<never, never>>() =>
  <B extends Builder>(build: (db: Db, parameters: Placeholders<P>) => B): PreparedQuery<P, B> => {
    const compiled = perDatabase((db) => build(db, placeholders<P>()).prepare())
    const run = (db: Db, method: 'all' | 'get' | 'run', values: Parameters | undefined) => {
      const query = compiled(db)
      return runTimed(
        db,
        () => query.getQuery().sql,
        () => query[method](values),
      )
    }
    return {
      all: ({ db }, ...[values]) => run(db, 'all', values) as Result<B, 'all'>,
      get: ({ db }, ...[values]) => run(db, 'get', values) as Result<B, 'get'>,
      run: ({ db }, ...[values]) => run(db, 'run', values) as Result<B, 'run'>,
    }
  }

/** Makes something once per key, for as long as the key is in use. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { value: Made }>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}

export const perDatabase = <Made>(make: (db: Db) => Made): ((db: Db) => Made) => oncePer(make)

/** Returns a placeholder for any name. Drizzle accepts one wherever a value goes, so it's typed as a value. */
export const placeholders = <P extends Parameters>(): Placeholders<P> =>
  new Proxy({}, { get: (_target, name) => sql.placeholder(String(name)) }) as Placeholders<P>

/** Hides a value from SQLite's planner, which would otherwise recompile some joins on each call. That takes ten times as long. */
export const unplanned = (value: SQL | Placeholder): SQL => sql`+${value}`

export const countWhere = ({ db }: HasDb, table: SQLiteTable, where: SQL | undefined): number =>
  db.select({ rows: count() }).from(table).where(where).get()?.rows ?? 0
