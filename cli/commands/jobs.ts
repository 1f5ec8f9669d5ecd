import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { emptyLabel, timeLabel, yesNoLabel } from '#cli/labels.ts'
import { countsOutput, type Output, tableOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { request, requireText } from '#cli/request.ts'
import { actRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { JobRun, type JobState, JobStates } from '#shared/contract/jobs.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { hasFailed, reportLines, reportText } from '#shared/rules/job-report.ts'
import { plural } from '#shared/rules/plural.ts'

const jobsTable: Table<JobState> = {
  title: 'Jobs',
  empty: 'No jobs.',
  columns: [
    { title: 'JOB', text: ({ name }) => name },
    { title: 'EVERY', text: ({ everyMs }) => intervalLabel(everyMs), dropOrder: 1 },
    { title: 'RUNNING', text: ({ isRunning }) => yesNoLabel(isRunning), dropOrder: 2 },
    { title: 'LAST RUN', text: ({ lastRunAt }) => timeLabel(lastRunAt) },
    {
      title: 'RESULT',
      text: ({ lastReport }) => reportText(lastReport) || emptyLabel,
      minWidth: 20,
      tone: ({ lastReport }) => (hasFailed(lastReport) ? 'error' : 'muted'),
    },
  ],
  csv: [
    ...csvFields(['name', 'everyMs', 'isRunning', 'lastRunAt']),
    { name: 'lastReport', cell: ({ lastReport }) => (lastReport === null ? null : JSON.stringify(lastReport)) },
  ],
}

const units: readonly [ms: number, word: string][] = [
  [dayMs, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

function intervalLabel(ms: number): string {
  const [size, word] = units.find(([unit]) => ms >= unit) ?? [1000, 'second']
  return plural(Math.round(ms / size), word)
}

const list = showRow({
  usage: 'list',
  description: 'List jobs with interval, last run and result',
  examples: ['list'],
  read:
    () =>
    ({ api }) =>
      request(JobStates, api.admin.jobs.get()),
  output: (jobs) => tableOutput(jobsTable, jobs),
})

/** What a run did, in words. If something failed in it, so does the command. */
export function jobRunOutput(run: JobRun, title: string): Output {
  const lines = reportLines(run.report ?? {}).map(({ label, value }) => [label, value] as const)
  const rows = Object.entries(run.report ?? {}).map(([name, value]) => [name, String(value)] as const)
  return {
    ...countsOutput(run, title, Object.fromEntries(lines)),
    csv: () => ({ head: ['name', 'value'], rows }),
    hasFailed: hasFailed(run.report),
  }
}

/** Any job can run at any time, so we don't ask. */
const run = actRow({
  usage: 'run <name>',
  description: 'Run a job now and show its result',
  options: [
    [
      '--all',
      'reconcile: sync every customer, not just recent changes; month-end: add up every month again; clean-up: make everyone findable again',
    ],
  ],
  examples: ['run month-end', 'run reconcile --all'],
  act({ io, options, argument }) {
    const name = encodeURIComponent(requireText(argument(0), 'Enter a job name. "alliance jobs list" shows them.'))
    return async ({ api }) => {
      const job = api.admin.jobs({ name })
      const all = options.all === true
      const run = await withProgress(io, options, 'Running', () => request(JobRun, job.run.post({ all })))
      if (run.skipped) throw new CliError(exitCodes.failed, `${run.name} is already running.`)
      return jobRunOutput(run, `Job ${run.name}`)
    }
  },
})

export const jobRows = [list, run]

export const registerJobs = registersRows(jobRows)
