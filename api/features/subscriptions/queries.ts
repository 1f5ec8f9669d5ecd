import { and, asc, desc, eq, exists, isNotNull, not, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import {
  dueOf,
  gaveFreeMonth,
  isExtra,
  isNoneOf,
  isOneOf,
  isTrue,
  nullable,
  onlyRateOf,
  tookMoney,
} from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices } from '#api/db/schema/provider.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { isNotPaid } from './paid-upgrade-queries.ts'

const customerByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ id: customers.id, userId: customers.userId, stripeCustomerId: customers.stripeCustomerId })
    .from(customers)
    .where(eq(customers.userId, userId)),
)

/** The customer a user buys through; undefined before the first purchase. */
export const findCustomer = (ctx: Context, userId: string) => customerByUser.get(ctx, { userId })

export const isLiveSubscription = isNoneOf(subscriptions.status, ...endedStatuses)

const liveSubscriptionOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.customerId, customerId), isLiveSubscription)),
)

export const findLiveSubscription = (ctx: Context, customerId: string) =>
  liveSubscriptionOfCustomer.get(ctx, { customerId })

const paid = alias(providerInvoices, 'paid')

const isLong = sql`julianday(${paid.periodEnd}) - julianday(${paid.periodStart}) > 32`

/** The newest payment's net, for a query of `subscriptions`; null for part of a month, or a year. For a free month, its usual price. */
const paidNet = sql`(select iif(${paid.isUpgrade} or ${isLong}, null, coalesce(${paid.freeMonthNet}, ${paid.net}))
  from ${providerInvoices} ${paid}
  where ${and(eq(paid.subscriptionId, subscriptions.id), or(and(tookMoney(paid), not(isExtra(paid))), gaveFreeMonth(paid)))}
  order by ${paid.created} desc limit 1)`

const billedFieldsAt = (now: SQLWrapper) => ({
  stripePriceId: subscriptions.stripePriceId,
  cancelAtPeriodEnd: subscriptions.cancelAtPeriodEnd,
  cancelAt: subscriptions.cancelAt,
  tierSlug: subscriptions.tierSlug,
  yearlyNet: subscriptions.yearlyNet,
  nextPayment: subscriptions.nextPayment,
  trialEnd: subscriptions.trialEnd,
  collectionPause: subscriptions.collectionPause,
  collectionResumesAt: subscriptions.collectionResumesAt,
  hasMethod: isTrue(
    sql`exists (select 1 from ${paymentMethods} where ${eq(paymentMethods.customerId, subscriptions.customerId)})`,
  ),
  chargeTotal: subscriptions.chargeTotal,
  chargeVatRate: subscriptions.chargeVatRate,
  chargeMonths: subscriptions.chargeMonths,
  tierPriceId: subscriptions.tierPriceId,
  chargeDays: subscriptions.chargeDays,
  paidNet: nullable(paid.net, paidNet),
  nextTierSlug: subscriptions.nextTierSlug,
  nextTierAt: subscriptions.nextTierAt,
  nextTierNet: subscriptions.nextTierNet,
  nextTierPrice: subscriptions.nextTierPrice,
  isNextFree: subscriptions.isNextFree,
  endedAt: subscriptions.endedAt,
  isNotPaid: isNotPaid(subscriptions.id, now),
})

const nowOf = (ctx: Context) => ctx.billingNow().toISOString()

const subscriptionById = preparedQuery<{ id: string; now: string }>()((db, { id, now }) =>
  db.select(billedFieldsAt(now)).from(subscriptions).where(eq(subscriptions.id, id)),
)

export type BilledSubscription = NonNullable<ReturnType<typeof findSubscription>>
export const findSubscription = (ctx: Context, id: string) => subscriptionById.get(ctx, { id, now: nowOf(ctx) })

const openInvoiceFields = {
  id: providerInvoices.id,
  net: providerInvoices.net,
  vat: providerInvoices.vat,
  total: providerInvoices.total,
  vatRate: onlyRateOf(providerInvoices),
  due: dueOf(providerInvoices),
  fromCredit: providerInvoices.fromCredit,
  created: providerInvoices.created,
}

/** A draft extra isn't unpaid yet, because an owner is still writing it. */
const waitsFor = (payment: 'open' | 'openOrDraft' | 'ofPeriod') => {
  const conditions = {
    open: isOneOf(providerInvoices.status, 'open'),
    openOrDraft: or(
      isOneOf(providerInvoices.status, 'open'),
      and(isOneOf(providerInvoices.status, 'draft'), eq(providerInvoices.isKept, false), not(isExtra())),
    ),
    ofPeriod: and(isOneOf(providerInvoices.status, 'open', 'draft'), not(isExtra())),
  }
  // An unpaid upgrade is no debt: it ends, and nothing changes.
  return and(conditions[payment], eq(providerInvoices.isUpgrade, false))
}

/** A draft that a pause of payments kept. */
export const keptDraft = and(isOneOf(providerInvoices.status, 'draft'), eq(providerInvoices.isKept, true))

const keptDraftsByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ id: providerInvoices.id, total: providerInvoices.total, created: providerInvoices.created })
    .from(providerInvoices)
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .where(and(eq(customers.userId, userId), keptDraft))
    .orderBy(asc(providerInvoices.created)),
)

export const listKeptDrafts = (ctx: Context, userId: string) => keptDraftsByUser.all(ctx, { userId })

const newestPayment = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ lines: providerInvoices.lines, tierSlug: providerInvoices.tierSlug })
    .from(providerInvoices)
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .where(and(eq(customers.userId, userId), isOneOf(providerInvoices.status, 'open', 'paid'), not(isExtra())))
    .orderBy(desc(providerInvoices.created))
    .limit(1),
)

/**
 * Lines beside the tier's, such as an item added to the subscription at the provider. Rows read by an earlier version don't say which
 * line is the tier's.
 */
export function listAddOns(ctx: Context, userId: string) {
  const { lines = [], tierSlug = null } = newestPayment.get(ctx, { userId }) ?? {}
  const isTold = tierSlug !== null && lines.some((line) => line.tierSlug !== undefined && !line.isProration)
  const others = isTold ? lines.filter((line) => line.tierSlug === undefined && !line.isProration) : []
  return others.map(({ description, net, vat }) => ({ description, total: net + vat }))
}

/** A renewal comes before extras, because access depends on it. */
const newestInvoice = (payment: Parameters<typeof waitsFor>[0]) =>
  preparedQuery<{ subscriptionId: string }>()((db, { subscriptionId }) =>
    db
      .select(openInvoiceFields)
      .from(providerInvoices)
      .where(and(eq(providerInvoices.subscriptionId, subscriptionId), waitsFor(payment)))
      .orderBy(asc(isExtra()), desc(providerInvoices.created))
      .limit(1),
  )
const newestOpenInvoice = newestInvoice('open')
const newestOpenInvoiceOrDraft = newestInvoice('openOrDraft')
const newestOfPeriod = newestInvoice('ofPeriod')

export const findOpenInvoice = (ctx: Context, subscriptionId: string, { withDrafts }: { withDrafts: boolean }) =>
  (withDrafts ? newestOpenInvoiceOrDraft : newestOpenInvoice).get(ctx, { subscriptionId })

export const isPeriodUnpaid = (ctx: Context, subscriptionId: string): boolean =>
  newestOfPeriod.get(ctx, { subscriptionId }) !== undefined

const paymentMethodByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      type: paymentMethods.type,
      brand: paymentMethods.brand,
      last4: paymentMethods.last4,
      expMonth: paymentMethods.expMonth,
      expYear: paymentMethods.expYear,
      id: paymentMethods.stripePaymentMethodId,
    })
    .from(paymentMethods)
    .innerJoin(customers, eq(customers.id, paymentMethods.customerId))
    .where(eq(customers.userId, userId)),
)

export const findPaymentMethod = (ctx: Context, userId: string) => paymentMethodByUser.get(ctx, { userId })

const anyPayment = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .where(and(customerBelongsTo(userId), tookMoney()))
    .limit(1),
)

export const hasEverPaid = (ctx: Context, userId: string): boolean => anyPayment.get(ctx, { userId }) !== undefined

const membershipStart = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db.select({ since: users.membershipStartDate }).from(users).where(eq(users.id, userId)),
)

/** Whether a subscription ever gave this person access or charged them. */
export const hasBeenMember = (ctx: Context, userId: string): boolean =>
  (membershipStart.get(ctx, { userId })?.since ?? null) !== null || hasEverPaid(ctx, userId)

const isListed = (column: SQLWrapper, ids: SQLWrapper) => sql`${column} in (select value from json_each(${ids}))`

const subscriptionsByIds = preparedQuery<{ ids: string; now: string }>()((db, { ids, now }) =>
  db
    .select({ ...billedFieldsAt(now), id: subscriptions.id })
    .from(subscriptions)
    .where(isListed(subscriptions.id, ids)),
)

/** Extras first, then the oldest. The last one per subscription is what we ask the member to pay. */
const waitingInvoicesOf = preparedQuery<{ ids: string }>()((db, { ids }) =>
  db
    .select({
      subscriptionId: providerInvoices.subscriptionId,
      isDraft: isTrue(isOneOf(providerInvoices.status, 'draft')),
      ...openInvoiceFields,
    })
    .from(providerInvoices)
    .where(and(isListed(providerInvoices.subscriptionId, ids), waitsFor('openOrDraft')))
    .orderBy(desc(isExtra()), asc(providerInvoices.created)),
)

const formerMembersAmong = preparedQuery<{ ids: string }>()((db, { ids }) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        isListed(users.id, ids),
        or(
          isNotNull(users.membershipStartDate),
          exists(
            db
              .select({ id: providerInvoices.id })
              .from(providerInvoices)
              .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
              .where(and(customerBelongsTo(users.id), tookMoney())),
          ),
        ),
      ),
    ),
)

/** What many people's billing views need, in as many statements as one person's would. */
export function readBilled(ctx: Context, people: readonly { id: string; subscriptionId: string | null }[]) {
  const ids = JSON.stringify(people.flatMap(({ subscriptionId }) => subscriptionId ?? []))
  const found = new Map(subscriptionsByIds.all(ctx, { ids, now: nowOf(ctx) }).map(({ id, ...row }) => [id, row]))
  const waiting = waitingInvoicesOf.all(ctx, { ids })
  const open = new Map(waiting.filter(({ isDraft }) => !isDraft).map((row) => [row.subscriptionId, row]))
  const openOrDraft = new Map(waiting.map((row) => [row.subscriptionId, row]))
  const accounts = JSON.stringify(people.map(({ id }) => id))
  const members = new Set(formerMembersAmong.all(ctx, { ids: accounts }).map(({ id }) => id))
  return {
    subscription: (id: string): BilledSubscription | undefined => found.get(id),
    openInvoice: (id: string, { withDrafts }: { withDrafts: boolean }) => (withDrafts ? openOrDraft : open).get(id),
    hasBeenMember: (userId: string) => members.has(userId),
  }
}
