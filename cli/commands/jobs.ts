import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel, timeLabel, yesNoLabel } from '#cli/labels.ts'
import { countsOutput, print, tableOutput } from '#cli/output.ts'
import { request, requireText } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { JobRun, type JobState, JobStates } from '#shared/contract/jobs.ts'
import { plural } from '#shared/rules/plural.ts'

export function registerJobs(jobs: Command, io: Io): void {
  jobs
    .command('list')
    .description('List all jobs with their interval, last run and its result')
    .addHelpText('after', examples('jobs list'))
    .action((_own, command: Command) => listJobs(io, command.optsWithGlobals()))
  jobs
    .command('run <name>')
    .description('Run a job now and show its result')
    .option('--all', 'reconcile only: read every customer, including those without recent changes')
    .addHelpText('after', examples('jobs run month-end', 'jobs run reconcile --all'))
    .action((name: string, _own, command: Command) => runJob(io, command.optsWithGlobals(), name))
}

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
      text: ({ lastReport }) => resultLabel(lastReport),
      minWidth: 20,
      tone: ({ lastReport }) =>
        lastReport !== null && 'failed' in lastReport && lastReport.failed !== 0 ? 'error' : 'muted',
    },
  ],
  csv: [
    ...csvFields(['name', 'everyMs', 'isRunning', 'lastRunAt']),
    { name: 'lastReport', cell: ({ lastReport }) => (lastReport === null ? null : JSON.stringify(lastReport)) },
  ],
}

const units: readonly [ms: number, word: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

/** `5 seconds`, `1 day`. */
function intervalLabel(ms: number): string {
  const [size, word] = units.find(([unit]) => ms >= unit) ?? [1000, 'second']
  return plural(Math.round(ms / size), word)
}

/** The counts of a run under the job's own names, without those that are 0. */
const resultLabel = (report: JobState['lastReport']) =>
  Object.entries(report ?? {})
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || emptyLabel

async function listJobs(io: Io, options: SharedOptions): Promise<void> {
  const jobs = await withClient(io, options, ({ api }) => request(JobStates, api.admin.jobs.get()))
  await print(io, options, tableOutput(jobsTable, jobs))
}

async function runJob(io: Io, options: SharedOptions & { all?: true }, given: string): Promise<void> {
  const name = encodeURIComponent(requireText(given, 'Enter the name of a job. "alliance jobs list" shows them.'))
  const run = await withClient(io, options, ({ api }) =>
    request(JobRun, api.admin.jobs({ name }).run.post({ all: options.all === true })),
  )
  if (run.skipped) throw new CliError(exitCodes.failed, `${run.name} is already running.`)
  await print(io, options, countsOutput(run, `Job ${run.name}`, run.report ?? {}))
}
