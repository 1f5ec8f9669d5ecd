import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { letsLinksWait } from './outage.ts'

/** An attempt that is older than this was cut off, and is repeated under the same Message-ID. */
const attemptMs = 60 * 1000

/** As the partial index `mail_outbox_due` has it. */
const isWaiting = isOneOf(mailOutbox.status, 'waiting', 'sending')

const underWay = (attemptEnds: SQL<string>) => ({
  status: 'sending' as const,
  attempts: sql`${mailOutbox.attempts} + 1`,
  nextAttemptAt: attemptEnds,
})

/** At which the server has not failed before. */
const isUntried = isNull(mailOutbox.lastError)

const takeDue = (isRepeatable: boolean, also?: SQL) =>
  preparedQuery<{ now: string; attemptEnds: string }>()((db, { now, attemptEnds }) =>
    db
      .update(mailOutbox)
      .set(underWay(attemptEnds))
      .where(
        eq(
          mailOutbox.id,
          db
            .select({ id: mailOutbox.id })
            .from(mailOutbox)
            .where(and(isWaiting, eq(mailOutbox.isRepeatable, isRepeatable), lte(mailOutbox.nextAttemptAt, now), also))
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

export const takeOfCause = preparedQuery<{ cause: string; now: string; attemptEnds: string }>()(
  (db, { cause, now, attemptEnds }) =>
    db
      .update(mailOutbox)
      .set(underWay(attemptEnds))
      .where(and(isWaiting, eq(mailOutbox.cause, cause), lte(mailOutbox.nextAttemptAt, now)))
      .returning(),
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
 * One statement for each kind, so that two senders never take the same mail. `isUntriedFirst`: whatever is due before it.
 * `isLink`: nothing else.
 */
export function takeNext(
  ctx: Context,
  { isUntriedFirst, isLink }: { isUntriedFirst: boolean; isLink: boolean },
): TakenMail | undefined {
  const due = attemptAt(ctx)
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

export const attemptAt = ({ now }: Context) => {
  const at = now()
  return { now: at.toISOString(), attemptEnds: new Date(at.getTime() + attemptMs).toISOString() }
}
