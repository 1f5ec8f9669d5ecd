import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { assertNotReplaced } from '#api/copies/replaced.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { isHeldAt } from '#api/jobs/lease.ts'
import { isRunningHere, type JobOutcome, runUnderLease } from '#api/jobs/run.ts'
import { StoreError } from '#api/object-store/store.ts'
import { withoutProviderDeadline } from '#api/stripe/deadline.ts'
import { requestForOwners } from '#api/stripe/errors.ts'
import { JobReport, type JobRun, type JobState } from '#shared/contract/jobs.ts'
import { jobs } from './list-service.ts'

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
  return isRunningHere(ctx, job) ? { skipped: true } : runUnderLease(ctx, job, { all })
}

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
