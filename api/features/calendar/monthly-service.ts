import { and, count, eq, gte, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { isOneOf, isTrue, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { transact } from '#api/db/open.ts'
import { findPeople } from '#api/db/people-found.ts'
import { callAllowances } from '#api/db/schema/calendar.ts'
import { customers } from '#api/db/schema/customers.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { mailOptOuts, users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import { countUsers, currentSubscription, customerOfUser, hasAccessAt, tierAt } from '#api/identity/access-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import type { Done } from '#shared/contract/auth.ts'
import type { MonthlyCall, MonthlyCallQuery } from '#shared/contract/owner-calendar.ts'
import { londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { queueAskMail } from './mails.ts'
import { coachNames } from './queries.ts'

function tiersWithCall(ctx: Context) {
  return allTiers(ctx).flatMap(({ slug, name, callDuration: minutes, callsPerMonth }) =>
    minutes && callsPerMonth > 0 ? [{ slug, name, minutes }] : [],
  )
}

/** A member's coaching calls that start in a month in London, without cancelled ones, for a query of `users`. */
function callsIn(month: string): SQL {
  const [from, to] = [startOfMonth(month), startOfMonth(nextMonth(month))].map((at) => at.toISOString())
  const { userId, kind, status, startsAt, heldUntil } = coachingBookings
  const isOfMonth = and(
    ...[eq(userId, users.id), isOneOf(kind, 'coaching'), ne(status, 'cancelled'), isNull(heldUntil)],
    ...[gte(startsAt, from ?? ''), lt(startsAt, to ?? '')],
  )
  return sql`from ${coachingBookings} where ${isOfMonth}`
}

const askCause = (userId: unknown, month: string) => sql`'call-unused:' || ${userId} || ':' || ${month}`

function fieldsOf(ctx: Context, month: string) {
  const calls = callsIn(month)
  const latest = (column: typeof coachingBookings.startsAt | typeof coachingBookings.id) =>
    sql`(select ${column} ${calls} order by ${coachingBookings.startsAt} desc limit 1)`
  const ofMonth = and(
    eq(callAllowances.userId, users.id),
    isOneOf(callAllowances.kind, 'coaching'),
    eq(callAllowances.month, month),
  )
  return {
    id: users.id,
    firstName: users.firstName,
    lastName: users.lastName,
    email: users.email,
    phone: users.phone,
    tier: nullable(subscriptions.tierSlug, tierAt(ctx.billingNow())),
    used: sql`(select ${count()} ${calls})`.mapWith(Number),
    more: sql`(select ${count()} from ${callAllowances} where ${ofMonth})`.mapWith(Number),
    callId: nullable(coachingBookings.id, latest(coachingBookings.id)),
    startsAt: nullable(coachingBookings.startsAt, latest(coachingBookings.startsAt)),
    status: nullable(
      coachingBookings.status,
      sql`(select ${coachingBookings.status} ${calls} order by ${coachingBookings.startsAt} desc limit 1)`,
    ),
    coach: nullable(
      coachingBookings.coach,
      sql`(select ${coachingBookings.coach} ${calls} order by ${coachingBookings.startsAt} desc limit 1)`,
    ),
    askedAt: nullable(
      mailOutbox.createdAt,
      sql`(select ${mailOutbox.createdAt} from ${mailOutbox} where ${mailOutbox.cause} = ${askCause(users.id, month)})`,
    ),
    wantsMail: isTrue(
      sql`not exists (select 1 from ${mailOptOuts} where ${eq(mailOptOuts.userId, users.id)} and ${isOneOf(mailOptOuts.purpose, 'call-reminder')})`,
    ),
  }
}

const monthlyListing = (month: string): Listing<'name' | 'call'> => ({
  id: users.id,
  sorts: {
    name: sql`fold(concat_ws(' ', ${users.lastName}, ${users.firstName}))`,
    call: sql`coalesce((select max(${coachingBookings.startsAt}) ${callsIn(month)}), '')`,
  },
  defaultSort: 'name',
  search: [users.firstName, users.lastName, users.email, users.phone, users.businessName],
})

/** Members whose tier has a monthly call, and whether this month's is done, booked or unused. */
export function listMonthlyCalls(
  ctx: Context,
  { month = londonMonth(ctx.billingNow()), show, ...request }: MonthlyCallQuery & { limit: number },
): ListPage<MonthlyCall> {
  const tiers = tiersWithCall(ctx)
  const isCounted = [...includedIn(ctx, tiers), ...(show === undefined ? [] : [isUsed(month, show === 'used')])]
  const fields = fieldsOf(ctx, month)
  const page = readPage(monthlyListing(month), request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fields, position })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(and(...isCounted, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countUsers(ctx, and(...isCounted, ...where)),
    people: { id: users.id, found: findPeople(ctx, request.q) },
  })
  const nameOf = coachNames(ctx)
  return { ...page, rows: page.rows.map((row) => toMonthlyCall(row, { tiers, nameOf })) }
}

const isUsed = (month: string, isWanted: boolean): SQL =>
  isWanted ? sql`exists (select 1 ${callsIn(month)})` : sql`not exists (select 1 ${callsIn(month)})`

const includedIn = (ctx: Context, tiers: readonly { slug: string }[]): SQL[] => [
  eq(hasAccessAt(ctx.billingNow()), 1),
  eq(users.isAdmin, false),
  sql`${tierAt(ctx.billingNow())} in (select value from json_each(${JSON.stringify(tiers.map(({ slug }) => slug))}))`,
]

type Row = {
  id: string
  firstName: string | null
  lastName: string | null
  email: string
  phone: string | null
  tier: string | null
  used: number
  more: number
  callId: string | null
  startsAt: string | null
  status: NonNullable<MonthlyCall['call']>['status'] | null
  coach: string | null
  askedAt: string | null
  wantsMail: boolean
}
type Known = { tiers: ReturnType<typeof tiersWithCall>; nameOf: (coach: string) => string }

function toMonthlyCall(row: Row, { tiers, nameOf }: Known): MonthlyCall {
  const { id, firstName, lastName, email, phone, used, more, callId, startsAt, status, coach } = row
  const tier = tiers.find(({ slug }) => slug === row.tier)
  return {
    id,
    email,
    phone,
    used,
    askedAt: row.askedAt,
    wantsMail: row.wantsMail,
    name: nameOrEmail({ firstName, lastName, email }),
    tierName: tier?.name ?? '',
    minutes: tier?.minutes ?? 0,
    allowed: 1 + more,
    call:
      callId === null || startsAt === null || status === null
        ? null
        : { id: callId, startsAt, status, coachName: nameOf(coach ?? '') },
  }
}

/** Mails a member to book the month's call, once a month however often an owner asks. */
export function askToBook(ctx: Context, owner: Owner, { memberId, month }: { memberId: string; month: string }): Done {
  const tiers = tiersWithCall(ctx)
  return transact(ctx, () => {
    const row = ctx.db
      .select(fieldsOf(ctx, month))
      .from(users)
      .leftJoin(customers, customerOfUser)
      .leftJoin(subscriptions, currentSubscription)
      .where(and(eq(users.id, memberId), ...includedIn(ctx, tiers)))
      .get()
    if (row === undefined) throw memberNotFound()
    if (month < londonMonth(ctx.billingNow())) throw new AppError('conflict', 'That month is over.')
    if (row.used > 0) throw new AppError('conflict', 'They’ve booked their call for that month.')
    if (!row.wantsMail)
      throw new AppError('conflict', 'This member has turned off emails about calls. Ring them instead.')
    if (row.askedAt !== null) return { success: true }
    const { minutes } = toMonthlyCall(row, { tiers, nameOf: coachNames(ctx) })
    queueAskMail(ctx, { id: memberId, email: row.email, firstName: row.firstName ?? '', month, minutes })
    audit(ctx, owner.actor, 'call.asked', { targetId: memberId, detail: { month } })
    return { success: true }
  })
}
