import { dataVersion, type HasDb, perDatabase } from './query.ts'

type Cache<Value> = { version: string; values: Map<string, Value> }

/** More people than use the site between one write and the next. */
const maxValues = 1_000

const changesOf = perDatabase((db) => db.$client.prepare<[], number>('select total_changes()').pluck())

/** Changes with every row that this connection writes, and with every commit of another. */
const versionOf = (ctx: HasDb) => `${changesOf(ctx.db).get()}.${dataVersion(ctx)}`

/**
 * Keeps what was read until anything in the database changes, whichever program changes it: the next read sees it, as it
 * would without this. What depends on the time must be decided by the caller.
 */
export function cachedRead<Value>(read: (ctx: HasDb, key: string) => Value): (ctx: HasDb, key: string) => Value {
  const caches = perDatabase((): Cache<Value> => ({ version: '', values: new Map() }))
  return (ctx, key) => {
    // What is read in a transaction may never be committed.
    if (ctx.db.$client.inTransaction) return read(ctx, key)
    const cache = caches(ctx.db)
    const version = versionOf(ctx)
    if (cache.version !== version || cache.values.size >= maxValues) cache.values.clear()
    cache.version = version
    const value = cache.values.get(key) ?? read(ctx, key)
    cache.values.set(key, value)
    return value
  }
}
