import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { ownerMailboxes } from '#api/features/accounts/owner-queries.ts'
import { tellMember, withdrawNotice } from '#api/features/notices/notice-service.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { commitmentDayMail, commitmentWeekMail, type ListedOf } from '#api/mail/templates/commitment.ts'
import { addDays, londonInstant } from '#shared/rules/london.ts'
import { openOnDay } from './queries.ts'

type Day = { userId: string; day: string; texts: readonly string[] }

/** As the member has chosen in Profile. Call it in the transaction that notes it. */
export function tellOfDay(ctx: Context, { userId, day, texts }: Day): void {
  const member = ctx.db.select({ firstName: users.firstName }).from(users).where(eq(users.id, userId)).get()
  if (member === undefined) return
  const path = '/members/commitments'
  const mail = commitmentDayMail(member.firstName, { texts, url: `${ctx.settings.publicUrl}${path}` })
  const until = londonInstant(addDays(day, 1), '00:00')
  tellMember(ctx, { cause: dayCause({ userId, day }), userId, kind: 'commitment', path, mail, until })
}

/** Nothing is left to do that day, so it’s told to nobody who hasn’t heard of it yet. Call it in the transaction of the change. */
export function withdrawDay(ctx: Context, of: Pick<Day, 'userId' | 'day'>): void {
  if (openOnDay.get(ctx, of) === undefined) withdrawNotice(ctx, dayCause(of))
}

const dayCause = ({ userId, day }: Pick<Day, 'userId' | 'day'>) => `commitment-day:${userId}:${day}`

type Week = { monday: string; week: ListedOf; late: ListedOf }

const weekCause = (monday: string, to: string) => `commitment-week:${monday}:owner:${to}`

/** The owners who haven't had this week's mail. */
export function ownersWithoutWeek(ctx: Context, monday: string): string[] {
  const hasIt = (to: string) =>
    ctx.db
      .select({ id: mailOutbox.id })
      .from(mailOutbox)
      .where(eq(mailOutbox.cause, weekCause(monday, to)))
      .get() !== undefined
  return ownerMailboxes(ctx).filter((to) => !hasIt(to))
}

/** None if there's nothing in it. */
export function queueWeekMails(ctx: Context, owners: readonly string[], { monday, week, late }: Week): number {
  if (week.total + late.total === 0) return 0
  const message = commitmentWeekMail({ week, late, url: `${ctx.settings.publicUrl}/admin` })
  for (const to of owners)
    queueMessage(ctx, { cause: weekCause(monday, to), to, userId: null, isRepeatable: true }, message)
  return owners.length
}
