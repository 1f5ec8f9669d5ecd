import { and, asc, gt, gte, inArray, isNull, lt, ne, or } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { isMailWanted } from '#api/mail/choices.ts'
import { findSuppressed } from '#api/mail/outbox-queries.ts'
import { requeueMail } from '#api/mail/retry.ts'
import type { ResendPlan, ResendRequest } from '#shared/contract/mail.ts'
import { usualPerMinute } from '#shared/contract/mailing.ts'

/** What `resendAll` would queue. Leaves out expired links, and emails resent since, so that a repeat sends none twice. */
function listResendable(ctx: Context, since: string) {
  const { status, text, nextAttemptAt, resentAt, lapsesAt } = mailOutbox
  const rows = ctx.db
    .select({ id: mailOutbox.id, to: mailOutbox.to, userId: mailOutbox.userId, purpose: mailOutbox.purpose })
    .from(mailOutbox)
    .where(
      and(
        inArray(status, ['refused', 'failed']),
        ne(text, ''),
        // That's when we gave up.
        gte(nextAttemptAt, since),
        or(isNull(resentAt), lt(resentAt, since)),
        or(isNull(lapsesAt), gt(lapsesAt, ctx.now().toISOString())),
      ),
    )
    .orderBy(asc(mailOutbox.id))
    .all()
  const open = rows.filter(({ to }) => findSuppressed.get(ctx, { email: to.toLowerCase() }) === undefined)
  const wanted = open.filter(
    ({ userId, purpose }) => userId === null || purpose === null || isMailWanted(ctx, { userId, purpose }),
  )
  return { ids: wanted.map(({ id }) => id), blocked: rows.length - open.length, unwanted: open.length - wanted.length }
}

export function planResend(ctx: Context, since: string): ResendPlan {
  const { ids, blocked, unwanted } = listResendable(ctx, since)
  return { since, emails: ids.length, minutes: Math.ceil(ids.length / usualPerMinute), blocked, unwanted }
}

/** Queues what was refused or failed since then, at a campaign's pace. Refused unless it's still as many as planned. */
export function resendAll(ctx: Context, owner: Owner, { since, emails }: ResendRequest): ResendPlan {
  return transact(ctx, () => {
    const plan = planResend(ctx, since)
    if (plan.emails !== emails)
      throw new AppError('conflict', `The list has changed: we’d send ${plan.emails} now. Check it and try again.`)
    for (const [at, id] of listResendable(ctx, since).ids.entries())
      requeueMail(ctx, id, Math.floor((at * 60_000) / usualPerMinute))
    audit(ctx, owner.actor, 'mail.resent', { detail: { since, emails } })
    return plan
  })
}
