import { and, eq, getTableColumns, gte, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { firstOf, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere } from '#api/db/query.ts'
import { coachingApplications, coachingBookings, membershipApplications } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import { toAgreement } from '#api/features/calendar/member-calls-service.ts'
import { coachNames } from '#api/features/calendar/queries.ts'
import { hasAccessAt, joinedMembership } from '#api/identity/access-queries.ts'
import { contentOf } from '#api/site/content.ts'
import { isMemberCall } from '#shared/contract/call-kind.ts'
import type {
  AdminApplication,
  AdminApplicationQuery,
  AdminBooking,
  AdminBookingQuery,
  AdminCoachingApplication,
  AdminCoachingApplicationQuery,
  UpcomingBookingQuery,
} from '#shared/contract/inbox-entries.ts'
import { londonDay } from '#shared/rules/london.ts'
import { tradeNamesOf } from '#shared/rules/trade-names.ts'

export type Limited<Query> = Query & { limit: number }

/** The list filter's condition. Spam appears only if asked for. */
export function shownOf(
  { isSpam, status }: { isSpam: SQLWrapper; status?: SQLWrapper },
  show: string | undefined,
): SQL {
  if (show === 'spam') return sql`${isSpam} = 1`
  if (show === undefined || status === undefined) return sql`${isSpam} = 0`
  return sql`(${isSpam} = 0 and ${status} = ${show})`
}

const { agreeTerms: _agreed, earlier: _earlier, ...applicationColumns } = getTableColumns(membershipApplications)

/** The account that has access by now; null if there's none. */
const memberAt = (billingNow: Date) => sql`(select ${users.id} from ${users} ${joinedMembership}
  where ${and(eq(users.email, membershipApplications.email), hasAccessAt(billingNow))})`

const applicationFieldsAt = (billingNow: Date) => ({
  ...applicationColumns,
  memberId: nullable(users.id, memberAt(billingNow)),
})

const applicationListing: Listing<'received' | 'name' | 'status'> = {
  id: membershipApplications.id,
  sorts: {
    received: membershipApplications.createdAt,
    name: sql`fold(concat_ws(' ', ${membershipApplications.lastName}, ${membershipApplications.firstName}))`,
    status: membershipApplications.status,
  },
  defaultSort: '-received',
  search: [
    membershipApplications.firstName,
    membershipApplications.lastName,
    membershipApplications.email,
    membershipApplications.phone,
    membershipApplications.businessName,
    membershipApplications.trade,
  ],
}

type ApplicationRequest = Limited<AdminApplicationQuery> & {
  /** Leaves out those who've joined without an owner's word. */
  isToDecide?: true
}

export function listApplications(ctx: Context, request: ApplicationRequest): ListPage<AdminApplication> {
  const shown = and(
    request.show && eq(membershipApplications.status, request.show),
    request.isToDecide && sql`${memberAt(ctx.billingNow())} is null`,
  )
  return readPage<'received' | 'name' | 'status', AdminApplication>(applicationListing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...applicationFieldsAt(ctx.billingNow()), position })
        .from(membershipApplications)
        .where(and(shown, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countWhere(ctx, membershipApplications, and(shown, ...where)),
  })
}

const { isSpam: _, ...coachingFields } = getTableColumns(coachingApplications)

const coachingListing: Listing<'received' | 'name' | 'status'> = {
  id: coachingApplications.id,
  sorts: {
    received: coachingApplications.createdAt,
    name: sql`fold(${coachingApplications.name})`,
    status: coachingApplications.status,
  },
  defaultSort: '-received',
  search: [
    coachingApplications.name,
    coachingApplications.email,
    coachingApplications.phone,
    coachingApplications.businessName,
    coachingApplications.trade,
  ],
}

export function listCoachingApplications(
  ctx: Context,
  request: Limited<AdminCoachingApplicationQuery>,
): ListPage<AdminCoachingApplication> {
  const shown = shownOf(coachingApplications, request.show)
  const { coaching } = tradeNamesOf(contentOf(ctx).read())
  return readPage<'received' | 'name' | 'status', AdminCoachingApplication>(coachingListing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...coachingFields, position })
        .from(coachingApplications)
        .where(and(shown, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all()
        .map((row) => ({ ...row, tradeName: coaching[row.trade] })),
    total: (where) => countWhere(ctx, coachingApplications, and(shown, ...where)),
  })
}

const bookingFields = {
  id: coachingBookings.id,
  memberId: nullable(
    users.id,
    sql`(select ${users.id} from ${users} where ${eq(users.email, coachingBookings.email)})`,
  ),
  name: coachingBookings.name,
  email: coachingBookings.email,
  phone: coachingBookings.phone,
  businessName: coachingBookings.businessName,
  trade: coachingBookings.trade,
  bookingDate: coachingBookings.bookingDate,
  timeZone: coachingBookings.timeZone,
  duration: coachingBookings.duration,
  status: coachingBookings.status,
  notes: coachingBookings.notes,
  kind: coachingBookings.kind,
  coach: coachingBookings.coach,
  startsAt: coachingBookings.startsAt,
  agreed: coachingBookings.agreed,
  agreedBy: coachingBookings.agreedBy,
  agreedAt: coachingBookings.agreedAt,
  agreedVersion: coachingBookings.agreedVersion,
  createdAt: coachingBookings.createdAt,
}

const bookingListing: Listing<'date' | 'received' | 'name' | 'status'> = {
  id: coachingBookings.id,
  sorts: {
    date: firstOf(coachingBookings.startsAt, coachingBookings.bookingDate),
    received: coachingBookings.createdAt,
    name: sql`fold(${coachingBookings.name})`,
    status: coachingBookings.status,
  },
  defaultSort: '-date',
  search: [
    coachingBookings.name,
    coachingBookings.email,
    coachingBookings.phone,
    coachingBookings.businessName,
    coachingBookings.trade,
  ],
}

export const listBookings = (ctx: Context, request: Limited<AdminBookingQuery>) =>
  readBookings(
    ctx,
    request,
    and(
      shownOf(coachingBookings, request.show),
      request.email === undefined ? undefined : eq(coachingBookings.email, request.email),
    ),
  )

/** Upcoming calls, from today in London, soonest first. */
export const listUpcomingBookings = (ctx: Context, request: Limited<UpcomingBookingQuery>) =>
  readBookings(
    ctx,
    { ...request, sort: request.sort ?? 'date' },
    and(shownOf(coachingBookings, 'scheduled'), gte(coachingBookings.bookingDate, londonDay(ctx.now()))),
  )

/** A held time isn't a booking yet. */
function readBookings(
  ctx: Context,
  request: Limited<AdminBookingQuery>,
  wanted: SQL | undefined,
): ListPage<AdminBooking> {
  const shown = and(isNull(coachingBookings.heldUntil), wanted)
  const nameOf = coachNames(ctx)
  const { booking } = tradeNamesOf(contentOf(ctx).read())
  return readPage<'date' | 'received' | 'name' | 'status', AdminBooking>(bookingListing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...bookingFields, position })
        .from(coachingBookings)
        .where(and(shown, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all()
        .map(({ coach, agreed, agreedBy, agreedAt, agreedVersion, ...row }) => ({
          ...row,
          tradeName: row.trade && (booking[row.trade] ?? row.trade),
          coachName: coach && nameOf(coach),
          agreement:
            row.kind !== null && isMemberCall(row.kind)
              ? toAgreement({ id: row.id, agreed, agreedBy, agreedAt, agreedVersion })
              : null,
        })),
    total: (where) => countWhere(ctx, coachingBookings, and(shown, ...where)),
  })
}
