import { and, asc, eq, gt, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { letsLinksWait } from './outage.ts'
import { idsUnderWay } from './under-way.ts'

/** An attempt that is older than this was cut off, and is repeated under the same Message-ID. */
const attemptMs = 60 * 1000

/** As the partial index `mail_outbox_due` has it. */
const isWaiting = isOneOf(mailOutbox.status, 'waiting', 'sending')

/** At which the server has not failed before. */
const isUntried = isNull(mailOutbox.lastError)

/** `underWay`: as JSON, what this process is handing over. */
type Attempt = { now: string; attemptEnds: string; underWay: string }
type Parameters = { [Name in keyof Attempt]: SQL<string> }

const isListed = (ids: SQL) => sql`${mailOutbox.id} in (select value from json_each(${ids}))`

/** Whether no attempt goes on, here or, as far as the clock tells, in another program. */
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
 * One statement for each kind, so that two senders never take the same mail. What is being handed over here is not taken, but
 * its attempt renewed where the clock has passed its end, so that no other program holds it to be cut off. `isUntriedFirst`:
 * whatever is due before it. `isLink`: nothing else.
 */
export function takeNext(
  ctx: Context,
  { isUntriedFirst, isLink }: { isUntriedFirst: boolean; isLink: boolean },
): TakenMail | undefined {
  const due = attemptAt(ctx)
  renewUnderWay.run(ctx, due)
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

/** Whether the attempt counted as cut off, and another has begun; else it begins anew, so that the hand-over has all of its time. */
export const isTakenAgain = (ctx: Context, { id, attempts }: TakenMail): boolean =>
  renewAttempt.run(ctx, { id, attempts, attemptEnds: attemptAt(ctx).attemptEnds }).changes === 0

function attemptAt(ctx: Context): Attempt {
  const at = ctx.now()
  const attemptEnds = new Date(at.getTime() + attemptMs).toISOString()
  return { now: at.toISOString(), attemptEnds, underWay: idsUnderWay(ctx) }
}
