import { countChanges, dataVersion } from './changes.ts'
import { type HasDb, perDatabase } from './query.ts'

type Cache<Value> = { version: string; values: Map<string, Value> }

/** More people than use the site between one write and the next. */
const maxValues = 1_000

/** How many of this connection's changes no cached read depends on, those kept `untilAnyWrite` apart. */
const unrelatedChanges = perDatabase(() => ({ count: 0 }))

/** Changes with every row that this connection writes, and with every commit of another. */
const versionOf = (ctx: HasDb, { unrelated }: { unrelated: number }) =>
  `${countChanges(ctx) - unrelated}.${dataVersion(ctx)}`

/**
 * Runs `write`, which may write only tables that no cached read reads (those kept `untilAnyWrite` apart): what is cached stays.
 * Ticks come in such numbers that reading the session anew after each took a seventh of their time.
 */
export function writeUnrelated<Result>(ctx: HasDb, write: () => Result): Result {
  const before = countChanges(ctx)
  try {
    return write()
  } finally {
    unrelatedChanges(ctx.db).count += countChanges(ctx) - before
  }
}

/**
 * Keeps what was read until anything in the database changes, whichever program changes it: our own change is seen by the next
 * read, another program's from the next turn of the event loop on. What depends on the time must be decided by the caller.
 * What reads a table that `writeUnrelated` writes is kept `untilAnyWrite`.
 */
export function cachedRead<Value>(
  read: (ctx: HasDb, key: string) => Value,
  { untilAnyWrite = false } = {},
): (ctx: HasDb, key: string) => Value {
  const caches = perDatabase((): Cache<Value> => ({ version: '', values: new Map() }))
  return (ctx, key) => {
    // What is read in a transaction may never be committed.
    if (ctx.db.$client.inTransaction) return read(ctx, key)
    const cache = caches(ctx.db)
    const version = versionOf(ctx, { unrelated: untilAnyWrite ? 0 : unrelatedChanges(ctx.db).count })
    if (cache.version !== version || cache.values.size >= maxValues) cache.values.clear()
    cache.version = version
    const value = cache.values.get(key) ?? read(ctx, key)
    cache.values.set(key, value)
    return value
  }
}
