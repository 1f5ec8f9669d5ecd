import { and, asc, eq, gte, isNotNull, isNull, lt, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf, isTrue } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { providerEvents, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { cardChanges, duplicateSubscriptions, purchaseAttempts, subscriptions } from '#api/db/schema/subscriptions.ts'
import { selectLatePayments } from '#api/features/billing/arrears-service.ts'
import { reportUnknownCustomer } from '#api/features/billing/purchases/unknown-customers-service.ts'
import { isLiveSubscription } from '#api/features/billing/queries.ts'
import { problemOf } from '#api/stripe/found-customer.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { tierOf } from '#api/stripe/prices.ts'
import { isLive } from '#shared/rules/membership.ts'
import { reportUnknownPayment, unknownPayments } from './unknown-payments-service.ts'
import { customerOfEvent } from './webhook-service.ts'

const dayMs = 24 * 60 * 60 * 1000
/** So long after the last change of a customer nothing more is expected. */
const quietDays = 30
/** The provider lists events for as long. */
const listedDays = 30

/** Where quiet begins, by each clock: a time is compared with the clock that wrote it. */
type Since = { wall: string; billing: string }

/**
 * A condition on `customers`: nothing is live, open, pending or under way, everything was read, and the customer has been
 * quiet since.
 */
const isDormant = (db: Db, since: Since): SQL | undefined =>
  and(
    isNotNull(customers.syncedAt),
    eq(customers.ticketTaken, customers.ticketWritten),
    lt(customers.createdAt, since.billing),
    hasNoBilling(db, since),
    hasNothingPending(db),
    notInArray(
      customers.stripeCustomerId,
      db
        .select({ id: providerEvents.stripeCustomerId })
        .from(providerEvents)
        .where(
          and(
            isNotNull(providerEvents.stripeCustomerId),
            or(isNull(providerEvents.processedAt), gte(providerEvents.receivedAt, since.wall)),
          ),
        ),
    ),
  )

function hasNoBilling(db: Db, { billing }: Since): SQL | undefined {
  const liveSubscription = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.customerId, customers.id), or(isLiveSubscription, gte(subscriptions.endedAt, billing))))
  const openInvoice = db
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .where(
      and(
        eq(providerInvoices.customerId, customers.id),
        or(
          isOneOf(providerInvoices.status, 'draft', 'open'),
          gte(providerInvoices.created, billing),
          gte(providerInvoices.paidAt, billing),
        ),
      ),
    )
  const openRefund = db
    .select({ id: providerRefunds.id })
    .from(providerRefunds)
    .where(
      and(
        eq(providerRefunds.customerId, customers.id),
        or(isOneOf(providerRefunds.status, 'pending', 'requires_action'), gte(providerRefunds.created, billing)),
      ),
    )
  return and(notExists(liveSubscription), notExists(openInvoice), notExists(openRefund))
}

function hasNothingPending(db: Db): SQL | undefined {
  const duplicate = db
    .select({ id: duplicateSubscriptions.stripeSubscriptionId })
    .from(duplicateSubscriptions)
    .where(and(eq(duplicateSubscriptions.customerId, customers.id), isNull(duplicateSubscriptions.closedAt)))
  const cardChange = db
    .select({ id: cardChanges.stripeSetupIntentId })
    .from(cardChanges)
    .where(and(eq(cardChanges.customerId, customers.id), isNull(cardChanges.closedAt)))
  const attempt = db
    .select({ id: purchaseAttempts.id })
    .from(purchaseAttempts)
    .where(and(eq(purchaseAttempts.userId, customers.userId), isNull(purchaseAttempts.closedAt)))
  return and(
    notExists(selectLatePayments(db, customers.id)),
    notExists(duplicate),
    notExists(cardChange),
    notExists(attempt),
  )
}

const dueFields = { id: customers.id, userId: customers.userId, stripeCustomerId: customers.stripeCustomerId }

export type DueCustomer = Pick<typeof customers.$inferSelect, keyof typeof dueFields>
export type DueReadings = { customers: DueCustomer[]; skipped: number; unknown: number }

/** Every customer there is; `unknown` as below, by every payment that the provider has. */
export async function allReadings(ctx: Context): Promise<DueReadings> {
  const { unknown } = await findStrays(ctx, null)
  return { customers: ctx.db.select(dueFields).from(customers).orderBy(asc(customers.id)).all(), skipped: 0, unknown }
}

/**
 * Customers who are not dormant by our rows, and those who are not by what the provider says: it lists everything live,
 * what was paid lately and the events that it could not deliver, of whichever customer. `unknown` counts customers of the
 * provider that are nobody here.
 */
export async function dueReadings(ctx: Context): Promise<DueReadings> {
  const listedSince = Math.floor((ctx.billingNow().getTime() - listedDays * dayMs) / 1000)
  const { stray, unknown } = await findStrays(ctx, listedSince)
  const since = {
    wall: new Date(ctx.now().getTime() - quietDays * dayMs).toISOString(),
    billing: new Date(ctx.billingNow().getTime() - quietDays * dayMs).toISOString(),
  }
  const rows = ctx.db
    .select({ ...dueFields, isDormant: isTrue(sql`${isDormant(ctx.db, since)}`) })
    .from(customers)
    .orderBy(asc(customers.id))
    .all()
  const due = rows.filter(({ isDormant, stripeCustomerId }) => !isDormant || stray.has(stripeCustomerId))
  return {
    customers: due.map(({ isDormant: _, ...customer }) => customer),
    skipped: rows.length - due.length,
    unknown,
  }
}

/** Whom the provider names beyond our rows. Those who are nobody here are reported to the owners where they pay for what we sell. */
async function findStrays(ctx: Context, since: number | null) {
  const unread = await unknownSubscriptions(ctx)
  const payments = await unknownPayments(ctx, since)
  const missed = since === null ? [] : await customersOfMissedEvents(ctx, since)
  const stray = new Set([...unread, ...payments].map(({ customer }) => customer).concat(missed))
  // Read last: a customer who was made meanwhile is known by now.
  const rows = ctx.db.select({ id: customers.stripeCustomerId }).from(customers).all()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = [...stray].filter((id) => !known.has(id))
  if (unknown.length > 0)
    ctx.log.warn('the provider has customers that are nobody here', { unknown: unknown.join(' ') })
  const linked = new Set<string>()
  for (const { customer, isOurs, ...subscription } of unread) {
    if (!isOurs || known.has(customer)) continue
    linked.add(customer)
    reportUnknownCustomer(ctx, customer, subscription)
  }
  for (const payment of payments) {
    // Linking the membership takes in what was paid for it.
    if (!known.has(payment.customer) && !linked.has(payment.customer)) reportUnknownPayment(ctx, payment)
  }
  return { stray, unknown: unknown.length }
}

const liveSubscription = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), isLiveSubscription)),
)

/** Live subscriptions that are not live in our rows, with their customers; `isOurs`: to a tier of ours. */
async function unknownSubscriptions(ctx: Context) {
  const found: { id: string; customer: string; isOurs: boolean; problem: string | null }[] = []
  for await (const subscription of ctx.stripe.subscriptions.list({ limit: 100 })) {
    const { id, status, customer, items } = subscription
    if (!isLive(status) || liveSubscription.get(ctx, { id }) !== undefined) continue
    const isOurs = items.data.some(({ price }) => tierOf(price) !== null)
    found.push({ id, customer: idOf(customer), isOurs, problem: problemOf(subscription) })
  }
  return found
}

/** The customers of events that the provider could not deliver. */
async function customersOfMissedEvents(ctx: Context, since: number): Promise<string[]> {
  const created = { gte: since }
  const found: string[] = []
  for await (const event of ctx.stripe.events.list({ created, delivery_success: false, limit: 100 })) {
    const customer = await customerOfEvent(ctx, event)
    if (customer !== null) found.push(customer)
  }
  return found
}
