import type { Sqlite } from '#api/db/open.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, checked, listed, ok, warning } from './check.ts'

const hourMs = 60 * 60_000

export type JobRhythm = { name: string; everyMs: number }

/** Mail and jobs: what should have happened by now. */
export function checkWork(sqlite: Sqlite, jobs: readonly JobRhythm[], now: Date): Check[] {
  return [checked('mail', () => mail(sqlite, now)), checked('jobs', () => jobRuns(sqlite, jobs, now))]
}

/** As long as the text of a mail that never arrived is kept for an owner to send it again. */
const mendableMs = 30 * 24 * hourMs

/** A one-time link is not sent again but made anew: it is made good once a later one of its kind reached the same address. */
const isMadeGood = `isRepeatable = 0 and exists (select 1 from mail_outbox later where later."to" = mail."to"
  and later.status = 'sent' and later.createdAt > mail.createdAt
  and substr(later.cause, 1, instr(later.cause, ':')) = substr(mail.cause, 1, instr(mail.cause, ':')))`

type MailRow = { refused: number | null; failed: number | null; late: number | null }

/** What never arrived and can still be put right, and what is late. */
function mail(sqlite: Sqlite, now: Date): Check {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const row = sqlite
    .prepare<{ anHourAgo: string; since: string }, MailRow>(
      `select sum(status = 'refused') as refused, sum(status = 'failed') as failed,
         sum(status in ('waiting', 'sending') and createdAt < @anHourAgo) as late from mail_outbox mail
       where status in ('waiting', 'sending')
         or (status in ('refused', 'failed') and coalesce(resentAt, createdAt) > @since and not (${isMadeGood}))`,
    )
    .get({ anHourAgo: before(hourMs), since: before(mendableMs) })
  const troubles = [
    { count: row?.refused ?? 0, what: 'refused' },
    { count: row?.failed ?? 0, what: 'failed' },
    { count: row?.late ?? 0, what: 'waiting for more than an hour' },
  ].filter(({ count }) => count > 0)
  if (troubles.length === 0) return ok('mail', 'Nothing is stuck.')
  const says = troubles.map(({ count, what }) => `${plural(count, 'mail')} ${what}`).join(', ')
  return warning('mail', `${says}. \`mail list --status ${first(row)}\` names them.`)
}

const first = (row: MailRow | undefined) => (row?.refused ? 'refused' : row?.failed ? 'failed' : 'waiting')

type LeaseRow = { name: string; expiresAt: string; lastRunAt: string | null; lastReport: string | null }

function jobRuns(sqlite: Sqlite, jobs: readonly JobRhythm[], now: Date): Check {
  const leases = sqlite
    .prepare<[], LeaseRow>('select name, expiresAt, lastRunAt, lastReport from job_leases order by name')
    .all()
  const troubles = leases.flatMap((lease) => troubleOf(lease, jobs, now))
  if (troubles.length > 0) return warning('jobs', `${listed(troubles)}.`)
  return ok('jobs', leases.length === 0 ? 'None has run yet.' : 'All have run in time.')
}

function troubleOf(lease: LeaseRow, jobs: readonly JobRhythm[], now: Date): string[] {
  // A lease is renewed for a minute at a time; one that reaches further was written by a clock that ran ahead.
  if (Date.parse(lease.expiresAt) - now.getTime() > hourMs) return [`${lease.name} is held until ${lease.expiresAt}`]
  if (lease.lastReport?.startsWith('{"failed"')) return [`${lease.name} failed at its last run`]
  const everyMs = jobs.find(({ name }) => name === lease.name)?.everyMs ?? Infinity
  const sinceMs = now.getTime() - Date.parse(lease.lastRunAt ?? lease.expiresAt)
  return sinceMs > 3 * everyMs + hourMs ? [`${lease.name} has not run since ${lease.lastRunAt ?? lease.expiresAt}`] : []
}
