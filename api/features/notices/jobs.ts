import { and, eq, gt, inArray, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { askIfStale, isReplaced } from '#api/copies/replaced.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { generationLabel } from '#api/db/generation.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { notices, pushes } from '#api/db/schema/notices.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { breathe } from '#api/jobs/turns.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isQuiet } from '#shared/rules/quiet-hours.ts'
import { choiceOf } from './choice-service.ts'
import { confirmMs, sendNow } from './notice-service.ts'
import { type DuePush, dueMails, duePushes } from './queries.ts'
import { backOffOf, deliverPush, type PushOutcome } from './send-service.ts'
import { wakeNotices } from './wake-service.ts'

/** Limits a run so that it reports soon. If more is due, another run follows straight away. */
const pushesPerRun = 500
/** Push services take many at a time. */
const atOnce = 32

export type NoticeReport = Record<Exclude<PushOutcome, 'unasked'>, number> & { mailed: number }

type Run = { isClockSetBack: boolean; stopping: AbortSignal | undefined }

/** Sends the pushes that are due, then the emails that waited for one in vain. Nothing goes at night, even if it's late. */
export async function sendNotices(ctx: Context, { isClockSetBack, stopping }: Run): Promise<NoticeReport> {
  const report = { sent: 0, gone: 0, delayed: 0, failed: 0, expired: 0, mailed: 0 }
  endAfterRestore(ctx)
  // Only the first run after it's told so.
  if (isClockSetBack) repeatFromFuture(ctx)
  if (isQuiet(ctx.now())) return report
  const asking = askIfStale(ctx)
  if (asking !== undefined) await asking
  // The machine that took over tells them.
  if (isReplaced(ctx)) return report
  const taken = takeDue(ctx)
  await sendAll(ctx, taken, { report, stopping })
  report.mailed = mailUnconfirmed(ctx)
  if (taken.length === pushesPerRun) wakeNotices(ctx)
  return report
}

const generationKey = 'notices_generation'

/** A restored copy doesn't know what was told after it was made. What was older than a day by now isn't told again. */
function endAfterRestore(ctx: Context): void {
  const generation = generationLabel(ctx)
  const known = readSetting(ctx, generationKey)?.value
  if (known === generation) return
  transact(ctx, () => {
    if (known !== undefined) endOlderThan(ctx, new Date(ctx.now().getTime() - dayMs).toISOString())
    writeSetting(ctx, generationKey, generation)
  })
}

function endOlderThan(ctx: Context, before: string): void {
  const isOld = and(isNull(notices.endedAt), lt(notices.createdAt, before))
  const old = ctx.db.select({ id: notices.id }).from(notices).where(isOld)
  ctx.db
    .update(pushes)
    .set({ status: 'expired' })
    .where(and(isOneOf(pushes.status, 'waiting'), inArray(pushes.noticeId, old)))
    .run()
  ctx.db.update(notices).set({ endedAt: ctx.now().toISOString(), mail: null }).where(isOld).run()
}

/** What's due more than a day from now was written while the clock was wrong. An email waits for its push from now on. */
function repeatFromFuture(ctx: Context): void {
  const at = ctx.now().getTime()
  const [now, tooLate] = [new Date(at).toISOString(), new Date(at + dayMs).toISOString()]
  const mailAt = new Date(at + confirmMs).toISOString()
  ctx.db.update(notices).set({ mailAt }).where(sql`${notices.mailAt} > ${tooLate}`).run()
  ctx.db
    .update(pushes)
    .set({ nextAttemptAt: now })
    .where(and(isOneOf(pushes.status, 'waiting'), sql`${pushes.nextAttemptAt} > ${tooLate}`))
    .run()
}

const countAttempt = preparedQuery<{ noticeId: string; subscriptionId: string; nextAttemptAt: string }>()(
  (db, { noticeId, subscriptionId, nextAttemptAt }) =>
    db
      .update(pushes)
      .set({ attempts: sql`${pushes.attempts} + 1`, nextAttemptAt })
      .where(and(eq(pushes.noticeId, noticeId), eq(pushes.subscriptionId, subscriptionId))),
)

/** Counts the attempt before it's made, so that a killed server's is repeated only after a pause. */
function takeDue(ctx: Context): DuePush[] {
  return transact(ctx, () => {
    const taken = duePushes.all(ctx, { now: ctx.now().toISOString(), limit: pushesPerRun })
    postponeMails(
      ctx,
      taken.filter(({ attempts }) => attempts === 0).map(({ noticeId }) => noticeId),
    )
    for (const { noticeId, subscriptionId, attempts } of taken) {
      const nextAttemptAt = new Date(ctx.now().getTime() + backOffOf(attempts + 1)).toISOString()
      countAttempt.run(ctx, { noticeId, subscriptionId, nextAttemptAt })
    }
    return taken
  })
}

/** The server may have been off when they were due: an email waits its minutes from the first attempt. */
function postponeMails(ctx: Context, noticeIds: readonly string[]): void {
  const mailAt = new Date(ctx.now().getTime() + confirmMs).toISOString()
  for (const id of new Set(noticeIds)) postponeMail.run(ctx, { id, mailAt })
}

const postponeMail = preparedQuery<{ id: string; mailAt: string }>()((db, { id, mailAt }) => {
  const wasTried = db
    .select({ id: pushes.noticeId })
    .from(pushes)
    .where(and(eq(pushes.noticeId, notices.id), gt(pushes.attempts, 0)))
  return db
    .update(notices)
    .set({ mailAt })
    .where(
      and(
        eq(notices.id, id),
        isNull(notices.endedAt),
        isNotNull(notices.mailAt),
        lt(notices.mailAt, mailAt),
        notExists(wasTried),
      ),
    )
})

type Sending = { report: Record<Exclude<PushOutcome, 'unasked'>, number>; stopping: AbortSignal | undefined }

async function sendAll(ctx: Context, taken: readonly DuePush[], { report, stopping }: Sending): Promise<void> {
  const rest = taken.values()
  const nextTurn = oneEachRound()
  const sendNext = async () => {
    for (const push of rest) {
      await nextTurn()
      if (stopping?.aborted) return
      const wait = whenWritable(ctx, jobPatienceMs)
      if (wait !== undefined) await wait
      const outcome = await deliverPush(ctx, push)
      if (outcome !== 'unasked') report[outcome] += 1
    }
  }
  // A run that ended at the first failure would leave the others sending after it.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(atOnce, taken.length) }, sendNext))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** One begins each time the event loop goes round: encrypting a push takes a millisecond, and 32 in a row kept everyone waiting. */
function oneEachRound(): () => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    last = last.then(breathe)
    return last
  }
}

const mailsPerRun = 200

/** Emails whose push no worker has confirmed, and that nobody has opened. One key for both ways keeps it one. */
function mailUnconfirmed(ctx: Context): number {
  return transact(ctx, () => {
    const now = ctx.now().toISOString()
    const due = dueMails.all(ctx, { now, limit: mailsPerRun })
    let mailed = 0
    for (const { id, cause, userId, kind, mail, email } of due) {
      const goes = mail !== null && choiceOf(ctx, userId, kind).byMail !== false
      if (goes) {
        sendNow(ctx, { cause, userId, to: email, mail })
        mailed += 1
      }
      const isMailed = goes ? { mailedAt: now } : {}
      ctx.db
        .update(notices)
        .set({ endedAt: now, mail: null, ...isMailed })
        .where(eq(notices.id, id))
        .run()
    }
    if (due.length === mailsPerRun) wakeNotices(ctx)
    return mailed
  })
}

/** Longer than anything is told of again: a failed payment is looked at for 60 days. */
const keptMs = 90 * dayMs

/** Deletes notices that nobody will hear of any more, with their pushes. Returns how many. */
export function deleteOldNotices(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - keptMs).toISOString()
  return ctx.db.delete(notices).where(lt(notices.createdAt, before)).run().changes
}
