import { type Context, perContext } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { errorMessage } from '#api/log.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import type { Job } from './job.ts'
import { acquireLease, type Lease } from './lease.ts'

/** Skipped if another process is running the job, or has run it since `lastRunBefore`. */
export type JobOutcome = { skipped: true } | { skipped: false; report: JobReport }

const runningIn = perContext(() => new Set<string>())

/** Also true if an earlier run in this process lost its lease, say while the machine slept, and is still going. */
export const isRunningHere = (ctx: Context, { name }: Job): boolean => runningIn(ctx).has(name)

/** `stopping` comes from the server whose timer runs the job. */
export type RunBy = { all?: boolean; lastRunBefore?: string | undefined; stopping?: AbortSignal }

/**
 * Runs a job once, however many callers there are. A run that throws doesn't count, so the timer soon retries. We store the error
 * as the last report and rethrow it. A run whose end we couldn't store, because another program kept the write lock, doesn't
 * count either: its lease expires.
 */
export async function runUnderLease(
  ctx: Context,
  job: Job,
  { all = false, lastRunBefore, stopping }: RunBy = {},
): Promise<JobOutcome> {
  // Don't yield without a reason: callers rely on the lease being taken synchronously.
  const wait = whenWritable(ctx, jobPatienceMs)
  if (wait !== undefined) await wait
  const startedAt = ctx.now()
  const lease = acquireLease(ctx, { name: job.name, lastRunBefore })
  if (lease === null) return { skipped: true }
  runningIn(ctx).add(job.name)
  try {
    const report = await reportOf(ctx, job, { all, lease, stopping })
    await whenWritable(ctx, jobPatienceMs)
    lease.end({ report, startedAt })
    return { skipped: false, report }
  } finally {
    runningIn(ctx).delete(job.name)
    lease.stopRenewing()
  }
}

/** Stores the run's error if the database can be written, and rethrows it either way. */
async function reportOf(
  ctx: Context,
  job: Job,
  { all, lease, stopping }: { all: boolean; lease: Lease; stopping: AbortSignal | undefined },
): Promise<JobReport> {
  const { isTakenOver, isClockSetBack } = lease
  try {
    return await job.run(ctx, { all, isTakenOver, isClockSetBack, stopping })
  } catch (error) {
    try {
      await whenWritable(ctx, jobPatienceMs)
      lease.end({ failure: errorMessage(error) })
    } catch (unstored) {
      ctx.log.warn('failure of a job not stored', { job: job.name, reason: errorMessage(unstored) })
    }
    throw error
  }
}
