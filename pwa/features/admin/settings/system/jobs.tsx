import { queryOptions, useQuery } from '@tanstack/react-query'
import { RunJob } from '#pwa/features/admin/kit/jobs/run-job.tsx'
import { purposeOf, waitOf } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { type JobState, JobStates } from '#shared/contract/jobs.ts'
import { hasFailed, reportText } from '#shared/rules/job-report.ts'
import { formatMoment } from '#shared/rules/london.ts'

const jobsQuery = queryOptions({
  queryKey: [adminKey, 'jobs'],
  queryFn: () => parseResponse(JobStates, api.api.admin.jobs.get()),
  staleTime: 0,
  refetchInterval: 30_000,
  refetchOnReconnect: true,
})

const resultOf = ({ lastReport }: JobState) => reportText(lastReport)

function stateOf(job: JobState): string {
  if (job.isRunning) return 'Running'
  if (hasFailed(job.lastReport)) return 'Failed'
  if (waitOf(job.lastReport) !== null) return 'Waiting'
  return job.lastRunAt ? 'Done' : ''
}

const tones: Record<string, BadgeTone> = { Running: 'wait', Failed: 'bad', Waiting: 'wait', Done: 'ok' }

const columns: readonly Column<JobState>[] = [
  {
    label: 'Job',
    kind: 'who',
    cell: (job) => (
      <>
        {purposeOf(job)}
        <small>{job.name}</small>
      </>
    ),
    text: (job) => `${purposeOf(job)} (${job.name})`,
  },
  {
    label: 'Last run',
    kind: 'date',
    cell: ({ lastRunAt }) => (lastRunAt ? formatMoment(lastRunAt) : 'Not yet'),
    text: ({ lastRunAt }) => lastRunAt ?? 'Not yet',
  },
  {
    label: 'State',
    cell: (job) => stateOf(job) && <Badge tone={tones[stateOf(job)] ?? 'plain'}>{stateOf(job)}</Badge>,
    text: stateOf,
  },
  { label: 'Result', cell: resultOf, text: resultOf },
]

export default function JobsSection() {
  const query = useQuery(jobsQuery)
  return (
    <ShortList
      title="Jobs"
      name="jobs"
      query={query}
      columns={columns}
      idOf={({ name }) => name}
      actions={(job) => <RunJob job={job} label="Run now" name={`Run now: ${purposeOf(job)}`} />}
    />
  )
}
