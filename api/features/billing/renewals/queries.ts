import { and, asc, desc, eq, gt, gte, isNull, lte, notExists, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { greatest, isOneOf, isTrue, jsonFieldOf, nullable, settledPeriod, tookMoney } from '#api/db/expressions.ts'
import type { HasDb } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay } from '#shared/rules/london.ts'
import type { RenewalNoticeKind } from '#shared/rules/renewal-notices.ts'

const { currentPeriodEnd } = subscriptions

/** What falls due at the end of its period is charged then: it isn't set to end before, and isn't paused. */
const isCharged = and(
  isOneOf(subscriptions.status, 'active', 'trialing'),
  eq(subscriptions.isSettled, true),
  eq(subscriptions.cancelAtPeriodEnd, false),
  or(isNull(subscriptions.cancelAt), gt(subscriptions.cancelAt, currentPeriodEnd)),
  or(isNull(subscriptions.collectionPause), lte(subscriptions.collectionResumesAt, currentPeriodEnd)),
)

/** The period that ends, or the one that's booked to begin, is a year or longer. A first payment renews nothing. */
const isYears = and(
  isOneOf(subscriptions.status, 'active'),
  or(
    gte(subscriptions.chargeMonths, 12),
    gte(subscriptions.chargeDays, 365),
    gte(jsonFieldOf(subscriptions.nextTierPrice, 'months'), 12),
  ),
)

/** The newest period paid for, or free by our discount, at today's tier. Pence including VAT. */
const settled = (offset: 0 | 1) => sql`(
  select ${providerInvoices.total} from ${providerInvoices}
  where ${and(
    eq(providerInvoices.subscriptionId, subscriptions.id),
    eq(providerInvoices.tierSlug, subscriptions.tierSlug),
    settledPeriod(),
  )}
  order by ${desc(providerInvoices.created)} limit 1 offset ${sql.raw(String(offset))})`

/** The day of the last payment that they were told of in one of these ways. */
const toldOf = (...kinds: RenewalNoticeKind[]) => sql`(
  select ${greatest(renewalNotices.renewsOn)} from ${renewalNotices}
  where ${and(eq(renewalNotices.subscriptionId, subscriptions.id), isOneOf(renewalNotices.kind, ...kinds))})`

const fields = {
  subscription: subscriptions,
  stripeCustomerId: customers.stripeCustomerId,
  isYears: isTrue(sql`${isYears}`),
  lastTotal: nullable(providerInvoices.total, settled(0)),
  toldOf: nullable(renewalNotices.renewsOn, toldOf('reminder', 'full-price', 'cooling-off')),
  userId: nullable(users.id),
  firstName: users.firstName,
  lastName: users.lastName,
  email: nullable(users.email),
}

type Within = { now: Date; days: number; only?: SQL | undefined }

/** Of the subscriptions to be charged by then, soonest first. Always one statement. */
export const listRenewals = ({ db }: HasDb, { now, days, only }: Within) =>
  db
    .select(fields)
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .leftJoin(users, eq(users.id, customers.userId))
    .where(
      and(
        isCharged,
        gt(currentPeriodEnd, now.toISOString()),
        lte(currentPeriodEnd, new Date(now.getTime() + days * dayMs).toISOString()),
        only,
      ),
    )
    .orderBy(asc(currentPeriodEnd), asc(subscriptions.id))
    .all()
    .map(({ subscription, ...row }) => ({
      ...row,
      subscription,
      renewsOn: londonDay(new Date(subscription.currentPeriodEnd ?? now)),
    }))

export type Renewal = ReturnType<typeof listRenewals>[number]

export const listYearsRenewals = (db: HasDb, { only, ...within }: Within) =>
  listRenewals(db, { ...within, only: and(isYears, only) })

/** The notices of payments from this day on, each with what became of its email. */
export function noticesFrom({ db }: HasDb, today: string) {
  const rows = db
    .select({
      subscriptionId: renewalNotices.subscriptionId,
      kind: renewalNotices.kind,
      renewsOn: renewalNotices.renewsOn,
      amount: renewalNotices.amount,
      status: nullable(mailOutbox.status),
    })
    .from(renewalNotices)
    .leftJoin(mailOutbox, eq(mailOutbox.cause, renewalNotices.cause))
    .where(gte(renewalNotices.renewsOn, today))
    .orderBy(asc(renewalNotices.toldAt), asc(renewalNotices.id))
    .all()
  const byRenewal = Map.groupBy(rows, ({ subscriptionId, renewsOn }) => `${subscriptionId} ${renewsOn}`)
  return ({ subscription, renewsOn }: Pick<Renewal, 'subscription' | 'renewsOn'>) =>
    byRenewal.get(`${subscription.id} ${renewsOn}`) ?? []
}

export type Notice = ReturnType<ReturnType<typeof noticesFrom>>[number]

const newestPayment = (field: SQLiteColumn) => sql`(
  select ${field} from ${providerInvoices}
  where ${and(eq(providerInvoices.subscriptionId, subscriptions.id), tookMoney())}
  order by ${desc(providerInvoices.created)} limit 1)`

/** Paid subscriptions whose period began since then, with the newest payment, and what the one before was. */
export const listBegun = ({ db }: HasDb, since: string) =>
  db
    .select({
      subscription: subscriptions,
      paid: nullable(providerInvoices.total, newestPayment(providerInvoices.total)),
      paidFor: nullable(providerInvoices.created, newestPayment(providerInvoices.created)),
      totalBefore: nullable(providerInvoices.total, settled(1)),
      toldOfFullPrice: nullable(renewalNotices.renewsOn, toldOf('full-price')),
      userId: nullable(users.id),
      firstName: users.firstName,
      email: nullable(users.email),
    })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .innerJoin(users, eq(users.id, customers.userId))
    .where(
      and(
        isOneOf(subscriptions.status, 'active'),
        gte(subscriptions.currentPeriodStart, since),
        notExists(
          db
            .select({ id: renewalNotices.id })
            .from(renewalNotices)
            .where(
              and(
                eq(renewalNotices.subscriptionId, subscriptions.id),
                isOneOf(renewalNotices.kind, 'cooling-off'),
                gte(renewalNotices.toldAt, subscriptions.currentPeriodStart),
              ),
            ),
        ),
      ),
    )
    .all()

export type Begun = ReturnType<typeof listBegun>[number]
