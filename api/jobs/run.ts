import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import { type Context, perContext } from '#api/context.ts'
import { assertNotReplaced } from '#api/copies/replaced.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { errorMessage } from '#api/log.ts'
import { StoreError } from '#api/object-store/store.ts'
import { withoutProviderDeadline } from '#api/stripe/deadline.ts'
import { requestForOwners } from '#api/stripe/errors.ts'
import { JobReport, type JobRun, type JobState } from '#shared/contract/jobs.ts'
import { type Job, jobs } from './jobs.ts'
import { acquireLease, isHeldAt, type Lease } from './lease.ts'

/** Skipped if another process is running the job, or has run it since `lastRunBefore`. */
export type JobOutcome = { skipped: true } | { skipped: false; report: JobReport }

export async function runJob(ctx: Context, name: string, { all = false } = {}): Promise<JobOutcome> {
  const job = jobs.find((candidate) => candidate.name === name)
  if (job === undefined) {
    throw new AppError(
      'not_found',
      `There’s no job called "${name}". There are: ${jobs.map((one) => one.name).join(', ')}.`,
    )
  }
  if (all && job.takesAll !== true) {
    const sentence = `${name} always does all there is to do.`
    throw new AppError('invalid', sentence, { fields: { all: sentence } })
  }
  const asking = assertNotReplaced(ctx)
  if (asking !== undefined) await asking
  // An earlier run in this process may have lost its lease, say while the machine slept, and still be going.
  return runningIn(ctx).has(name) ? { skipped: true } : runUnderLease(ctx, job, { all })
}

const runningIn = perContext(() => new Set<string>())

/** Runs a job early. That counts as its last run, so the timer waits a full interval again. */
export async function runJobForOwner(
  ctx: Context,
  { actor }: Owner,
  { name, all }: { name: string; all: boolean },
): Promise<JobRun> {
  const outcome = await requestForOwners(ctx, `${name} couldn’t run`, () =>
    withoutProviderDeadline(() => runJob(ctx, name, { all })),
  ).catch((error: unknown) => {
    throw error instanceof StoreError ? new AppError('conflict', error.message) : error
  })
  const report = outcome.skipped ? null : outcome.report
  audit(ctx, actor, 'job.run', { detail: { job: name, ...(report ?? { skipped: true }) } })
  return { name, skipped: outcome.skipped, report }
}

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

export function listJobs(ctx: Context): JobState[] {
  const now = ctx.now()
  const leases = new Map(
    ctx.db
      .select()
      .from(jobLeases)
      .all()
      .map((lease) => [lease.name, lease]),
  )
  return jobs.map(({ name, everyMs }) => {
    const lease = leases.get(name)
    return {
      name,
      everyMs,
      isRunning: lease !== undefined && isHeldAt(now, lease),
      lastRunAt: lease?.lastRunAt ?? null,
      lastReport: lease?.lastReport ? v.parse(JobReport, lease.lastReport) : null,
    }
  })
}
