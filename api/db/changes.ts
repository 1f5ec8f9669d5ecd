import { type HasDb, perDatabase } from './query.ts'

const changesOf = perDatabase((db) => db.$client.prepare<[], number>('select total_changes()').pluck())

/** Rows our own connection has written since it was opened. */
export const countChanges = (ctx: HasDb): number => changesOf(ctx.db).get() ?? 0

/**
 * Reads once for all requests of one turn of the event loop. They had all arrived before it, so none depends on a later change.
 */
function memoizePerTurn<Value>(read: () => Value): () => Value {
  let memo: { value: Value } | undefined
  return () => {
    if (memo === undefined) {
      memo = { value: read() }
      setImmediate(() => {
        memo = undefined
      })
    }
    return memo.value
  }
}

const dataVersions = perDatabase((db) => {
  const read = db.$client.prepare<[], number>('pragma data_version').pluck()
  return memoizePerTurn(() => read.get())
})

/**
 * Changes with every commit of another connection, but not with ours. It's cached per turn: a request asks about six times, which
 * took longer than everything else it did.
 */
export const dataVersion = ({ db }: HasDb): number | undefined => dataVersions(db)()
