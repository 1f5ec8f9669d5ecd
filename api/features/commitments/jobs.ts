import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { restoredAt } from '#api/db/generation.ts'
import { transact } from '#api/db/open.ts'
import { commitments } from '#api/db/schema/commitments.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { londonClock, londonDay, londonInstant, weekdayOf } from '#shared/rules/london.ts'
import { ownersWithoutWeek, queueWeekMails, tellOfDay } from './mails.ts'
import { openCommitments, openOfDay } from './queries.ts'

/** Before that no one is told anything. */
const earliest = '07:00'

/**
 * Reminds members, once, of what they said they'd do today. Who set the day today, or accepted it today, needs no reminder. By the billing clock, like the
 * reminders of calls.
 */
export async function remindOfCommitments(ctx: Context): Promise<{ reminders: number }> {
  const now = ctx.billingNow()
  const today = londonDay(now)
  if (londonClock(now) < earliest || isAlreadyTold(ctx)) return { reminders: 0 }
  const midnight = londonInstant(today, '00:00').toISOString()
  const due = Map.groupBy(
    openOfDay
      .all(ctx, { day: today })
      .filter((row) => row.remindedFor !== today && row.dayAt < midnight && row.stateAt < midnight),
    ({ userId }) => userId,
  )
  let reminders = 0
  for (const [userId, rows] of due) {
    const hasAccess = accessOfUser(ctx, userId).hasAccess
    transact(ctx, () => {
      for (const { id } of rows)
        ctx.db.update(commitments).set({ remindedFor: today }).where(eq(commitments.id, id)).run()
      if (hasAccess) tellOfDay(ctx, { userId, day: today, texts: rows.map(({ text }) => text) })
    })
    if (hasAccess) reminders += 1
    // Let requests run in between.
    await new Promise(setImmediate)
  }
  return { reminders }
}

/** More than two coaches go through in a week. The mail says how many it leaves out. */
const mostListed = 200

/** Mails owners each Monday what members of tiers with weekly accountability have said they'd do that week, and what's late. */
export function mailCommitmentWeek(ctx: Context): { mails: number } {
  const now = ctx.billingNow()
  const monday = londonDay(now)
  if (weekdayOf(monday) !== 0 || londonClock(now) < earliest || isAlreadyTold(ctx)) return { mails: 0 }
  const owners = ownersWithoutWeek(ctx, monday)
  if (owners.length === 0) return { mails: 0 }
  const dueBy = (due: 'week' | 'late') => {
    const { rows, total } = openCommitments(ctx, { due, limit: mostListed })
    return { rows, total: total() }
  }
  const told = { monday, week: dueBy('week'), late: dueBy('late') }
  return { mails: transact(ctx, () => queueWeekMails(ctx, owners, told)) }
}

/**
 * This copy came out of a backup since today's mails went. What was sent before isn't in it, so that nobody is told twice we tell
 * nobody until tomorrow.
 */
function isAlreadyTold(ctx: Context): boolean {
  return (restoredAt(ctx) ?? '') >= londonInstant(londonDay(ctx.now()), earliest).toISOString()
}
