import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Owner } from '#api/http/session.ts'
import { runJob } from '#api/jobs/run.ts'
import type { JobRun } from '#shared/contract/jobs.ts'

/** Runs a job out of its turn. What it does counts as its last run, so the timer goes on from here. */
export async function runForOwner(
  ctx: Context,
  { actor }: Owner,
  { name, all }: { name: string; all: boolean },
): Promise<JobRun> {
  const outcome = await runJob(ctx, name, { all })
  const report = outcome.skipped ? null : outcome.report
  audit(ctx, actor, 'job.run', { detail: { job: name, ...(report ?? { skipped: true }) } })
  return { name, skipped: outcome.skipped, report }
}
