import { queryOptions, useQuery } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { JobRun, type JobState, JobStates } from '#shared/contract/jobs.ts'
import '#pwa/features/admin/list/list.css'
import { hasFailed, momentOf, purposeOf, resultOf } from './system-texts.ts'

const jobsQuery = queryOptions({
  queryKey: [adminKey, 'jobs'],
  queryFn: () => parseResponse(JobStates, api.api.admin.jobs.get()),
  staleTime: 0,
  refetchInterval: 30_000,
  refetchOnReconnect: true,
})

/** What the server does by itself: when it last did, with what result, and a button to have it done now. */
export default function JobsSection() {
  const { data, error, isFetching, refetch } = useQuery(jobsQuery)
  return (
    <>
      <div className="panel__top">
        <h2>Jobs</h2>
      </div>
      {error && (
        <Banner tone="bad" role="alert" title={messageOf(error, 'The jobs could not be read.')}>
          <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
            Retry
          </Button>
        </Banner>
      )}
      {data ? <Jobs jobs={data} /> : !error && <Skeleton size="block" />}
    </>
  )
}

const Jobs = ({ jobs }: { jobs: JobState[] }) => (
  <Table caption="Jobs" isStacked>
    <thead>
      <tr>
        <th scope="col">Job</th>
        <th scope="col">Last run</th>
        <th scope="col">State</th>
        <th scope="col">Result</th>
        <th scope="col">Actions</th>
      </tr>
    </thead>
    <tbody>
      {jobs.map((job) => (
        <Row key={job.name}>
          <Cell kind="who">
            {purposeOf(job)}
            <small>{job.name}</small>
          </Cell>
          <Cell label="Last run" kind="date">
            {job.lastRunAt ? momentOf(job.lastRunAt) : 'Not yet'}
          </Cell>
          <Cell label="State">
            {job.isRunning ? (
              <Badge tone="wait">Running</Badge>
            ) : hasFailed(job) ? (
              <Badge tone="bad">Failed</Badge>
            ) : (
              job.lastRunAt && <Badge tone="ok">Done</Badge>
            )}
          </Cell>
          <Cell label="Result">{resultOf(job)}</Cell>
          <Cell label="Actions">
            <RunButton job={job} />
          </Cell>
        </Row>
      ))}
    </tbody>
  </Table>
)

function RunButton({ job }: { job: JobState }) {
  const toast = useToast()
  const failure = 'The job failed.'
  const action = useAdminAction({
    schema: JobRun,
    send: () => api.api.admin.jobs({ name: job.name }).run.post({ all: false }),
    failure,
    done: ({ skipped }) => ({ title: skipped ? 'It is running already' : 'Done', description: purposeOf(job) }),
    onFailure: (error) => toast({ title: 'Error', description: messageOf(error, failure), tone: 'bad' }),
  })
  return (
    <Button
      look="line"
      isSmall
      isBusy={action.isPending}
      busyLabel="Running…"
      aria-label={`Run now: ${purposeOf(job)}`}
      onClick={() => action.mutate()}
    >
      Run now
    </Button>
  )
}
