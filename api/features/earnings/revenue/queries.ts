import {
  and,
  asc,
  count,
  countDistinct,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { isNoneOf, isOneOf, least, nullable, total } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger, commissionRates } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { mrrRule } from '#shared/rules/mrr.ts'

const countedStatuses = subscriptionStatuses.filter((status) => mrrRule(status).isCounted)

/** While payments are paused nothing counts. */
export const isCounted = and(isOneOf(subscriptions.status, ...countedStatuses), isNull(subscriptions.collectionPause))

/** Totals for the subscriptions that count towards MRR now, read from an index only. */
export const countedSubscriptions = preparedQuery()((db) =>
  db
    .select({
      tierSlug: subscriptions.tierSlug,
      count: count(),
      yearlyNet: total(subscriptions.yearlyNet),
      paying: total(gt(subscriptions.yearlyNet, 0)),
      /** Leaves out members whose next payment is free. */
      nextYearlyNet: total(sql`iif(${subscriptions.isNextFree}, 0, ${subscriptions.yearlyNet})`),
    })
    .from(subscriptions)
    .where(isCounted)
    .groupBy(subscriptions.status, subscriptions.tierSlug),
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

/**
 * They're few, while counting all live subscriptions would take as long as everything else here. SQLite would read them all for the
 * paused ones, because that index has every column.
 */
export const uncountedLiveSubscriptions = preparedQuery()((db) => {
  const isPaused = and(isOneOf(subscriptions.status, ...countedStatuses), isNotNull(subscriptions.collectionPause))
  const paused = sql`(select count(*) from ${subscriptions} indexed by subscriptions_paused where ${isPaused})`
  return db
    .select({ count: sql`${count()} + ${paused}`.mapWith(Number) })
    .from(subscriptions)
    .where(isOneOf(subscriptions.status, ...uncountedStatuses))
})

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

export const changesOfMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({
      kind: revenueChanges.kind,
      tierSlug: revenueChanges.tierSlug,
      tierBefore: revenueChanges.tierBefore,
      beforeYearly: total(revenueChanges.beforeYearly),
      afterYearly: total(revenueChanges.afterYearly),
      countedBefore: total(gt(revenueChanges.beforeYearly, 0)),
      countedAfter: total(gt(revenueChanges.afterYearly, 0)),
    })
    .from(revenueChanges)
    .where(eq(revenueChanges.month, month))
    .groupBy(revenueChanges.kind, revenueChanges.tierSlug, revenueChanges.tierBefore),
)

const sumsOf = ({ net, vat }: { net: SQLWrapper; vat: SQLWrapper }) => ({
  net: total(net),
  vat: total(vat),
  gross: sql`${total(net)} + ${total(vat)}`.mapWith(Number),
})

type Period = { from: string; to: string }

/** Grouped by day and tier, which is the index's order, so SQLite sorts nothing. */
export const invoicedByTier = preparedQuery<Period>()((db, { from, to }) =>
  db
    .select({ tierSlug: invoices.tierSlug, ...sumsOf(invoices) })
    .from(invoices)
    .where(and(gte(invoices.taxPoint, from), lt(invoices.taxPoint, to)))
    .groupBy(invoices.taxPoint, invoices.tierSlug),
)

type Late = { sequence: number; day: string }

/** Invoices after this sequence number that are dated before this day. */
export const invoicedLate = preparedQuery<Late>()((db, { sequence, day }) =>
  db
    .select(sumsOf(invoices))
    .from(invoices)
    .where(and(gt(invoices.sequence, sequence), lt(invoices.taxPoint, day))),
)

/** Refunds count on their own day, corrections on the invoice's. The `cross join` makes SQLite start from the few notes. */
function datedNotes(db: Db) {
  const { kind, sequence, net, vat, gross, issuedOn } = creditNotes
  const refunds = db.select({ day: issuedOn, sequence, net, vat, gross }).from(creditNotes).where(eq(kind, 'refund'))
  const corrections = db
    .select({ day: invoices.taxPoint, sequence, net, vat, gross })
    .from(creditNotes)
    .crossJoin(invoices)
    .where(and(eq(invoices.id, creditNotes.invoiceId), ne(kind, 'refund')))
  return unionAll(refunds, corrections).as('dated')
}

export const creditedIn = preparedQuery<Period>()((db, { from, to }) => {
  const dated = datedNotes(db)
  return db
    .select(sumsOf(dated))
    .from(dated)
    .where(and(gte(dated.day, from), lt(dated.day, to)))
})

/** Credit notes after this sequence number that count before this day. */
export const creditedLate = preparedQuery<Late>()((db, { sequence, day }) => {
  const dated = datedNotes(db)
  return db
    .select(sumsOf(dated))
    .from(dated)
    .where(and(gt(dated.sequence, sequence), lt(dated.day, day)))
})

const commissionSum = { amount: total(commissionLedger.amount) }

export const commissionOfMonth = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select(commissionSum).from(commissionLedger).where(eq(commissionLedger.month, month)),
)

export const commissionUntil = preparedQuery<{ month: string }>()((db, { month }) =>
  db.select(commissionSum).from(commissionLedger).where(lte(commissionLedger.month, month)),
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
