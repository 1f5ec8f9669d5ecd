import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { AppError } from '#api/errors.ts'
import { JobReport, type JobState } from '#shared/contract/jobs.ts'
import { type Job, jobs } from './jobs.ts'
import { acquireLease } from './lease.ts'

/** Skipped: somebody else is running it, or, where the caller asked for that, has just done so. */
export type JobOutcome = { skipped: true } | { skipped: false; report: JobReport }

/** Runs a job of the list by name. */
export async function runJob(ctx: Context, name: string, { all = false } = {}): Promise<JobOutcome> {
  const job = jobs.find((candidate) => candidate.name === name)
  if (job === undefined) {
    throw new AppError('not_found', `No job is called "${name}". There are: ${jobs.map((one) => one.name).join(', ')}.`)
  }
  if (all && job.takesAll !== true) {
    const sentence = `${name} always does all there is to do.`
    throw new AppError('invalid', sentence, { fields: { all: sentence } })
  }
  return runUnderLease(ctx, job, { all })
}

/**
 * Runs a job once, however many ask at the same time. A run that throws is not counted as one, so the timer soon
 * tries again; the failure is kept as the last report and thrown on.
 */
export async function runUnderLease(
  ctx: Context,
  job: Job,
  { all = false, lastRunBefore }: { all?: boolean; lastRunBefore?: string | undefined } = {},
): Promise<JobOutcome> {
  const startedAt = ctx.now()
  const lease = acquireLease(ctx, { name: job.name, lastRunBefore })
  if (lease === null) return { skipped: true }
  try {
    const report = await job.run(ctx, { all })
    lease.end({ report, startedAt })
    return { skipped: false, report }
  } catch (error) {
    lease.end({ failure: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

/** Every job of the list and how it last went. */
export function jobStates(ctx: Context): JobState[] {
  const now = ctx.now().toISOString()
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
      ...{ name, everyMs },
      isRunning: lease !== undefined && lease.expiresAt > now,
      lastRunAt: lease?.lastRunAt ?? null,
      lastReport: lease?.lastReport ? v.parse(JobReport, lease.lastReport) : null,
    }
  })
}
