import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { analyticsEvents } from '#api/db/schema/analytics.ts'
import { countHit, type Limit, refuseOverLimit } from '#api/http/limits.ts'
import { type AnalyticsEvent, analyticsEventNames } from '#shared/contract/analytics.ts'

const hour = 3_600_000

/** Counts one happening. Who it was is not stored; the address is counted against its limit, as a keyed hash. */
export function countEvent(ctx: Context, event: AnalyticsEvent, address: string): void {
  const limit: Limit = { name: 'analytics', key: address, max: 600, windowMs: hour }
  transact(ctx, () => {
    refuseOverLimit(ctx, [limit], 'That is more than we count from one place in an hour.')
    countHit(ctx, limit)
    ctx.db
      .insert(analyticsEvents)
      .values({
        id: ctx.newId(),
        name: event.name,
        path: event.path,
        ...particulars(event),
        at: ctx.now().toISOString(),
      })
      .run()
  })
}

function particulars(event: AnalyticsEvent) {
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

/** Two years can be compared, and the month in hand. */
const monthsKept = 25

/** Forgets what nobody compares any more; name by name, as the index has it. */
export function forgetOldEvents(ctx: Context): number {
  const before = new Date(ctx.now())
  before.setUTCMonth(before.getUTCMonth() - monthsKept)
  const forget = ctx.sqlite.prepare('delete from analytics_events where name = ? and at < ?')
  return analyticsEventNames.reduce((sum, name) => sum + forget.run(name, before.toISOString()).changes, 0)
}
