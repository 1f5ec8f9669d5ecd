import { ask } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { exitCodes, Stop, wrongUsage } from '#cli/exit.ts'
import type { Io } from '#cli/io.ts'
import { print } from '#cli/output.ts'
import { jobRunReport, jobsReport, syncReport } from '#cli/reports/jobs.ts'
import { JobRun, JobStates, MemberSync } from '#shared/contract/jobs.ts'

export async function listJobs(io: Io, options: SharedOptions): Promise<void> {
  const jobs = await withClient(io, options, (client) => ask(JobStates, client.api.admin.jobs.get()))
  await print(io, options, jobsReport(jobs))
}

export type RunOptions = SharedOptions & { all?: true }

export async function runJob(io: Io, options: RunOptions, name: string): Promise<void> {
  if (name === '') throw wrongUsage('Please name a job. jobs list shows them.')
  const job = encodeURIComponent(name)
  const run = await withClient(io, options, (client) =>
    ask(JobRun, client.api.admin.jobs({ name: job }).run.post({ all: options.all === true })),
  )
  if (run.skipped) throw new Stop(exitCodes.failed, `Somebody else is running ${run.name} just now.`)
  await print(io, options, jobRunReport(run))
}

export async function syncMember(io: Io, options: SharedOptions, idOrEmail: string): Promise<void> {
  if (idOrEmail === '') throw wrongUsage('Please name a member by id or e-mail address.')
  const memberId = encodeURIComponent(idOrEmail)
  const synced = await withClient(io, options, (client) =>
    ask(MemberSync, client.api.admin.members({ memberId }).sync.post()),
  )
  await print(io, options, syncReport(synced))
}
