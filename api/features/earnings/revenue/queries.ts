import { and, asc, count, countDistinct, eq, gt, gte, isNull, lt, lte, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { isNoneOf, isOneOf, least, nullable, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger, commissionRates } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { monthSums, movementSums, revenueChanges, subscriptionSums } from '#api/db/schema/revenue.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { mrrRule } from '#shared/rules/mrr.ts'

const countedStatuses = subscriptionStatuses.filter((status) => mrrRule(status).isCounted)

/** While payments are paused nothing counts. */
export const isCounted = and(isOneOf(subscriptions.status, ...countedStatuses), isNull(subscriptions.collectionPause))

/** Totals for the subscriptions that count towards MRR now. */
export const countedSubscriptions = preparedQuery()((db) =>
  db
    .select({
      tierSlug: subscriptionSums.tierSlug,
      count: subscriptionSums.subscriptions,
      yearlyNet: subscriptionSums.yearlyNet,
      paying: subscriptionSums.paying,
      nextYearlyNet: subscriptionSums.nextYearlyNet,
    })
    .from(subscriptionSums)
    .where(
      and(
        isOneOf(subscriptionSums.status, ...countedStatuses),
        eq(subscriptionSums.isPaused, false),
        gt(subscriptionSums.subscriptions, 0),
      ),
    ),
)

export const payingOwners = preparedQuery()((db) =>
  db
    .select({ count: countDistinct(subscriptions.id) })
    .from(ownerAddresses)
    .innerJoin(customers, eq(customers.userId, ownerAddresses.userId))
    .innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
    .where(and(isOneOf(ownerAddresses.role, 'owner'), gt(subscriptions.yearlyNet, 0), isCounted)),
)

/** Every tier, retired ones too, with its commission rate on that day; null if none was ever set. */
export const tiersWithRate = preparedQuery<{ day: string }>()((db, { day }) =>
  db
    .select({
      slug: membershipTiers.slug,
      name: membershipTiers.name,
      isActive: membershipTiers.isActive,
      rate: nullable(
        commissionRates.rate,
        sql`(select ${commissionRates.rate} from ${commissionRates}
          where ${commissionRates.tierSlug} = ${membershipTiers.slug} and ${commissionRates.validFrom} <= ${day}
          order by ${commissionRates.validFrom} desc limit 1)`,
      ),
    })
    .from(membershipTiers)
    .orderBy(asc(membershipTiers.orderIndex)),
)

export const subscriptionCreated = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ created: subscriptions.created }).from(subscriptions).where(eq(subscriptions.id, id)),
)

const uncountedStatuses = subscriptionStatuses.filter(
  (status) => !mrrRule(status).isCounted && !endedStatuses.some((ended) => ended === status),
)

export const uncountedLiveSubscriptions = preparedQuery()((db) =>
  db
    .select({ count: total(subscriptionSums.subscriptions) })
    .from(subscriptionSums)
    .where(
      or(
        isOneOf(subscriptionSums.status, ...uncountedStatuses),
        and(isOneOf(subscriptionSums.status, ...countedStatuses), eq(subscriptionSums.isPaused, true)),
      ),
    ),
)

/** Live subscriptions, oldest first, after this `created` and `id`. */
export const liveSubscriptionsAfter = preparedQuery<{ created: string; id: string; limit: number }>()(
  (db, { created, id, limit }) =>
    db
      .select({
        subscriptionId: subscriptions.id,
        memberId: users.id,
        customerName: nameOrRemoved,
        status: subscriptions.status,
        isSettled: subscriptions.isSettled,
        collectionPause: subscriptions.collectionPause,
        yearlyNet: subscriptions.yearlyNet,
      })
      .from(subscriptions)
      .innerJoin(customers, eq(customers.id, subscriptions.customerId))
      .leftJoin(users, eq(users.id, userIdOfCustomer()))
      .where(
        and(
          isNoneOf(subscriptions.status, ...endedStatuses),
          gte(subscriptions.created, created),
          sql`(${subscriptions.created}, ${subscriptions.id}) > (${created}, ${id})`,
        ),
      )
      .orderBy(asc(subscriptions.created), asc(subscriptions.id))
      .limit(limit),
)

/** In this order: it decides who gets a penny that's left over when months are rounded. */
export const changesOfMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({
      kind: movementSums.kind,
      tierSlug: movementSums.tierSlug,
      tierBefore: nullable(movementSums.tierBefore, sql`nullif(${movementSums.tierBefore}, '')`),
      beforeYearly: movementSums.beforeYearly,
      afterYearly: movementSums.afterYearly,
      countedBefore: movementSums.countedBefore,
      countedAfter: movementSums.countedAfter,
    })
    .from(movementSums)
    .where(and(eq(movementSums.month, month), gt(movementSums.changes, 0)))
    .orderBy(asc(movementSums.kind), asc(movementSums.tierSlug), asc(movementSums.tierBefore)),
)

const sumsOf = (net: SQLWrapper, vat: SQLWrapper) => ({
  net: total(net),
  vat: total(vat),
  gross: sql`${total(net)} + ${total(vat)}`.mapWith(Number),
})

/** By tax point. `gross` is net and VAT of the same row. */
export const invoicedByTier = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({
      tierSlug: nullable(monthSums.tierSlug, sql`nullif(${monthSums.tierSlug}, '')`),
      net: monthSums.net,
      vat: monthSums.vat,
      gross: sql`${monthSums.net} + ${monthSums.vat}`.mapWith(Number),
    })
    .from(monthSums)
    .where(and(eq(monthSums.month, month), gt(monthSums.issued, 0)))
    .orderBy(asc(monthSums.tierSlug)),
)

/** Refunds count on their own day, corrections on the invoice's. */
export const creditedIn = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select(sumsOf(monthSums.creditedNet, monthSums.creditedVat)).from(monthSums).where(eq(monthSums.month, month)),
)

/** What was issued since the last month was closed, less credit, and is dated before this month. */
export const issuedLate = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select(sumsOf(monthSums.sinceNet, monthSums.sinceVat)).from(monthSums).where(lt(monthSums.month, month)),
)

const commissionSum = { amount: total(monthSums.commission) }

export const commissionOfMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select(commissionSum).from(monthSums).where(eq(monthSums.month, month)),
)

export const commissionUntil = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select(commissionSum).from(monthSums).where(lte(monthSums.month, month)),
)

/** From the ledger itself: it proves the kept sums. */
export const ledgerUntil = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({ amount: total(commissionLedger.amount) })
    .from(commissionLedger)
    .where(lte(commissionLedger.month, month)),
)

const change = alias(revenueChanges, 'change')
const later = alias(revenueChanges, 'later')

export const lastCounted = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({ customers: count(), yearly: total(change.afterYearly) })
    .from(change)
    .where(
      and(
        lte(change.month, month),
        gt(change.afterYearly, 0),
        sql`not exists (select 1 from ${revenueChanges} ${later} where ${later.customerId} = ${change.customerId}
          and ${later.month} <= ${month} and (${later.at}, ${later.id}) > (${change.at}, ${change.id}))`,
      ),
    ),
)

const earliestChange = preparedQuery()((db) => db.select({ month: least(revenueChanges.month) }).from(revenueChanges))
const earliestInvoice = preparedQuery()((db) => db.select({ day: least(invoices.taxPoint) }).from(invoices))
const earliestLine = preparedQuery()((db) => db.select({ month: least(commissionLedger.month) }).from(commissionLedger))

export function earliestMonth(ctx: Context): string | undefined {
  const months = [
    earliestChange.get(ctx)?.month,
    earliestInvoice.get(ctx)?.day?.slice(0, 7),
    earliestLine.get(ctx)?.month,
  ]
  return months.filter((month) => typeof month === 'string').sort()[0]
}
