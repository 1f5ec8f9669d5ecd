import { countChanges, dataVersion } from './changes.ts'
import { type HasDb, perDatabase } from './query.ts'

type Cache<Value> = { version: string; values: Map<string, Value> }

/** More than are asked for between two writes, of values of some kilobytes each. */
const usualMost = 1_000

/** How many of this connection's changes can't affect a cached read, except those kept `untilAnyWrite`. */
const unrelatedChanges = perDatabase(() => ({ count: 0 }))

/** Changes with every row this connection writes, and every commit of another. */
const versionOf = (ctx: HasDb, { unrelated }: { unrelated: number }) =>
  `${countChanges(ctx) - unrelated}.${dataVersion(ctx)}`

/**
 * Runs `write` without dropping cached reads. It may only write tables they don't read (except those kept `untilAnyWrite`). There
 * are so many ticks that rereading the session after each one took a seventh of their time.
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
 * Caches what was read until anything in the database changes, by any program. The next read sees our own change, and reads from
 * the next turn of the event loop see another program's. Anything that depends on the time is up to the caller. Use
 * `untilAnyWrite` if it reads a table that `writeUnrelated` writes. It keeps `most` values.
 */
export function cachedRead<Value>(
  read: (ctx: HasDb, key: string) => Value,
  { untilAnyWrite = false, most = usualMost } = {},
): (ctx: HasDb, key: string) => Value {
  const caches = perDatabase((): Cache<Value> => ({ version: '', values: new Map() }))
  return (ctx, key) => {
    // A transaction may be rolled back, so don't cache what it reads.
    if (ctx.db.$client.inTransaction) return read(ctx, key)
    const cache = caches(ctx.db)
    const version = versionOf(ctx, { unrelated: untilAnyWrite ? 0 : unrelatedChanges(ctx.db).count })
    if (cache.version !== version) cache.values.clear()
    cache.version = version
    const known = cache.values.get(key)
    if (known !== undefined) return known
    const value = read(ctx, key)
    // Only the oldest goes. With all of them cleared, a thousand people in turn each had their session read again.
    for (const oldest of cache.values.keys()) {
      if (cache.values.size < most) break
      cache.values.delete(oldest)
    }
    cache.values.set(key, value)
    return value
  }
}
