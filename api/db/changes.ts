import { type HasDb, memoizePerTurn, perDatabase } from './query.ts'

const changesOf = perDatabase((db) => db.$client.prepare<[], number>('select total_changes()').pluck())

/** Rows that our own connection has written since it was opened. */
export const countChanges = (ctx: HasDb): number => changesOf(ctx.db).get() ?? 0

const dataVersions = perDatabase((db) => {
  const read = db.$client.prepare<[], number>('pragma data_version').pluck()
  return memoizePerTurn(() => read.get())
})

/**
 * Changes with every commit of another connection, whatever it wrote; our own commits do not change it. A request asks for it
 * some six times, which took longer than all else that it did.
 */
export const dataVersion = ({ db }: HasDb): number | undefined => dataVersions(db)()
