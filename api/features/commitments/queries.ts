import { and, asc, count, eq, gte, type InferSelectModel, inArray, lte, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { preparedQuery } from '#api/db/query.ts'
import { appliedCommitmentChanges, commitments } from '#api/db/schema/commitments.ts'
import { customers } from '#api/db/schema/customers.ts'
import { coachingBookings } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { allTiers } from '#api/features/tiers/service.ts'
import { currentSubscription, customerOfUser, tierAt } from '#api/identity/access-queries.ts'
import type { Commitment, ListedCommitment } from '#shared/contract/commitments.ts'
import { weekOf } from '#shared/rules/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

export type StoredCommitment = InferSelectModel<typeof commitments>

const source = {
  videoSlug: nullable(memberVideos.slug),
  videoTitle: nullable(memberVideos.title),
  callAt: coachingBookings.startsAt,
}

export type SourceFields = { videoSlug: string | null; videoTitle: string | null; callAt: string | null }

/** A member's own, with where each came from. Those over since before `since` are left out. */
export const commitmentsOfMember = preparedQuery<{ userId: string; since: string }>()((db, { userId, since }) =>
  db
    .select({ row: commitments, ...source })
    .from(commitments)
    .leftJoin(memberVideos, eq(memberVideos.id, commitments.videoId))
    .leftJoin(coachingBookings, eq(coachingBookings.id, commitments.callId))
    .where(
      and(
        eq(commitments.userId, userId),
        or(isOneOf(commitments.state, 'proposed', 'open'), gte(commitments.day, since)),
      ),
    )
    .orderBy(asc(commitments.day), asc(commitments.id)),
)

export const commitmentById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ row: commitments, ...source })
    .from(commitments)
    .leftJoin(memberVideos, eq(memberVideos.id, commitments.videoId))
    .leftJoin(coachingBookings, eq(coachingBookings.id, commitments.callId))
    .where(eq(commitments.id, id)),
)

/** What a share of kept promises is counted from. */
export const countedOfMember = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ day: commitments.day, state: commitments.state, doneOn: commitments.doneOn })
    .from(commitments)
    .where(eq(commitments.userId, userId)),
)

export const callOfMember = preparedQuery<{ id: string; userId: string }>()((db, { id, userId }) =>
  db
    .select({ id: coachingBookings.id })
    .from(coachingBookings)
    .where(and(eq(coachingBookings.id, id), eq(coachingBookings.userId, userId))),
)

export const appliedCommitmentChange = preparedQuery<{ userId: string; changeId: string }>()(
  (db, { userId, changeId }) =>
    db
      .select({ changeId: appliedCommitmentChanges.changeId })
      .from(appliedCommitmentChanges)
      .where(and(eq(appliedCommitmentChanges.userId, userId), eq(appliedCommitmentChanges.changeId, changeId))),
)

export const countAppliedSince = preparedQuery<{ userId: string; since: string }>()((db, { userId, since }) =>
  db
    .select({ changes: count() })
    .from(appliedCommitmentChanges)
    .where(and(eq(appliedCommitmentChanges.userId, userId), gte(appliedCommitmentChanges.receivedAt, since))),
)

export const toCommitment = ({
  row,
  videoSlug,
  videoTitle,
  callAt,
}: { row: StoredCommitment } & SourceFields): Commitment => ({
  id: row.id,
  madeBy: row.madeBy,
  text: row.text,
  day: row.day,
  state: row.state,
  doneOn: row.doneOn,
  video:
    row.videoId === null || videoSlug === null || videoTitle === null
      ? null
      : { id: row.videoId, slug: videoSlug, title: videoTitle },
  call: row.callId === null || callAt === null ? null : { id: row.callId, startsAt: callAt },
  createdAt: row.createdAt,
})

const byDay: Listing<'day'> = {
  id: commitments.id,
  sorts: { day: commitments.day },
  defaultSort: 'day',
  search: [],
}

export type Due = 'week' | 'late' | 'all'

function isDue(today: string, due: Due) {
  const { from, to } = weekOf(today)
  if (due === 'all') return undefined
  return due === 'late' ? sql`${commitments.day} < ${from}` : and(gte(commitments.day, from), lte(commitments.day, to))
}

type OpenRequest = { due: Due; limit: number; cursor?: string | undefined }

/** Members' open ones, the next due first: all of them, or what's due from members whose tier has weekly accountability now. */
export function openCommitments(ctx: Context, { due, ...request }: OpenRequest): ListPage<ListedCommitment> {
  const now = ctx.billingNow()
  const isOpen = and(isOneOf(commitments.state, 'open'), isDue(londonDay(now), due))
  const tier = nullable(subscriptions.tierSlug, tierAt(now))
  const tiers = allTiers(ctx)
  const accountable = tiers.filter(({ hasWeeklyAccountability }) => hasWeeklyAccountability).map(({ slug }) => slug)
  const isOfTier = due === 'all' ? undefined : inArray(tierAt(now), accountable)
  const page = readPage(byDay, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({
          row: commitments,
          ...source,
          firstName: users.firstName,
          lastName: users.lastName,
          email: users.email,
          tier,
          position,
        })
        .from(commitments)
        .innerJoin(users, eq(users.id, commitments.userId))
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .leftJoin(memberVideos, eq(memberVideos.id, commitments.videoId))
        .leftJoin(coachingBookings, eq(coachingBookings.id, commitments.callId))
        .where(and(isOpen, isOfTier, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: () => {
      const counted = ctx.db.select({ rows: count() }).from(commitments)
      const all =
        isOfTier === undefined
          ? counted.where(isOpen)
          : counted
              .innerJoin(users, eq(users.id, commitments.userId))
              .leftJoin(customers, customerOfUser)
              .leftJoin(subscriptions, currentSubscription)
              .where(and(isOpen, isOfTier))
      return all.get()?.rows ?? 0
    },
  })
  const names = new Map(tiers.map(({ slug, name }) => [slug, name]))
  const nameOf = (slug: string | null) => (slug === null ? null : (names.get(slug) ?? slug))
  return {
    ...page,
    rows: page.rows.map(({ email, tier: slug, ...found }) => toListed(found, { email, tier: nameOf(slug) })),
  }
}

type Found = { row: StoredCommitment; firstName: string | null; lastName: string | null } & SourceFields

const toListed = (found: Found, { email, tier }: { email: string; tier: string | null }): ListedCommitment => ({
  ...toCommitment(found),
  member: { id: found.row.userId, name: nameOrEmail({ ...found, email }), email, tier },
})

/** One that’s open on this day, of a member. */
export const openOnDay = preparedQuery<{ userId: string; day: string }>()((db, { userId, day }) =>
  db
    .select({ id: commitments.id })
    .from(commitments)
    .where(and(eq(commitments.userId, userId), eq(commitments.day, day), isOneOf(commitments.state, 'open')))
    .limit(1),
)

/** Open ones of this day that nobody has been reminded of, of all members, by member. */
export const openOfDay = preparedQuery<{ day: string }>()((db, { day }) =>
  db
    .select({
      id: commitments.id,
      userId: commitments.userId,
      text: commitments.text,
      dayAt: commitments.dayAt,
      stateAt: commitments.stateAt,
      remindedFor: commitments.remindedFor,
      createdAt: commitments.createdAt,
    })
    .from(commitments)
    .where(and(isOneOf(commitments.state, 'open'), eq(commitments.day, day)))
    .orderBy(asc(commitments.userId), asc(commitments.createdAt)),
)
