import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { analyticsEvents } from '#api/db/schema/analytics.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/http/rate-limits.ts'
import { type EventCount, testEventPath } from '#shared/contract/admin-analytics.ts'
import { type AnalyticsEvent, analyticsEventNames } from '#shared/contract/analytics.ts'

/** Counts one event. Who it was is not stored; the address is counted against its limit, as a keyed hash. */
export function countEvent(ctx: Context, event: AnalyticsEvent, address: string): void {
  const limit = rateLimits.analyticsEvents(address)
  transact(ctx, () => {
    assertWithinLimits(ctx, [limit], 'That is more than we count from one place in an hour.')
    recordHit(ctx, limit)
    const { name, path } = event
    insertRow(ctx, analyticsEvents, { id: ctx.newId(), name, path, ...detailsOf(event), at: ctx.now().toISOString() })
  })
}

function detailsOf(event: AnalyticsEvent) {
  switch (event.name) {
    case 'purchase':
      return { value: event.value.toFixed(2), currency: event.currency }
    case 'form_submit':
      return { detail: event.applicationType }
    case 'video_complete':
      return { detail: event.videoName }
    default:
      return {}
  }
}

/** Enough to compare two years and the month that is running. */
const monthsKept = 25

/** Deletes what nobody compares any more; name by name, so that each delete follows the index. */
export function deleteOldEvents(ctx: Context): number {
  const before = new Date(ctx.now())
  before.setUTCMonth(before.getUTCMonth() - monthsKept)
  const { name, at } = analyticsEvents
  return analyticsEventNames.reduce((deleted, event) => {
    const isOld = and(eq(name, event), lt(at, before.toISOString()))
    return deleted + ctx.db.delete(analyticsEvents).where(isOld).run().changes
  }, 0)
}

const hourMs = 3_600_000

/** What was counted lately. Owners' own walks through the admin are left out. */
export function countEvents(ctx: Context): EventCount[] {
  const { name, path, at } = analyticsEvents
  const since = (hours: number) => new Date(ctx.now().getTime() - hours * hourMs).toISOString()
  const isTest = eq(path, testEventPath)
  const isCounted = sql`(${path} is null or ${path} not like '/admin%')`
  const among = (condition: SQL) => sql`coalesce(sum(${condition}), 0)`.mapWith(Number)
  const counts = ctx.db
    .select({
      name,
      hours24: among(sql`${isCounted} and ${at} >= ${since(24)}`),
      days7: among(sql`${isCounted} and ${at} >= ${since(7 * 24)}`),
      days30: among(isCounted),
      tests: among(sql`${isTest} and ${at} >= ${since(24)}`),
    })
    .from(analyticsEvents)
    .where(gte(at, since(30 * 24)))
    .groupBy(name)
    .all()
  const none = { hours24: 0, days7: 0, days30: 0, tests: 0 }
  return analyticsEventNames.map((event) => counts.find((count) => count.name === event) ?? { name: event, ...none })
}
