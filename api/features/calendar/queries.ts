import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { countWhere, type HasDb, preparedQuery } from '#api/db/query.ts'
import { callAllowances, callDays, callHours, callRules } from '#api/db/schema/calendar.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { contentOf } from '#api/site/content.ts'
import type { AdminCallQuery, CallHours, CallRules } from '#shared/contract/calendar.ts'
import { type CallKind, callKinds, memberCallKinds } from '#shared/contract/call-kind.ts'
import { addDays, londonInstant, nextMonth, startOfMonth } from '#shared/rules/london.ts'

export type Booking = typeof coachingBookings.$inferSelect
/** A booking with a time in our calendar. The database ensures that these are set together. */
export type Call = Booking & { kind: CallKind; coach: string; startsAt: string; endsAt: string }

export const isCall = (row: Booking | undefined): row is Call => row?.kind !== null && row !== undefined

const defaultRules: Record<CallKind, Omit<CallRules, 'kind' | 'version'>> = {
  coaching: { minutes: 30, everyMinutes: 30, leadMinutes: 12 * 60, bufferMinutes: 0, horizonDays: 42 },
  'catch-up': { minutes: 15, everyMinutes: 15, leadMinutes: 4 * 60, bufferMinutes: 0, horizonDays: 42 },
  consultation: { minutes: 30, everyMinutes: 30, leadMinutes: 4 * 60, bufferMinutes: 0, horizonDays: 28 },
  sales: { minutes: 15, everyMinutes: 15, leadMinutes: 4 * 60, bufferMinutes: 0, horizonDays: 28 },
}

export function listRules(ctx: Context): CallRules[] {
  const stored = new Map(
    ctx.db
      .select()
      .from(callRules)
      .all()
      .map((row) => [row.kind, row]),
  )
  return callKinds.map((kind) => ({ ...defaultRules[kind], version: 0, ...stored.get(kind), kind }))
}

export const listHours = (ctx: HasDb) => listSetHours(ctx).filter(({ windows }) => windows.length > 0)

/** Every weekday ever set, including ones with no times left. */
export const listSetHours = ({ db }: HasDb) => db.select().from(callHours).orderBy(asc(callHours.coach)).all()

type DayOfHours = Omit<CallHours, 'windows' | 'version'>

export const ofDay = ({ coach, kind, weekday }: DayOfHours) =>
  and(eq(callHours.coach, coach), eq(callHours.kind, kind), eq(callHours.weekday, weekday))

export const findHours = (ctx: Context, day: DayOfHours) => ctx.db.select().from(callHours).where(ofDay(day)).get()

/** Exceptions that last until this day or later. */
export const listDaysFrom = (ctx: Context, day: string) =>
  ctx.db
    .select()
    .from(callDays)
    .where(gte(callDays.lastDay, day))
    .orderBy(asc(callDays.firstDay), asc(callDays.id))
    .all()

export const coachesOf = (ctx: Context) => contentOf(ctx).read().site.coaches

/** Coaches' current names, or a former coach's id. Reads once, for lists. */
export function coachNames(ctx: Context): (id: string) => string {
  const coaches = coachesOf(ctx)
  return (id) => coaches.find((coach) => coach.id === id)?.name ?? id
}

export const coachName = (ctx: Context, id: string): string => coachNames(ctx)(id)

const isHeldOrBooked = (now: Date) =>
  and(
    isOneOf(coachingBookings.status, 'scheduled'),
    or(isNull(coachingBookings.heldUntil), gt(coachingBookings.heldUntil, now.toISOString())),
  )

/** What blocks a coach's time in the period. A hold counts until it expires. */
export const busyBetween = (
  ctx: Context,
  { from, to, except }: { from: Date; to: Date; except?: string | undefined },
) =>
  ctx.db
    .select({
      coach: coachingBookings.coach,
      kind: coachingBookings.kind,
      startsAt: coachingBookings.startsAt,
      endsAt: coachingBookings.endsAt,
    })
    .from(coachingBookings)
    .where(
      and(
        isHeldOrBooked(ctx.now()),
        gt(coachingBookings.endsAt, from.toISOString()),
        lt(coachingBookings.startsAt, to.toISOString()),
        except === undefined ? undefined : ne(coachingBookings.id, except),
      ),
    )
    .all()

/** Returns how many. */
export const deleteExpiredHolds = (ctx: Context): number =>
  ctx.db.delete(coachingBookings).where(lte(coachingBookings.heldUntil, ctx.now().toISOString())).run().changes

const bookingById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(coachingBookings).where(eq(coachingBookings.id, id)),
)

export function findCall(ctx: Context, id: string): Call | undefined {
  const row = bookingById.get(ctx, { id })
  return isCall(row) ? row : undefined
}

/** The end of a reminder's cause. Moving or cancelling the call changes it. */
export const reminderOf = ({ moves }: Call): string => `reminder:${moves}`

/** Why a reminder is obsolete, or null. A call begins by the billing clock, like the times on offer. */
export function lapseOfReminder(ctx: Context, { id, cause }: { id: string; cause: string }): string | null {
  const call = findCall(ctx, id)
  const isAsTold = call?.status === 'scheduled' && cause.endsWith(`:${reminderOf(call)}`)
  if (!isAsTold) return 'The call has moved since this email.'
  return call.startsAt <= ctx.billingNow().toISOString() ? 'The call has started.' : null
}

/** A visitor's open calls: held from the network address, or held or booked for the email address. */
export function countOpenCalls(ctx: Context, { email, heldFrom }: { email: string; heldFrom: string }) {
  const open = ctx.db
    .select({ email: coachingBookings.email, heldFrom: coachingBookings.heldFrom })
    .from(coachingBookings)
    .where(
      and(
        isHeldOrBooked(ctx.now()),
        inArray(coachingBookings.kind, ['consultation', 'sales']),
        gt(coachingBookings.startsAt, ctx.billingNow().toISOString()),
        or(eq(coachingBookings.email, email), isNotNull(coachingBookings.heldFrom)),
      ),
    )
    .all()
  const network = heldFrom.split('.')[0]
  return {
    ofEmail: open.filter((row) => row.email === email).length,
    ofAddress: open.filter((row) => row.heldFrom === heldFrom).length,
    ofNetwork: open.filter((row) => row.heldFrom?.split('.')[0] === network).length,
  }
}

const callsOfTier = preparedQuery<{ slug: string }>()((db, { slug }) =>
  db.select({ calls: membershipTiers.callsPerMonth }).from(membershipTiers).where(eq(membershipTiers.slug, slug)),
)

/** A tier decides about coaching calls alone. */
function callsPerMonthOf(ctx: Context, userId: string, kind: CallKind): number {
  const { tier } = accessOfUser(ctx, userId)
  return kind === 'coaching' && tier !== null ? (callsOfTier.get(ctx, { slug: tier })?.calls ?? 1) : 1
}

/** A member's calls of a kind in a month in London, without cancelled ones, and how many they may have. */
export function monthOfCalls(
  ctx: Context,
  { userId, kind, month, except }: { userId: string; kind: CallKind; month: string; except?: string | undefined },
): { used: number; allowed: number } {
  const [from, to] = [startOfMonth(month), startOfMonth(nextMonth(month))].map((at) => at.toISOString())
  const used = countWhere(
    ctx,
    coachingBookings,
    and(
      eq(coachingBookings.userId, userId),
      eq(coachingBookings.kind, kind),
      ne(coachingBookings.status, 'cancelled'),
      gte(coachingBookings.startsAt, from ?? ''),
      lt(coachingBookings.startsAt, to ?? ''),
      except === undefined ? undefined : ne(coachingBookings.id, except),
    ),
  )
  const more = countWhere(
    ctx,
    callAllowances,
    and(eq(callAllowances.userId, userId), eq(callAllowances.kind, kind), eq(callAllowances.month, month)),
  )
  return { used, allowed: callsPerMonthOf(ctx, userId, kind) + more }
}

export const callsToCome = (ctx: Context, userId: string, kind: CallKind): Call[] =>
  ctx.db
    .select()
    .from(coachingBookings)
    .where(
      and(
        eq(coachingBookings.userId, userId),
        eq(coachingBookings.kind, kind),
        isOneOf(coachingBookings.status, 'scheduled'),
        gt(coachingBookings.startsAt, ctx.billingNow().toISOString()),
      ),
    )
    .orderBy(asc(coachingBookings.startsAt))
    .all()
    .filter(isCall)

const latestCalls = 50

/** The member's latest calls, past and future, latest first. */
export const callsOfMember = (ctx: Context, userId: string): Call[] =>
  ctx.db
    .select()
    .from(coachingBookings)
    .where(
      and(
        eq(coachingBookings.userId, userId),
        inArray(coachingBookings.kind, [...memberCallKinds]),
        inArray(coachingBookings.status, ['scheduled', 'completed']),
        isNull(coachingBookings.heldUntil),
      ),
    )
    .orderBy(desc(coachingBookings.startsAt), desc(coachingBookings.id))
    .limit(latestCalls)
    .all()
    .filter(isCall)

export function callsBetween(ctx: Context, { coach, from, to }: AdminCallQuery): Call[] {
  return ctx.db
    .select()
    .from(coachingBookings)
    .where(
      and(
        isNotNull(coachingBookings.kind),
        isNull(coachingBookings.heldUntil),
        ne(coachingBookings.status, 'cancelled'),
        coach === undefined ? undefined : eq(coachingBookings.coach, coach),
        from === undefined ? undefined : gte(coachingBookings.startsAt, londonInstant(from, '00:00').toISOString()),
        to === undefined
          ? undefined
          : lt(coachingBookings.startsAt, londonInstant(addDays(to, 1), '00:00').toISOString()),
      ),
    )
    .orderBy(asc(coachingBookings.startsAt), asc(coachingBookings.id))
    .limit(1_000)
    .all()
    .filter(isCall)
}

export const callsToRemind = (ctx: Context, until: Date): Call[] =>
  ctx.db
    .select()
    .from(coachingBookings)
    .where(
      and(
        isOneOf(coachingBookings.status, 'scheduled'),
        isNull(coachingBookings.heldUntil),
        sql`not ${coachingBookings.reminderSent}`,
        gt(coachingBookings.startsAt, ctx.billingNow().toISOString()),
        lte(coachingBookings.startsAt, until.toISOString()),
      ),
    )
    .limit(200)
    .all()
    .filter(isCall)
