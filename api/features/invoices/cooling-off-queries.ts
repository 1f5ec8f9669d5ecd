import { and, eq, gte, isNotNull, sql } from 'drizzle-orm'
import { isOneOf, nullable } from '#api/db/expressions.ts'
import type { HasDb } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { consumerIntervals, unusedOf } from '#shared/rules/renewal-notices.ts'

/** How long after it began owners are asked for what's still to be refunded. */
const askedDays = 60

/**
 * Payments for a period within whose first 14 days a private customer may cancel, or did, with what comes back: of days not used,
 * counted from the one on which they cancelled, or from today.
 */
export const listCoolingOff = ({ db }: HasDb, now: Date, userId?: string) =>
  db
    .select({
      paymentId: providerInvoices.id,
      paid: providerInvoices.total,
      refunded: providerInvoices.amountRefunded,
      periodStart: providerInvoices.periodStart,
      periodEnd: providerInvoices.periodEnd,
      begins: renewalNotices.renewsOn,
      canceledAt: subscriptions.canceledAt,
      id: nullable(users.id),
      firstName: users.firstName,
      lastName: users.lastName,
      email: nullable(users.email),
    })
    .from(renewalNotices)
    .innerJoin(subscriptions, eq(subscriptions.id, renewalNotices.subscriptionId))
    .innerJoin(customers, eq(customers.id, renewalNotices.customerId))
    .innerJoin(
      providerInvoices,
      and(eq(providerInvoices.subscriptionId, subscriptions.id), isOneOf(providerInvoices.status, 'paid')),
    )
    .leftJoin(users, eq(users.id, customers.userId))
    .where(
      and(
        isOneOf(renewalNotices.kind, 'cooling-off'),
        gte(renewalNotices.renewsOn, addDays(londonDay(now), -askedDays)),
        isNotNull(providerInvoices.periodEnd),
        userId === undefined ? undefined : sql`${users.id} = ${userId}`,
      ),
    )
    .all()
    .flatMap(({ paid, refunded, periodStart, periodEnd, begins, canceledAt, ...payment }) => {
      if (periodStart === null || periodEnd === null || londonDay(new Date(periodStart)) !== begins) return []
      const until = addDays(begins, consumerIntervals.coolingOff.count)
      const cancelledOn = canceledAt === null ? null : londonDay(new Date(canceledAt))
      const on = cancelledOn !== null && cancelledOn >= begins ? cancelledOn : londonDay(now)
      if (on > until) return []
      const period = { from: begins, to: londonDay(new Date(periodEnd)) }
      const { days, of, amount } = unusedOf(paid, { ...period, on })
      const isCancelled = on === cancelledOn
      return amount > refunded ? [{ ...payment, isCancelled, on, until, days, of, amount: amount - refunded }] : []
    })
