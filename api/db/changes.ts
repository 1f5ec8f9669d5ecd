import { type HasDb, perDatabase } from './query.ts'

const changesOf = perDatabase((db) => db.$client.prepare<[], number>('select total_changes()').pluck())

/** Rows that our own connection has written since it was opened. */
export const countChanges = (ctx: HasDb): number => changesOf(ctx.db).get() ?? 0

/**
 * Reads once for all requests that are handled in one turn of the event loop. All of them had arrived when it began, so none
 * can have been sent because of what has changed since.
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
 * Changes with every commit of another connection, whatever it wrote; our own commits do not change it. A request asks for it
 * some six times, which took longer than all else that it did.
 */
export const dataVersion = ({ db }: HasDb): number | undefined => dataVersions(db)()
