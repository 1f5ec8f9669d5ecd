import { and, asc, eq, gt, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { greatest, isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { letsLinksWait } from './outage.ts'
import { mayTake } from './sender-refusals.ts'
import { idsUnderWay } from './under-way.ts'

/** An older attempt was cut off. It's repeated with the same Message-ID. */
const attemptMs = 60 * 1000

/** Matches the partial index `mail_outbox_due`. */
const isWaiting = isOneOf(mailOutbox.status, 'waiting', 'sending')

const isUntried = isNull(mailOutbox.lastError)

/** `underWay`: a JSON array of emails this process is sending. */
type Attempt = { now: string; attemptEnds: string; underWay: string }
type Parameters = { [Name in keyof Attempt]: SQL<string> }

const isListed = (ids: SQL) => sql`${mailOutbox.id} in (select value from json_each(${ids}))`

const isDue = ({ now, underWay }: Parameters) =>
  and(isWaiting, lte(mailOutbox.nextAttemptAt, now), not(isListed(underWay)))

const begun = ({ attemptEnds }: Parameters) => ({
  status: 'sending' as const,
  attempts: sql`${mailOutbox.attempts} + 1`,
  nextAttemptAt: attemptEnds,
})

const takeDue = (isRepeatable: boolean, also?: SQL) =>
  preparedQuery<Attempt>()((db, parameters) =>
    db
      .update(mailOutbox)
      .set(begun(parameters))
      .where(
        eq(
          mailOutbox.id,
          db
            .select({ id: mailOutbox.id })
            .from(mailOutbox)
            .where(and(isDue(parameters), eq(mailOutbox.isRepeatable, isRepeatable), also))
            .orderBy(asc(mailOutbox.nextAttemptAt), asc(mailOutbox.id))
            .limit(1),
        ),
      )
      .returning(),
  )

const takeLink = takeDue(false)
const takeOther = takeDue(true)
const takeUntriedLink = takeDue(false, isUntried)
const takeUntriedOther = takeDue(true, isUntried)

/** While the server refuses us: to someone who hasn’t been tried, or else whose last try was longest ago. */
const takeToAnother = preparedQuery<Attempt>()((db, parameters) => {
  const tried = db
    .select({ to: mailOutbox.to, at: greatest(mailOutbox.senderRefusedAt).as('at') })
    .from(mailOutbox)
    .where(and(isWaiting, isNotNull(mailOutbox.senderRefusedAt)))
    .groupBy(mailOutbox.to)
    .as('tried')
  const next = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .leftJoin(tried, eq(tried.to, mailOutbox.to))
    .where(isDue(parameters))
    .orderBy(asc(tried.at), asc(mailOutbox.isRepeatable), asc(mailOutbox.nextAttemptAt), asc(mailOutbox.id))
    .limit(1)
  return db.update(mailOutbox).set(begun(parameters)).where(eq(mailOutbox.id, next)).returning()
})

const takeByCause = preparedQuery<Attempt & { cause: string }>()((db, parameters) =>
  db
    .update(mailOutbox)
    .set(begun(parameters))
    .where(and(isDue(parameters), eq(mailOutbox.cause, parameters.cause)))
    .returning(),
)

export const takeOfCause = (ctx: Context, cause: string): TakenMail | undefined =>
  takeByCause.get(ctx, { ...attemptAt(ctx), cause })

const renewUnderWay = preparedQuery<Attempt>()((db, { now, attemptEnds, underWay }) =>
  db
    .update(mailOutbox)
    .set({ nextAttemptAt: attemptEnds })
    .where(and(isListed(underWay), isOneOf(mailOutbox.status, 'sending'), lte(mailOutbox.nextAttemptAt, now))),
)

export const repeatCutOff = preparedQuery<{ now: string }>()((db, { now }) =>
  db.update(mailOutbox).set({ nextAttemptAt: now }).where(isOneOf(mailOutbox.status, 'sending')),
)

export const repeatFromFuture = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .update(mailOutbox)
    .set({ nextAttemptAt: now })
    .where(and(isWaiting, gt(mailOutbox.nextAttemptAt, now))),
)

export type TakenMail = NonNullable<ReturnType<typeof takeLink.get>>

type Take = typeof takeLink

const linksFirst = (ctx: Context, takes: Take[]): Take[] => (letsLinksWait(ctx) ? takes.toReversed() : takes)

/**
 * One statement per kind, so two senders never take the same email. Emails this process is already sending are skipped. If the
 * clock has passed their attempt's end, we extend it, so that no other program takes them for cut off. `isUntriedFirst`: prefers
 * those that haven't failed. `isLink`: only one-time links. While the server refuses us, one email may go now and then.
 */
export function takeNext(
  ctx: Context,
  { isUntriedFirst, isLink }: { isUntriedFirst: boolean; isLink: boolean },
): TakenMail | undefined {
  const due = attemptAt(ctx)
  renewUnderWay.run(ctx, due)
  if (mayTake(ctx) === 'one') return takeToAnother.get(ctx, due)
  const kinds = (takes: Take[]) => (isLink ? takes.slice(0, 1) : linksFirst(ctx, takes))
  const untried = isUntriedFirst ? kinds([takeUntriedLink, takeUntriedOther]) : []
  for (const take of [...untried, ...kinds([takeLink, takeOther])]) {
    const mail = take.get(ctx, due)
    if (mail !== undefined) return mail
  }
  return undefined
}

const renewAttempt = preparedQuery<{ id: string; attempts: number; attemptEnds: string }>()(
  (db, { id, attempts, attemptEnds }) =>
    db
      .update(mailOutbox)
      .set({ nextAttemptAt: attemptEnds })
      .where(and(eq(mailOutbox.id, id), eq(mailOutbox.attempts, attempts), eq(mailOutbox.status, 'sending'))),
)

/** Whether another sender took the email over. Otherwise restarts the attempt, to give the hand-over its full time. */
export const isTakenAgain = (ctx: Context, { id, attempts }: TakenMail): boolean =>
  renewAttempt.run(ctx, { id, attempts, attemptEnds: attemptAt(ctx).attemptEnds }).changes === 0

function attemptAt(ctx: Context): Attempt {
  const at = ctx.now()
  const attemptEnds = new Date(at.getTime() + attemptMs).toISOString()
  return { now: at.toISOString(), attemptEnds, underWay: idsUnderWay(ctx) }
}
