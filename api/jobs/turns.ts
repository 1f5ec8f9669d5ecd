import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { transact } from '#api/db/open.ts'

export const breathe = () => new Promise(setImmediate)

/** How long a job works before requests get their turn. A tick waits for three or four such turns. */
const turnMs = 8

/** Breathes between two rows if it's time. */
export function startTurns(): () => Promise<void> {
  let from = performance.now()
  return async () => {
    if (performance.now() - from < turnMs) return
    await breathe()
    from = performance.now()
  }
}

/** For jobs: in transactions as long as a turn, between which requests get theirs and other programs may write. */
export async function transactInTurns<Row>(
  ctx: Context,
  rows: readonly Row[],
  each: (row: Row) => void,
): Promise<void> {
  let done = 0
  while (done < rows.length) {
    await whenWritable(ctx, jobPatienceMs)
    const until = performance.now() + turnMs
    transact(ctx, () => {
      for (const row of rows.slice(done)) {
        each(row)
        done += 1
        if (performance.now() > until) break
      }
    })
    await breathe()
  }
}
