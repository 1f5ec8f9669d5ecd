import { and, count, eq, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { displayName } from '#api/db/customers.ts'
import { defaultTier } from '#api/db/default-tier.ts'
import { isOneOf, nullable, oneOfTexts } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { suppressedAddresses } from '#api/db/schema/mail.ts'
import { mailingRecipients } from '#api/db/schema/outreach.ts'
import { mailAgreements, mailOptOuts, users } from '#api/db/schema/people.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { videoProgress } from '#api/db/schema/videos.ts'
import { memberConditions } from '#api/features/members/queries.ts'
import { countUsers, currentSubscription, customerOfUser, hasAccessAt, tierAt } from '#api/identity/access-queries.ts'
import { refusalOfNewestMail } from '#api/mail/outbox-queries.ts'
import {
  type AudienceCount,
  type AudiencePerson,
  type AudienceQuery,
  type audienceStates,
  type LeftOutReason,
  leftOutReasons,
  type MailingPurpose,
  type Segment,
  segmentOf,
} from '#shared/contract/mailing.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonInstant, nextMonth, startOfMonth } from '#shared/rules/london.ts'

const videosDone = sql`${sql`(select count(*) from ${videoProgress}
  where ${videoProgress.userId} = ${users.id} and ${videoProgress.completed} = 1)`}`.mapWith(Number)

/** When the first membership began, or the account was created if they got access without one. */
const joinedAt = sql`coalesce((select min(first.created) from ${subscriptions} first
  join ${customers} payer on payer.id = first.customerId
  where (payer.userId = ${users.id} or payer.formerUserId = ${users.id})
  and first.status <> 'incomplete_expired'), ${users.createdAt})`.mapWith(users.createdAt)

const seenAt = sql`coalesce(${users.lastSeenAt}, ${users.createdAt})`.mapWith(users.createdAt)

/** The tier they see, as `accessFrom` computes it, or their last one if they have no access. */
const tierNow = (billingNow: Date) =>
  sql`case when ${hasAccessAt(billingNow)} then ${tierAt(billingNow)} else coalesce(${subscriptions.tierSlug}, ${defaultTier}) end`.mapWith(
    subscriptions.tierSlug,
  )

const isFormer = (now: Date) => and(eq(hasAccessAt(now), 0), isOneOf(subscriptions.status, ...endedStatuses))

const isIn: Record<(typeof audienceStates)[number], (billingNow: Date, now: Date) => SQL | undefined> = {
  'with-access': memberConditions['with-access'],
  'payment-due': memberConditions['payment-due'],
  ending: memberConditions.ending,
  complimentary: memberConditions.complimentary,
  former: isFormer,
}

/** A segment never includes owners or people who were never members. */
function isOfSegment(ctx: Context, { tiers, state, progress, notSeenDays, joined }: Segment): SQL | undefined {
  const seenBefore = new Date(ctx.now().getTime() - (notSeenDays ?? 0) * dayMs).toISOString()
  return and(
    eq(users.isAdmin, false),
    isIn[state](ctx.billingNow(), ctx.now()),
    tiers.length === 0 ? undefined : inArray(tierNow(ctx.billingNow()), tiers),
    progress === null ? undefined : progress === 'nothing' ? eq(videosDone, 0) : gte(videosDone, progress),
    notSeenDays === null ? undefined : lte(seenAt, seenBefore),
    joined === null ? undefined : gte(joinedAt, startOfMonth(joined).toISOString()),
    joined === null ? undefined : lt(joinedAt, londonInstant(`${nextMonth(joined)}-01`, '00:00').toISOString()),
  )
}

const hasSaid = (table: typeof mailAgreements | typeof mailOptOuts) =>
  sql`exists (select 1 from ${table} where ${table.userId} = ${users.id} and ${table.purpose} = 'news')`

const isSuppressed = sql`exists (select 1 from ${suppressedAddresses} where ${suppressedAddresses.address} = lower(${users.email}))`

/** Why someone doesn't get the mail; null if they do. Skips addresses that refused the newest mail or that owners blocked. */
function leftOutOf(purpose: MailingPurpose): SQL<LeftOutReason | null> {
  const consent =
    purpose === 'service'
      ? sql``
      : sql`when ${hasSaid(mailOptOuts)} then 'stopped' when not ${hasSaid(mailAgreements)} then 'not-agreed'`
  const reason = sql`case ${consent} when ${refusalOfNewestMail} is not null or ${isSuppressed} then 'refused' end`
  return reason.mapWith(oneOfTexts(leftOutReasons))
}

export function countAudience(ctx: Context, segment: Segment, purpose: MailingPurpose): AudienceCount {
  const reason = leftOutOf(purpose)
  const counted = ctx.db
    .select({ reason, people: count() })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(isOfSegment(ctx, segment))
    .groupBy(reason)
    .all()
  const of = (wanted: LeftOutReason | null) => counted.find((row) => row.reason === wanted)?.people ?? 0
  return {
    people: counted.reduce((sum, { people }) => sum + people, 0),
    gets: of(null),
    leftOut: { 'not-agreed': of('not-agreed'), stopped: of('stopped'), refused: of('refused') },
  }
}

type Recorded = { id: string; segment: Segment; purpose: MailingPurpose }

/** Records who a mailing is for, and returns how many, and how many get it. One by one, ten thousand rows took a tenth of a second. */
export function recordAudience(ctx: Context, { id, segment, purpose }: Recorded): { people: number; gets: number } {
  const audience = ctx.db
    .select({ userId: users.id, reason: leftOutOf(purpose).as('reason') })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(isOfSegment(ctx, segment))
    .as('audience')
  const { status, queuedAt } = mailingRecipients
  ctx.db
    .insert(mailingRecipients)
    .select(
      ctx.db
        .select({
          mailingId: sql`${id}`.mapWith(String).as('mailingId'),
          userId: audience.userId,
          status: sql`iif(${audience.reason} is null, 'waiting', 'left_out')`.mapWith(status).as('status'),
          reason: audience.reason,
          queuedAt: nullable(queuedAt, sql`null`).as('queuedAt'),
        })
        .from(audience),
    )
    .run()
  const isOfMailing = eq(mailingRecipients.mailingId, id)
  return {
    people: countWhere(ctx, mailingRecipients, isOfMailing),
    gets: countWhere(ctx, mailingRecipients, and(isOfMailing, isOneOf(status, 'waiting'))),
  }
}

/** As of now, for writing one person's mail; undefined once their account is gone. */
export const findRecipient = (ctx: Context, id: string, purpose: MailingPurpose) =>
  ctx.db
    .select({ id: users.id, email: users.email, firstName: users.firstName, leftOut: leftOutOf(purpose) })
    .from(users)
    .where(eq(users.id, id))
    .get()

const listing: Listing<'name'> = {
  id: users.id,
  sorts: { name: sql`fold(${displayName})` },
  defaultSort: 'name',
  search: [displayName, users.email],
}

export function listAudience(ctx: Context, query: AudienceQuery & { limit: number }): ListPage<AudiencePerson> {
  const { state, purpose } = query
  const isMeant = isOfSegment(ctx, segmentOf(query))
  return readPage(listing, query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({
          id: users.id,
          name: displayName,
          email: users.email,
          lastSeenAt: users.lastSeenAt,
          tier: nullable(subscriptions.tierSlug, tierNow(ctx.billingNow())),
          lessonsDone: videosDone,
          joinedAt,
          leftOut: leftOutOf(purpose),
          position,
        })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(and(isMeant, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all()
        .map((row) => ({ ...row, state })),
    total: (found) => countUsers(ctx, and(isMeant, ...found)),
  })
}
