import { and, eq, gt, gte, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { dueOf, isOneOf, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { findPeople } from '#api/db/people-found.ts'
import { customers } from '#api/db/schema/customers.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { progressDays, videoPositions } from '#api/db/schema/videos.ts'
import { tierNames } from '#api/features/tiers/service.ts'
import {
  accessFrom,
  countUsers,
  currentSubscription,
  customerOfUser,
  hasAccessAt,
  isPaymentDue,
  type MembershipRow,
  membershipFields,
} from '#api/identity/access-queries.ts'
import {
  type MemberAtRisk,
  type MemberAtRiskQuery,
  quietDays,
  type RiskReason,
  riskReasons,
} from '#shared/contract/risk.ts'
import { lastExpiringMonth } from '#shared/rules/card-expiry.ts'
import { addDays, londonDay, londonInstant, londonMonth, monthBefore, startOfMonth } from '#shared/rules/london.ts'
import { cardAskedAt, patienceFrom } from './card-link-queries.ts'

const open = alias(providerInvoices, 'open')

/** Months since the year 0. */
const expires = sql`${paymentMethods.expYear} * 12 + ${paymentMethods.expMonth}`

/** A card will be charged, and expires within 30 days. Or there's none, and a payment is coming. */
const isCardExpiring = (billingNow: Date) =>
  and(
    isOneOf(subscriptions.status, 'active', 'trialing'),
    isNull(subscriptions.cancelAt),
    eq(subscriptions.cancelAtPeriodEnd, false),
    or(isNull(subscriptions.collectionPause), isCollectedAfterPause),
    or(isCardMissing, isCardTooOld(billingNow)),
  )

/** What's due once a pause of payments is over is collected, as `isCollectedAt` says. */
const isCollectedAfterPause = sql`${subscriptions.collectionResumesAt} <= ${subscriptions.nextPayment} ->> '$.at'`

const isCardMissing = and(
  sql`${subscriptions.nextPayment} ->> '$.due' > 0`,
  sql`not exists (select 1 from ${paymentMethods} where ${eq(paymentMethods.customerId, customers.id)})`,
)

const isCardTooOld = (billingNow: Date) =>
  and(
    sql`exists (select 1 from ${paymentMethods} where ${and(
      eq(paymentMethods.customerId, customers.id),
      sql`${expires} <= ${lastExpiringMonth(londonDay(billingNow))}`,
    )})`,
  )

/** A member for that long who has neither ticked nor played anything. */
function isQuiet(now: Date): SQL | undefined {
  const first = addDays(londonDay(now), -quietDays)
  const since = londonInstant(first, '00:00').toISOString()
  return and(
    lt(sql`coalesce(${users.membershipStartDate}, ${users.createdAt})`, since),
    sql`not exists (select 1 from ${progressDays} where ${and(
      eq(progressDays.userId, users.id),
      gte(progressDays.day, first),
    )})`,
    sql`not exists (select 1 from ${videoPositions} where ${and(
      eq(videoPositions.userId, users.id),
      gte(videoPositions.at, since),
    )})`,
  )
}

/** The tier includes a monthly call, last month's went unused, and none is booked. */
function isCallUnused(billingNow: Date): SQL | undefined {
  const since = startOfMonth(monthBefore(londonMonth(billingNow))).toISOString()
  return and(
    lt(sql`coalesce(${users.membershipStartDate}, ${users.createdAt})`, since),
    sql`exists (select 1 from ${membershipTiers} where ${membershipTiers.slug} = ${subscriptions.tierSlug}
      and ${gt(membershipTiers.callDuration, 0)})`,
    sql`not exists (select 1 from ${coachingBookings} where ${and(
      eq(coachingBookings.userId, users.id),
      isOneOf(coachingBookings.kind, 'coaching'),
      ne(coachingBookings.status, 'cancelled'),
      isNull(coachingBookings.heldUntil),
      gte(coachingBookings.startsAt, since),
    )})`,
  )
}

type Clocks = { now: Date; billingNow: Date }

const hasAccess = ({ billingNow }: Clocks) => eq(hasAccessAt(billingNow), 1)

const conditions: Record<RiskReason, (clocks: Clocks) => SQL | undefined> = {
  payment: () => isPaymentDue,
  card: ({ billingNow }) => isCardExpiring(billingNow),
  quiet: (clocks) => and(hasAccess(clocks), isQuiet(clocks.now)),
  call: (clocks) => and(hasAccess(clocks), isCallUnused(clocks.billingNow)),
}

/** Access is the most expensive check, so it runs once, and only if nothing else has decided. */
function hasAnyReason(clocks: Clocks) {
  const { now, billingNow } = clocks
  const isIdle = or(isCallUnused(billingNow), isQuiet(now))
  return or(isPaymentDue, isCardExpiring(billingNow), and(isIdle, hasAccess(clocks)))
}

export const isAtRisk = (clocks: Clocks, reason?: RiskReason): SQL | undefined =>
  and(eq(users.isAdmin, false), reason === undefined ? hasAnyReason(clocks) : conditions[reason](clocks))

const clocksOf = (ctx: Context): Clocks => ({ now: ctx.now(), billingNow: ctx.billingNow() })

export const countAtRisk = (ctx: Context): number => countUsers(ctx, isAtRisk(clocksOf(ctx)))

const heldBy = (clocks: Clocks, reason: RiskReason) => sql`coalesce(${conditions[reason](clocks)}, 0)`

/** Each reason outweighs all later ones together. */
const weightOf = (place: number) => 2 ** (riskReasons.length - 1 - place)

/** A sum of weights, so that a more urgent reason outranks all less urgent ones. */
const riskOf = (clocks: Clocks) =>
  sql`(${sql.join(
    riskReasons.map((reason, at) => sql`(${heldBy(clocks, reason)}) * ${weightOf(at)}`),
    sql` + `,
  )})`

const fieldsOf = (clocks: Clocks) => ({
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  phone: users.phone,
  risk: riskOf(clocks).mapWith(Number),
  tickedOn: nullable(
    progressDays.day,
    sql`(select ${progressDays.day} from ${progressDays} where ${eq(progressDays.userId, users.id)})`,
  ),
  playedAt: nullable(
    videoPositions.at,
    sql`(select max(${videoPositions.at}) from ${videoPositions} where ${eq(videoPositions.userId, users.id)})`,
  ),
  due: sql`(select coalesce(sum(${dueOf(open)}), 0) from ${providerInvoices} ${open} where ${and(
    eq(open.subscriptionId, subscriptions.id),
    isOneOf(open.status, 'open'),
  )})`.mapWith(Number),
  cardMonth: nullable(
    paymentMethods.expMonth,
    sql`(select ${expires} from ${paymentMethods} where ${eq(paymentMethods.customerId, customers.id)})`,
  ),
  askedAt: cardAskedAt(sql`${patienceFrom(clocks.now)}`),
  ...membershipFields,
})

const listingOf = (clocks: Clocks): Listing<'risk' | 'name' | 'joined'> => ({
  id: users.id,
  sorts: {
    risk: riskOf(clocks),
    name: sql`fold(concat_ws(' ', ${users.lastName}, ${users.firstName}))`,
    // Ids sort by time.
    joined: users.id,
  },
  defaultSort: '-risk',
  search: [users.firstName, users.lastName, users.email, users.phone],
})

export function listAtRisk(ctx: Context, request: MemberAtRiskQuery & { limit: number }): ListPage<MemberAtRisk> {
  const clocks = clocksOf(ctx)
  const found = (more: SQL[]) => and(isAtRisk(clocks, request.show), ...more)
  const page = readPage(listingOf(clocks), request, {
    rows: ({ where, orderBy, limit, position }) => {
      // A row's fields cost more than finding it, so read them for this page only.
      const ids = ctx.db
        .select({ id: users.id })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(found(where))
        .orderBy(...orderBy)
        .limit(limit)
      return ctx.db
        .select({ ...fieldsOf(clocks), position })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(inArray(users.id, ids))
        .orderBy(...orderBy)
        .all()
    },
    total: (where) => countUsers(ctx, found(where)),
    people: { id: users.id, found: findPeople(ctx, request.q) },
  })
  return { ...page, rows: toMembersAtRisk(ctx, page.rows, clocks) }
}

type RiskRow = MembershipRow &
  Pick<MemberAtRisk, 'id' | 'firstName' | 'lastName' | 'email' | 'phone' | 'due'> & {
    risk: number
    tickedOn: string | null
    playedAt: string | null
    cardMonth: number | null
    askedAt: string | null
  }

function toMembersAtRisk(ctx: Context, found: readonly RiskRow[], { billingNow }: Clocks): MemberAtRisk[] {
  const nameOf = tierNames(ctx)
  return found.map(({ risk, tickedOn, playedAt, due, cardMonth, askedAt, ...row }) => {
    const tier = accessFrom(row, billingNow).tier ?? row.tierSlug
    const { id, firstName, lastName, email, phone } = row
    const playedOn = playedAt === null ? null : londonDay(new Date(playedAt))
    return {
      id,
      firstName,
      lastName,
      email,
      phone,
      due,
      tierName: tier && nameOf(tier),
      reasons: riskReasons.filter((_, at) => risk & weightOf(at)),
      lastProgressOn:
        [tickedOn, playedOn]
          .filter((day) => day !== null)
          .toSorted()
          .at(-1) ?? null,
      cardWorksUntil: cardMonth === null ? null : monthOf(cardMonth),
      askedAt,
    }
  })
}

const monthOf = (months: number) =>
  `${Math.floor((months - 1) / 12)}-${String(((months - 1) % 12) + 1).padStart(2, '0')}`
