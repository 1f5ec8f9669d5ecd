import type { Report } from '#cli/output.ts'
import { type Column, type Fact, factsText, tableText } from '#cli/table.ts'
import type { JobRun, JobState, MemberSync } from '#shared/contract/jobs.ts'
import { plural } from '#shared/rules/plural.ts'
import { nothing, timeWords, yesOrNo } from './words.ts'

const columns: readonly Column<JobState>[] = [
  { title: 'JOB', text: ({ name }) => name },
  { title: 'EVERY', text: ({ everyMs }) => everyWords(everyMs), givesWay: 1 },
  { title: 'RUNNING', text: ({ isRunning }) => yesOrNo(isRunning), givesWay: 2 },
  { title: 'LAST RUN', text: ({ lastRunAt }) => timeWords(lastRunAt) },
  {
    title: 'REPORT',
    text: ({ lastReport }) => reportWords(lastReport),
    shrinksTo: 20,
    tone: ({ lastReport }) =>
      lastReport !== null && 'failed' in lastReport && lastReport.failed !== 0 ? 'bad' : 'quiet',
  },
]

const units: readonly [ms: number, word: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
]

/** 5 seconds, 1 day. */
function everyWords(ms: number): string {
  const [size, word] = units.find(([unit]) => ms >= unit) ?? [1000, 'second']
  return plural(Math.round(ms / size), word)
}

/** What came of a run, in its own names; a count of nothing is left out. */
const reportWords = (report: JobState['lastReport']) =>
  Object.entries(report ?? {})
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || nothing

export function jobsReport(jobs: JobState[]): Report {
  return {
    answer: jobs,
    sheet: () => ({
      head: ['name', 'everyMs', 'isRunning', 'lastRunAt', 'lastReport'],
      rows: jobs.map((job) => [
        job.name,
        job.everyMs,
        job.isRunning,
        job.lastRunAt,
        job.lastReport === null ? null : JSON.stringify(job.lastReport),
      ]),
    }),
    text: () => tableText(columns, jobs),
    async view(width) {
      const [{ draw }, { JobsView }] = await Promise.all([import('#cli/views/draw.tsx'), import('#cli/views/jobs.tsx')])
      return draw(JobsView, { jobs, columns, width })
    },
  }
}

const factsOf = (entries: Record<string, unknown>): Fact[] =>
  Object.entries(entries).map(([name, value]) => ({ label: labelOf(name), value: String(value) }))

/** `limitHits` is "Limit hits". */
const labelOf = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase())

function factsReport(answer: JobRun | MemberSync, title: string, counts: Record<string, unknown>): Report {
  const facts = factsOf(counts)
  return {
    answer,
    sheet: () => ({
      head: ['what', 'value'],
      rows: Object.entries(counts).map(([name, value]) => [name, String(value)]),
    }),
    text: () => (facts.length === 0 ? 'Done.\n' : factsText(facts)),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/facts.tsx'),
      ])
      return draw(FactsView, { title, facts, width })
    },
  }
}

export const jobRunReport = (run: JobRun) => factsReport(run, `Job ${run.name}`, run.report ?? {})

export const syncReport = (synced: MemberSync) =>
  factsReport(synced, 'Mended', {
    customer: synced.hasCustomer ? 'read afresh' : 'none at the provider',
    ...synced.mended,
  })
