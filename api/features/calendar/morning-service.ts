import { asc, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { callMornings } from '#api/db/schema/calendar.ts'
import { versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import type { CallMorning } from '#shared/contract/owner-calendar.ts'
import { londonClock, londonDay } from '#shared/rules/london.ts'
import { queueDayMail } from './mails.ts'
import { callsBetween } from './queries.ts'
import { assertCoach } from './slots-service.ts'

const allMornings = (ctx: Context) => ctx.db.select().from(callMornings).orderBy(asc(callMornings.coach)).all()

const toMorning = ({ coach, email, sendsAt, isOn, version }: CallMorning): CallMorning => ({
  coach,
  email,
  sendsAt,
  isOn,
  version,
})

export const listMornings = (ctx: Context): CallMorning[] => allMornings(ctx).map(toMorning)

/** Sets who gets a coach's day by mail, and when. If today's time has passed, it starts tomorrow. */
export function setMorning(ctx: Context, owner: Owner, { version, ...wanted }: CallMorning): CallMorning {
  assertCoach(ctx, wanted.coach)
  return transact(ctx, () => {
    const stored = allMornings(ctx).find(({ coach }) => coach === wanted.coach)
    const { email, sendsAt, isOn } = wanted
    if (stored?.email === email && stored.sendsAt === sendsAt && stored.isOn === isOn) return toMorning(stored)
    const current = stored ? toMorning(stored) : { ...wanted, version: 0 }
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    const now = ctx.billingNow()
    const lastDay = londonClock(now) >= sendsAt ? londonDay(now) : (stored?.lastDay ?? null)
    const morning = { ...wanted, version: version + 1 }
    upsert(ctx, callMornings, { ...morning, lastDay, updatedAt: ctx.now().toISOString() })
    audit(ctx, owner.actor, 'calendar.morning', { targetId: wanted.coach, detail: { email, sendsAt, isOn } })
    return morning
  })
}

/** Mails each coach the day's remaining calls, once a day from their set time, by the billing clock. None, no mail. */
export function mailMornings(ctx: Context): { mornings: number } {
  const now = ctx.billingNow()
  const [today, clock] = [londonDay(now), londonClock(now)]
  const due = allMornings(ctx).filter(
    ({ isOn, sendsAt, lastDay }) => isOn && sendsAt <= clock && (lastDay === null || lastDay < today),
  )
  let mornings = 0
  for (const { coach, email: to } of due) {
    const calls = callsBetween(ctx, { coach, from: today, to: today }).filter(
      ({ status, startsAt }) => status === 'scheduled' && Date.parse(startsAt) > now.getTime(),
    )
    transact(ctx, () => {
      ctx.db.update(callMornings).set({ lastDay: today }).where(eq(callMornings.coach, coach)).run()
      if (calls.length > 0) queueDayMail(ctx, { coach, to, day: today, calls })
    })
    if (calls.length > 0) mornings += 1
  }
  return { mornings }
}
