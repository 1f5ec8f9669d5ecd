import { and, asc, inArray, lte } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { transact } from '#api/db/open.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { users } from '#api/db/schema/people.ts'
import { reactivateUrl } from '#api/features/billing-mails/mails.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { freeAccessEndedMail } from '#api/mail/templates/subscription.ts'
import { londonDay } from '#shared/rules/london.ts'
import { setOverride } from './access-service.ts'

/** Ends free access whose last day is over, so that the account shows it. Tells people left without access how to continue. */
export function endFreeAccesses(ctx: Context): { ended: number; mails: number } {
  const ended = listOver(ctx)
  const mails = ended.filter((access) => transact(ctx, () => endFreeAccess(ctx, access)))
  return { ended: ended.length, mails: mails.length }
}

const listOver = ({ db, billingNow }: Context) =>
  db
    .select({ id: users.id, email: users.email, firstName: users.firstName, end: users.accessUntil })
    .from(users)
    .where(and(isOneOf(users.accessOverride, 'granted'), lte(users.accessUntil, billingNow().toISOString())))
    .orderBy(asc(users.id))
    .all()

/**
 * Moved in, and not written to yet: no one's emailed unless an owner asks. Nor is someone who still pays at Stripe, where they were
 * left: they'd be asked to pay twice.
 */
function isStranger({ db }: Context, id: string): boolean {
  const paysElsewhere = [`free-access:${id}`, `free-account:${id}`]
  const rows = db
    .select({ madeId: importRows.madeId, letters: importRows.letters })
    .from(importRows)
    .where(inArray(importRows.madeId, [id, ...paysElsewhere]))
    .all()
  return rows.some(({ madeId, letters }) => madeId !== id || letters === 0)
}

/** Returns whether it queued a mail. */
function endFreeAccess(ctx: Context, { id, email, firstName, end }: ReturnType<typeof listOver>[number]): boolean {
  setOverride(ctx, id, { override: null, until: null })
  audit(ctx, 'system', 'member.free_access_ended', { targetId: id })
  if (end === null || accessOfUser(ctx, id).hasAccess || isStranger(ctx, id)) return false
  // It ends when a day starts.
  const lastDay = londonDay(new Date(Date.parse(end) - 1))
  const message = freeAccessEndedMail({ firstName, lastDay, returnUrl: reactivateUrl(ctx) })
  queueMessage(ctx, { cause: `free-access-ended:${id}:${lastDay}`, to: email, userId: id, isRepeatable: true }, message)
  return true
}
