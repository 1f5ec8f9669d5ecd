import type { Context } from '#api/context.ts'
import type { JobReport } from '#shared/contract/jobs.ts'

/**
 * `isTakenOver`: the previous run's process died. `isClockSetBack`: the previous run is dated in the future. `stopping`: the
 * server waits for this run before it exits.
 */
type RunOptions = { all: boolean; isTakenOver: boolean; isClockSetBack: boolean; stopping: AbortSignal | undefined }

export type Job = {
  name: string
  /** Interval of the server's timer, by the wall clock. */
  everyMs: number
  run(ctx: Context, how: RunOptions): Promise<JobReport> | JobReport
  /** Normally the job skips what can't have changed. With `all` it doesn't. */
  takesAll?: true
  /** Calls `wake` when the job should run early. Returns the unsubscribe function. */
  subscribe?(ctx: Context, wake: () => void): () => void
  /** Stores what a run couldn't, once more after the last run before the server exits. */
  finish?(ctx: Context): Promise<void>
}
