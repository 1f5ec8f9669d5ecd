import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Db } from '#api/db/open.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { graceEnd, graceMs } from '#shared/rules/membership.ts'
import { type Check, firstFew, ok, runCheck, shows, warning } from './check-rules.ts'

const name = 'failed payments'

/** The API can't read this setting of the provider's account, so we tell owners what to set and what we've seen the account do. */
const whatToSet =
  'In Stripe, Billing > Revenue recovery: 3 retries, 3, 5 and 7 days apart, then "mark the subscription as unpaid"'

const recentMs = 30 * dayMs

export const checkFailedPayments = (db: Db, billingNow: () => Date): Check =>
  runCheck(name, () => findEarlyEnds(db, billingNow()))

function findEarlyEnds(db: Db, billingNow: Date): Check {
  const ended = findEndedEarly(db, new Date(billingNow.getTime() - recentMs))
  if (ended.length > 0) {
    return warning(name, `${firstFew(ended)} was cancelled before day 14. ${whatToSet}.`, shows('members list'))
  }
  const givenUp = findGivenUp(db, new Date(billingNow.getTime() - graceMs))
  if (givenUp.length > 0)
    return warning(name, `${firstFew(givenUp)} has no retry before day 14. ${whatToSet}.`, shows('members list'))
  return ok(name, `Members get 14 days. ${whatToSet}.`)
}

const isRenewal = eq(providerInvoices.billingReason, 'subscription_cycle')

/** Subscriptions the provider ended for a failed payment while we still promised access. */
function findEndedEarly(db: Db, since: Date): string[] {
  const ends = db
    .select({ id: subscriptions.id, endedAt: subscriptions.endedAt, dueAt: providerInvoices.created })
    .from(subscriptions)
    .innerJoin(providerInvoices, eq(providerInvoices.subscriptionId, subscriptions.id))
    .where(
      and(
        eq(subscriptions.cancellationReason, 'payment_failed'),
        gt(subscriptions.endedAt, since.toISOString()),
        isRenewal,
        isNull(providerInvoices.paidAt),
      ),
    )
    .orderBy(asc(providerInvoices.created))
    .all()
  const oldest = [...new Map(ends.toReversed().map((end) => [end.id, end])).values()]
  return oldest
    .filter(({ endedAt, dueAt }) => endedAt !== null && new Date(endedAt) < graceEnd(dueAt))
    .map(({ id }) => id)
}

/** Unpaid renewals within their grace period that the provider no longer retries. */
function findGivenUp(db: Db, since: Date): string[] {
  return db
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .innerJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
    .where(
      and(
        isRenewal,
        eq(providerInvoices.status, 'open'),
        gt(providerInvoices.attempts, 0),
        gt(providerInvoices.created, since.toISOString()),
        isNull(providerInvoices.nextAttemptAt),
        isNull(subscriptions.endedAt),
      ),
    )
    .all()
    .map(({ id }) => id)
}
