import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { mailingRecipients } from '#api/db/schema/outreach.ts'
import { findRecipient } from './audience-queries.ts'
import { queueMailing } from './mails.ts'
import { dueMailings, inOutbox, type MailingRow, mailingRow, nextRecipients, sendingMailings } from './queries.ts'
import { setStatus, startIfDue } from './service.ts'

const minuteMs = 60_000

/** Each person's mail and its record are one transaction, so a run can be interrupted anywhere. */
export async function queueMailings(ctx: Context): Promise<{ queued: number; leftOut: number; finished: number }> {
  const report = { queued: 0, leftOut: 0, finished: 0 }
  for (const { id } of dueMailings.all(ctx, { now: ctx.now().toISOString() })) transact(ctx, () => startIfDue(ctx, id))
  for (const { id } of sendingMailings.all(ctx)) {
    for (const { userId } of nextRecipients.all(ctx, { mailingId: id, limit: roomFor(ctx, id) })) {
      const outcome = transact(ctx, () => queueOne(ctx, id, userId))
      if (outcome !== null) report[outcome] += 1
      // Let requests run in between.
      await new Promise(setImmediate)
    }
    if (transact(ctx, () => finishIfDone(ctx, id))) report.finished += 1
  }
  return report
}

function roomFor(ctx: Context, id: string): number {
  const since = new Date(ctx.now().getTime() - minuteMs).toISOString()
  const { lately = 0, waiting = 0 } = inOutbox.get(ctx, { mailingId: id, since }) ?? {}
  const rate = mailingRow(ctx, id)?.perMinute ?? 0
  return Math.max(0, rate - Math.max(lately ?? 0, waiting ?? 0))
}

/** Null if it was paused in between, or the account and with it the recipient is gone. */
function queueOne(ctx: Context, id: string, userId: string): 'queued' | 'leftOut' | null {
  const row = mailingRow(ctx, id)
  const person = row && findRecipient(ctx, userId, row.purpose)
  if (row?.status !== 'sending' || person === undefined) return null
  const isLeftOut = person.leftOut !== null
  const queuedAt = ctx.now().toISOString()
  ctx.db
    .update(mailingRecipients)
    .set(isLeftOut ? { status: 'left_out', reason: person.leftOut } : { status: 'queued', queuedAt })
    .where(and(eq(mailingRecipients.mailingId, id), eq(mailingRecipients.userId, userId)))
    .run()
  if (isLeftOut) return 'leftOut'
  queueMailing(ctx, row, person)
  return 'queued'
}

function finishIfDone(ctx: Context, id: string): boolean {
  const row: MailingRow | undefined = mailingRow(ctx, id)
  if (row?.status !== 'sending' || nextRecipients.get(ctx, { mailingId: id, limit: 1 }) !== undefined) return false
  setStatus(ctx, row, { status: 'sent', finishedAt: ctx.now().toISOString() })
  return true
}
