import { and, count, eq, gt, gte, isNotNull, lt, lte, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { followUps } from '#api/db/schema/outreach.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentMethods } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { refusalOfNewestMail } from '#api/mail/outbox-queries.ts'
import type { FollowUpKind } from '#shared/contract/follow-up.ts'
import { londonDay, londonInstant } from '#shared/rules/london.ts'

export type Candidate = { userId: string; occasion: string }

const { status, created, endedAt } = subscriptions

/** Memberships with this status whose time lies in the period, once per membership. */
const membershipsBetween = (wanted: 'active' | 'canceled', at: typeof created | typeof endedAt) =>
  preparedQuery<{ from: string; to: string }>()((db, { from, to }) =>
    db
      .select({ userId: users.id, occasion: subscriptions.id })
      .from(subscriptions)
      .innerJoin(customers, eq(customers.id, subscriptions.customerId))
      .innerJoin(users, eq(users.id, customers.userId))
      .where(and(isOneOf(status, wanted), gte(at, from), lte(at, to))),
  )

export const joinedBetween = membershipsBetween('active', created)
export const endedBetween = membershipsBetween('canceled', endedAt)

/** People last seen in this period, once per last visit. */
export const seenBetween = preparedQuery<{ from: string; to: string }>()((db, { from, to }) =>
  db
    .select({ userId: users.id, occasion: sql`${users.id} || ':' || ${users.lastSeenAt}`.mapWith(String) })
    .from(users)
    .where(and(eq(users.isAdmin, false), gte(users.lastSeenAt, from), lte(users.lastSeenAt, to))),
)

const failuresSince = preparedQuery<{ userId: string; since: string }>()((db, { userId, since }) =>
  db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(
      and(
        eq(mailOutbox.userId, userId),
        gte(mailOutbox.createdAt, since),
        // A semicolon is the character after a colon, so this is a prefix search.
        gt(mailOutbox.cause, 'payment-failed:'),
        lt(mailOutbox.cause, 'payment-failed;'),
      ),
    )
    .limit(1),
)

/** Whether we wrote to them about a failed payment today, London time. */
export const wasToldOfFailureToday = (ctx: Context, userId: string): boolean =>
  failuresSince.get(ctx, { userId, since: londonInstant(londonDay(ctx.now()), '00:00').toISOString() }) !== undefined

const followUpsSince = preparedQuery<{ userId: string; since: string }>()((db, { userId, since }) =>
  db
    .select({ id: followUps.id })
    .from(followUps)
    .where(and(eq(followUps.userId, userId), gt(followUps.at, since)))
    .limit(1),
)

export const hasFollowUpSince = (ctx: Context, userId: string, since: Date): boolean =>
  followUpsSince.get(ctx, { userId, since: since.toISOString() }) !== undefined

const refusals = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(refusalOfNewestMail))),
)

export const hasRefused = (ctx: Context, userId: string): boolean => refusals.get(ctx, { userId }) !== undefined

const isMailOf = eq(mailOutbox.cause, sql`${followUps.kind} || ':' || ${followUps.occasion}`)

/** Visited, joined again or added a new card. For the last two, the occasion is the ended membership or expired card. */
const cameBack = sql`case ${followUps.kind}
  when 'coming-back' then exists (select 1 from ${subscriptions} old
    join ${subscriptions} renewed on renewed.customerId = old.customerId and renewed.created > old.created
    where old.id = ${followUps.occasion} and renewed.status not in ('incomplete', 'incomplete_expired'))
  when 'card-expiring' then not exists (select 1 from ${paymentMethods}
    where ${paymentMethods.stripePaymentMethodId} = substr(${followUps.occasion}, 1, instr(${followUps.occasion}, ':') - 1))
  else coalesce(${users.lastSeenAt} > ${followUps.at}, 0) end`

export const countFollowUps = (ctx: Context) =>
  ctx.db
    .select({
      kind: followUps.kind,
      waiting: sql`sum(${isOneOf(mailOutbox.status, 'waiting', 'sending')})`.mapWith(Number),
      arrived: sql`sum(${isOneOf(mailOutbox.status, 'sent')})`.mapWith(Number),
      refused: sql`sum(${isOneOf(mailOutbox.status, 'refused', 'failed')})`.mapWith(Number),
      cameBack: sql`sum(${isOneOf(mailOutbox.status, 'sent')} and ${cameBack})`.mapWith(Number),
      all: count(),
    })
    .from(followUps)
    .innerJoin(users, eq(users.id, followUps.userId))
    .leftJoin(mailOutbox, isMailOf)
    .groupBy(followUps.kind)
    .all() satisfies { kind: FollowUpKind }[]
