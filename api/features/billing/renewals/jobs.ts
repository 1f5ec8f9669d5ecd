import { eq, type SQL } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { listOpenMoves, type OpenMove } from '#api/features/tiers/price-move-queries.ts'
import { errorName } from '#api/log.ts'
import { siteSettings } from '#api/site/settings.ts'
import { isUnreachable } from '#api/stripe/errors.ts'
import { londonDay } from '#shared/rules/london.ts'
import { yearNoticeDue, yearNotices } from '#shared/rules/renewal-notices.ts'
import { announceBegun, consumerNoticeDue } from './consumers-service.ts'
import { type NoticeBefore, promiseOf, queueNoticeBefore } from './mails.ts'
import { listRenewals, listYearsRenewals, noticesFrom, type Renewal } from './queries.ts'

/**
 * Tells members of payments to come, and private customers of what has begun. What was missed while the server was off is told late.
 * Without the provider's word nothing is promised: the customer is read again, and if that doesn't help, the next run tries.
 */
export async function announceRenewals(ctx: Context) {
  const report = { told: 0, waiting: 0 }
  const moves = new Map(listOpenMoves(ctx).map((move) => [move.subscriptionId, move]))
  const due = dueNotices(ctx)
  const left = due.filter((renewal) => !tell(ctx, renewal, moves))
  report.told = due.length - left.length
  for (const renewal of left) {
    await readAgain(ctx, renewal)
    if (tell(ctx, renewal, moves)) report.told += 1
    else report.waiting += 1
  }
  return { ...report, begun: siteSettings(ctx).sellsToConsumers ? announceBegun(ctx) : 0 }
}

/** Those it may be time to tell. Private customers hear of months too. */
const listSoon = (ctx: Context, now: Date, only?: SQL): Renewal[] =>
  siteSettings(ctx).sellsToConsumers
    ? listRenewals(ctx, { now, days: yearNotices.first + 1, only })
    : listYearsRenewals(ctx, { now, days: yearNotices.first + 1, only })

function kindDue(renewal: Renewal, now: Date): NoticeBefore | null {
  if (!renewal.isYears) return consumerNoticeDue(renewal, now)
  const kind = yearNoticeDue(londonDay(now), renewal.renewsOn)
  // A year booked in place of a month was confirmed by email then, with its day and price.
  return kind === 'year-first' && renewal.subscription.chargeMonths < 12 && renewal.subscription.chargeDays === null
    ? null
    : kind
}

/** Whom we can write to, and haven't yet. */
function dueNotices(ctx: Context): Renewal[] {
  const now = ctx.billingNow()
  const noticesOf = noticesFrom(ctx, londonDay(now))
  return listSoon(ctx, now).filter((renewal) => {
    const kind = kindDue(renewal, now)
    return kind !== null && renewal.userId !== null && noticesOf(renewal).every((notice) => notice.kind !== kind)
  })
}

/** False if nothing can be promised yet. Decides on the row as it is now: it may have changed since it was listed. */
const tell = (ctx: Context, { subscription: { id } }: Renewal, moves: ReadonlyMap<string, OpenMove>): boolean =>
  transact(ctx, () => {
    const now = ctx.billingNow()
    const [renewal] = listSoon(ctx, now, eq(subscriptions.id, id))
    const kind = renewal === undefined ? null : kindDue(renewal, now)
    if (renewal === undefined || kind === null) return true
    const next = promiseOf(renewal, moves.get(id))
    if (next === null) return false
    queueNoticeBefore(ctx, renewal, kind, next)
    return true
  })

async function readAgain(ctx: Context, { stripeCustomerId }: Renewal): Promise<void> {
  try {
    await syncCustomer(ctx, stripeCustomerId)
  } catch (error) {
    if (isUnreachable(error)) throw error
    ctx.log.warn('renewal not read', { stripeCustomerId, name: errorName(error) })
  }
}
