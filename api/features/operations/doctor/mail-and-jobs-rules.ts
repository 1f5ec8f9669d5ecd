import { and, asc, count, eq, gt, inArray, lt, ne, notExists, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { firstOf } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { jobLeases } from '#api/db/schema/system.ts'
import { findSenderStop, type SenderStop } from '#api/mail/sender-refusals.ts'
import type { JobProblem } from '#shared/contract/today.ts'
import { londonClock } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, firstFew, named, ok, runCheck, runs, shows, warning } from './check-rules.ts'

const hourMs = 60 * 60_000

type JobInterval = { name: string; everyMs: number }

export function checkMailAndJobs(db: Db, jobs: readonly JobInterval[], now: Date): Check[] {
  return [runCheck('mail', () => findStuckMail(db, now)), runCheck('jobs', () => findLateJobs(db, jobs, now))]
}

function findStuckMail(db: Db, now: Date): Check {
  const name = 'mail'
  const stop = findSenderStop({ db })
  const problems = countStuckMail(db, now).filter(({ count, status }) => count > 0 && !(stop && status === 'waiting'))
  const [first] = problems
  if (first === undefined && stop === null) return ok(name, 'Nothing is stuck.')
  const counts = problems.map(({ count, what }) => `${plural(count, 'email')} ${what}`).join(', ')
  const list = named(shows(`mail list --status ${first?.status ?? 'waiting'}`))
  const rest = first === undefined ? '' : `${counts}. See: alliance ${list.command}`
  return warning(name, [stop && stopSentence(db, stop), rest].filter(Boolean).join(' '), list)
}

const stopSentence = (db: Db, { says, nextAt }: SenderStop): string =>
  `The mail server isn’t taking our emails. It says: “${says}”. ${plural(countWaitingMail(db), 'email is', 'emails are')} waiting. We’ll try one again at ${londonClock(nextAt)}, and send the rest once it gets through.`

const countWaitingMail = (db: Db): number =>
  db.select({ count: count() }).from(mailOutbox).where(isWaiting).get()?.count ?? 0

const isWaiting = inArray(mailOutbox.status, ['waiting', 'sending'])

/** We keep the text of an undelivered mail for 30 days. After that an owner can't resend it. */
const resendableMs = 30 * 24 * hourMs

/** Undelivered mail that can be resent, or whose link can be replaced, and mail that's been queued for too long. */
export function countStuckMail(db: Db, now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const countMail = (condition: SQL | undefined) =>
    db.select({ count: count() }).from(mailOutbox).where(condition).get()?.count ?? 0
  const canBeResent = and(
    gt(firstOf(mailOutbox.resentAt, mailOutbox.createdAt), before(resendableMs)),
    isNewestOfItsKind(db),
    hasText,
  )
  const isLate = lt(mailOutbox.createdAt, before(hourMs))
  return [
    { status: 'refused', what: 'refused', count: countMail(and(eq(mailOutbox.status, 'refused'), canBeResent)) },
    { status: 'failed', what: 'failed', count: countMail(and(eq(mailOutbox.status, 'failed'), canBeResent)) },
    {
      status: 'waiting',
      what: 'not sent for more than an hour',
      count: countMail(and(isWaiting, isLate)),
    },
  ]
}

/** A lapsed mail, or one past its 30 days, has no text left to send. We can still replace a link. */
const hasText = or(eq(mailOutbox.isRepeatable, false), ne(mailOutbox.text, ''))

/** One-time links are replaced, not resent. One stops mattering once a newer link of its kind reaches the same address. */
function isNewestOfItsKind(db: Db): SQL | undefined {
  const later = alias(mailOutbox, 'later')
  const kindOf = (cause: SQLWrapper) => sql`substr(${cause}, 1, instr(${cause}, ':'))`
  const laterLink = db
    .select({ id: later.id })
    .from(later)
    .where(
      and(
        eq(later.to, mailOutbox.to),
        eq(later.status, 'sent'),
        gt(later.createdAt, mailOutbox.createdAt),
        eq(kindOf(later.cause), kindOf(mailOutbox.cause)),
      ),
    )
  return or(eq(mailOutbox.isRepeatable, true), notExists(laterLink))
}

function findLateJobs(db: Db, jobs: readonly JobInterval[], now: Date): Check {
  const name = 'jobs'
  const problems = listJobProblems(db, jobs, now)
  const [first] = problems
  if (first === undefined) return ok(name, 'All ran on time.')
  const texts = problems.map(({ name: job, problem, at }) => `${job} ${problemTexts[problem](at)}`)
  // A locked job wouldn't run.
  const remedy = first.problem === 'locked' ? shows('jobs list') : runs(`jobs run ${first.name}`)
  return warning(name, `${firstFew(texts)}.`, remedy)
}

const problemTexts: Record<JobProblem['problem'], (at: string | null) => string> = {
  failed: () => 'failed at its last run',
  late: (since) => `hasn’t run since ${since}`,
  locked: (until) => `is locked until ${until}`,
}

export const listJobProblems = (db: Db, jobs: readonly JobInterval[], now: Date): JobProblem[] =>
  db
    .select()
    .from(jobLeases)
    .orderBy(asc(jobLeases.name))
    .all()
    .flatMap((lease) => problemOf(lease, jobs, now) ?? [])

type Lease = typeof jobLeases.$inferSelect

const FailedRun = v.object({ failed: v.string() })

function problemOf({ name, expiresAt, lastRunAt, lastReport }: Lease, jobs: readonly JobInterval[], now: Date) {
  const problem = (kind: JobProblem['problem'], at: string | null): JobProblem => ({ name, problem: kind, at })
  // Leases are renewed for a minute at a time. One that ends much later was written while the clock was wrong.
  if (Date.parse(expiresAt) - now.getTime() > hourMs) return problem('locked', expiresAt)
  if (v.is(FailedRun, lastReport)) return problem('failed', lastRunAt)
  const everyMs = jobs.find((job) => job.name === name)?.everyMs ?? Infinity
  const ranAt = lastRunAt ?? expiresAt
  return now.getTime() - Date.parse(ranAt) > 3 * everyMs + hourMs ? problem('late', ranAt) : null
}
