import { and, asc, between, count, eq, gte, inArray, lt, notExists, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { isOneOf, total } from '#api/db/expressions.ts'
import { type Placeholders, preparedQuery } from '#api/db/query.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { customers } from '#api/db/schema/customers.ts'
import { membershipApplications } from '#api/db/schema/forms.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { purchaseAttempts } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { countKinds } from '#shared/contract/analytics.ts'

type Days = { from: string; to: string }
type Instants = { since: string; until: string }

export const countsByKey = preparedQuery<Days>()((db, { from, to }) => {
  const sum = total(dailyCounts.count)
  return db
    .select({ kind: dailyCounts.kind, key: dailyCounts.key, count: sum })
    .from(dailyCounts)
    .where(and(inArray(dailyCounts.kind, [...countKinds]), between(dailyCounts.day, from, to)))
    .groupBy(dailyCounts.kind, dailyCounts.key)
    .orderBy(sql`${sum} desc`, dailyCounts.key)
})

export const countsByDay = preparedQuery<Days>()((db, { from, to }) => {
  const sumOf = (kind: SQL) => sql`coalesce(sum(iif(${kind}, ${dailyCounts.count}, 0)), 0)`.mapWith(Number)
  return db
    .select({
      day: dailyCounts.day,
      visits: sumOf(isOneOf(dailyCounts.kind, 'source')),
      views: sumOf(isOneOf(dailyCounts.kind, 'page_view')),
    })
    .from(dailyCounts)
    .where(and(isOneOf(dailyCounts.kind, 'source', 'page_view'), between(dailyCounts.day, from, to)))
    .groupBy(dailyCounts.day)
})

const earlier = alias(purchaseAttempts, 'earlier')

const within = (at: SQLWrapper, { since, until }: Placeholders<Instants>) => and(gte(at, since), lt(at, until))

export const applicationsBetween = preparedQuery<Instants>()((db, instants) =>
  db.select({ rows: count() }).from(membershipApplications).where(within(membershipApplications.createdAt, instants)),
)

export const paymentsBegunBetween = preparedQuery<Instants>()((db, instants) => {
  const before = db
    .select({ id: earlier.id })
    .from(earlier)
    .where(and(eq(earlier.userId, purchaseAttempts.userId), lt(earlier.openedAt, purchaseAttempts.openedAt)))
  const isFirst = and(isOneOf(purchaseAttempts.kind, 'subscription'), notExists(before))
  return db
    .select({ rows: count() })
    .from(purchaseAttempts)
    .where(and(within(purchaseAttempts.openedAt, instants), isFirst))
})

export const newMembersBetween = preparedQuery<Instants>()((db, instants) =>
  db
    .select({ rows: count() })
    .from(revenueChanges)
    .where(and(isOneOf(revenueChanges.kind, 'new'), within(revenueChanges.at, instants))),
)

/** The owners' own customers, whose memberships say nothing about the business. */
const ofOwners = sql`(select ${customers.id} from ${customers} join ${ownerAddresses}
  on ${ownerAddresses.userId} = ${customers.userId} and ${isOneOf(ownerAddresses.role, 'owner')})`

const first = alias(revenueChanges, 'first')

const firstMonths = sql`(select ${first.customerId} as "customer", min(${first.month}) as "cohort" from ${revenueChanges} ${first}
  where ${first.afterYearly} > 0 and ${first.customerId} not in ${ofOwners} group by ${first.customerId}) as "joined"`

const cohort = sql`"joined"."cohort"`.mapWith(String)

export const joinedByMonth = preparedQuery()((db) =>
  db.select({ cohort, joined: count() }).from(firstMonths).groupBy(cohort).orderBy(asc(cohort)),
)

/** By month of joining: the net change in paying customers during each month. */
export const movedByMonth = preparedQuery()((db) => {
  const moved = sql`sum((${revenueChanges.afterYearly} > 0) - (${revenueChanges.beforeYearly} > 0))`.mapWith(Number)
  return db
    .select({ cohort, month: revenueChanges.month, moved })
    .from(revenueChanges)
    .innerJoin(firstMonths, sql`"joined"."customer" = ${revenueChanges.customerId}`)
    .groupBy(cohort, revenueChanges.month)
})

export const videos = preparedQuery()((db) =>
  db
    .select({
      id: memberVideos.id,
      title: memberVideos.title,
      category: memberVideos.category,
      isPublished: memberVideos.isPublished,
    })
    .from(memberVideos)
    .orderBy(memberVideos.category, memberVideos.orderIndex, memberVideos.id),
)

const admins = sql`(select ${users.id} from ${users} where ${users.isAdmin} = 1)`

/** By video: members with a tick, or one they took back. Includes the owners'. */
export const ticksByVideo = preparedQuery()((db) =>
  db
    .select({ videoId: videoProgress.videoId, completed: videoProgress.completed, members: count() })
    .from(videoProgress)
    .groupBy(videoProgress.videoId, videoProgress.completed),
)

/** Subtracted later, because reading each row's member would take ten times as long. */
export const ownersTicks = preparedQuery()((db) =>
  db
    .select({ videoId: videoProgress.videoId, completed: videoProgress.completed, members: count() })
    .from(videoProgress)
    .where(sql`${videoProgress.userId} in ${admins}`)
    .groupBy(videoProgress.videoId, videoProgress.completed),
)

/** Members who played a video without ticking it, by the tenth where they stopped; null if its length is unknown. */
export const stopsByVideo = preparedQuery()((db) => {
  const tenth: SQL<number | null> =
    sql`min(9, ${videoPositions.seconds} * 10 / (${memberVideos.duration} * 60))`.mapWith(Number)
  const ticked = db
    .select({ videoId: videoProgress.videoId })
    .from(videoProgress)
    .where(and(eq(videoProgress.userId, videoPositions.userId), eq(videoProgress.videoId, videoPositions.videoId)))
  return db
    .select({ videoId: videoPositions.videoId, tenth, members: count() })
    .from(videoPositions)
    .innerJoin(memberVideos, eq(memberVideos.id, videoPositions.videoId))
    .where(and(notExists(ticked), sql`${videoPositions.userId} not in ${admins}`))
    .groupBy(videoPositions.videoId, tenth)
})
