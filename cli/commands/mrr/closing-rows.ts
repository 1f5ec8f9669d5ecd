import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { timeLabel } from '#cli/labels.ts'
import { countsOutput, sectionsOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type CommandRow, changeRow } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { JobRun } from '#shared/contract/jobs.ts'
import { RevenueClock, RevenueMonthList } from '#shared/contract/revenue.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

const closeRow = changeRow({
  usage: 'close',
  description: 'Close months that have ended, after a sync with Stripe (the server does this automatically too)',
  examples: ['close --dry-run', 'close --yes'],
  asks: true,
  plan:
    () =>
    async ({ api }) => {
      const months = await request(RevenueMonthList, api.admin['revenue-months'].get({ query: {} }))
      const open = months.filter(({ isFrozen: isClosed }) => !isClosed).map(({ month }) => month)
      const { doubt } = await request(RevenueClock, api.admin['revenue-months'].clock.get())
      const ended = doubt === null ? open.slice(0, -1) : []
      const none = doubt === null ? 'none: no month has ended' : 'none'
      const details: Detail[] = [
        { label: 'Would be closed', value: ended.join(', ') || none },
        ...(doubt === null ? [] : [{ label: 'Not yet', value: doubt }]),
      ]
      const csv = { head: ['month'], rows: ended.map((month) => [month]) }
      const output = sectionsOutput({ json: ended, csv: () => csv }, [{ title: 'Months', details }])
      const question = ended.length === 0 ? null : `Close ${ended.join(', ')}?`
      return { facts: { months: ended, doubt }, output, question }
    },
  apply:
    (_call, { months, doubt }) =>
    async ({ api }) => {
      if (doubt !== null) throw new CliError(exitCodes.failed, doubt)
      if (months.length === 0) return { sentence: 'No months to close.', record: { frozen: 0, newest: null } }
      const run = await request(JobRun, api.admin.jobs({ name: 'month-end' }).run.post({ all: false }))
      if (run.skipped) throw new CliError(exitCodes.failed, 'The months are already being closed.')
      const waits = run.report?.waits
      if (typeof waits === 'string') throw new CliError(exitCodes.failed, waits)
      return countsOutput(run, 'Months', run.report ?? {})
    },
})

const reopenRow = changeRow({
  usage: 'reopen',
  description: 'Reopen months that a wrong clock closed too early (only an owner can tell)',
  options: [['--keep', 'keep months closed that had really ended']],
  examples: ['reopen --dry-run', 'reopen --yes', 'reopen --keep'],
  asks: true,
  plan:
    ({ options }) =>
    async ({ api }) => {
      const clock = await request(RevenueClock, api.admin['revenue-months'].clock.get())
      const { months, early, newest } = clock
      const keep = options.keep === true
      refuseReopening(clock, keep)
      const details: Detail[] = [
        { label: keep ? 'Would stay closed' : 'Would be reopened', value: months.join(', ') || 'none' },
        { label: 'Closed too early', value: early.join(', ') || 'none' },
        { label: 'Newest entry', value: newest === null ? 'not after now' : timeLabel(newest) },
      ]
      const csv = { head: ['month'], rows: months.map((month) => [month]) }
      const output = sectionsOutput({ json: { months, early, newest }, csv: () => csv }, [{ title: 'Months', details }])
      const facts = { months, newest, keep }
      return { facts, output, question: isDoubted(clock) ? reopenQuestion(clock, keep) : null }
    },
  apply:
    (_call, { months, newest, keep }) =>
    async ({ api }) => {
      if (!isDoubted({ months, newest }))
        return {
          sentence: 'The clock looks right. No months need reopening.',
          record: { opened: 0, kept: 0 },
        }
      await request(RevenueClock, api.admin['revenue-months'].reopen.post({ months, keep }))
      const record = keep ? { opened: 0, kept: months.length } : { opened: months.length, kept: 0 }
      const done = keep
        ? `${plural(months.length, 'month stays', 'months stay')} closed. `
        : `${plural(months.length, 'month is', 'months are')} reopened. `
      const what = months.length === 0 ? '' : done
      return {
        sentence: `${what}The clock counts as right from now on.`,
        record,
        notes: ['Ended months close within the hour. Close them now: alliance mrr close'],
      }
    },
})

function refuseReopening({ providerDoubt, months, early }: RevenueClock, keep: boolean): void {
  if (providerDoubt !== null) throw new CliError(exitCodes.failed, providerDoubt)
  const later = months.filter((month) => !early.includes(month))
  if (keep && later.length > 0) {
    const why = 'the closing time is in the future. If it’s right, correct the clock. If not, leave out --keep.'
    throw new CliError(exitCodes.failed, `${later.join(', ')} can’t stay closed: ${why}`)
  }
}

function reopenQuestion({ now, months }: RevenueClock, keep: boolean): string {
  const time = `Is it really ${formatMoment(now)}?`
  if (months.length === 0) return `${time} Continue?`
  const names = months.join(', ')
  return keep
    ? `${time} Payments since then go in the first open month. Keep ${names} closed?`
    : `${time} Waiting changes then go where they belong. Those already booked in later months stay there. Reopen ${names}?`
}

const isDoubted = ({ months, newest }: Pick<RevenueClock, 'months' | 'newest'>) => months.length > 0 || newest !== null

export const closingRows: readonly CommandRow[] = [closeRow, reopenRow]
