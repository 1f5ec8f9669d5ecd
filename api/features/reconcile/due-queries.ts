import { and, asc, eq, gte, isNotNull, isNull, lt, notExists, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf, isTrue } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { emailChanges } from '#api/db/schema/people.ts'
import { providerEvents, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { cardChanges, duplicateSubscriptions, purchaseAttempts, subscriptions } from '#api/db/schema/subscriptions.ts'
import { selectLatePayments } from '#api/features/subscriptions/arrears-service.ts'
import { isUntold } from '#api/features/subscriptions/provider-address-service.ts'
import { isLiveSubscription } from '#api/features/subscriptions/queries.ts'
import { reportUnknownCustomer } from '#api/features/subscriptions/unknown-customers-service.ts'
import { adoptionFacts } from '#api/stripe/adoption-facts.ts'
import { problemOf } from '#api/stripe/found-customer.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { tierOf } from '#api/stripe/prices.ts'
import { withAllItems } from '#api/stripe/tier-items.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { isLive } from '#shared/rules/membership.ts'
import { reportUnknownPayment, unknownPayments } from './unknown-payments-service.ts'
import { customerOfEvent } from './webhook-service.ts'

/** After this many days without a change, we expect nothing more about a customer. */
const quietDays = 30
/** How long the provider lists events. */
const listedDays = 30

/** The start of the quiet period by each clock, since a time is compared with the clock that wrote it. */
type Since = { wall: string; billing: string }

/** On `customers`: nothing is live, open, pending or under way, everything has been synced, and nothing has changed since. */
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
  const address = db.select({ id: emailChanges.id }).from(emailChanges).where(isUntold(customers.userId))
  return and(
    notExists(selectLatePayments(db, customers.id)),
    notExists(duplicate),
    notExists(cardChange),
    notExists(attempt),
    notExists(address),
    isNull(customers.waitingStart),
  )
}

const dueFields = { id: customers.id, userId: customers.userId, stripeCustomerId: customers.stripeCustomerId }

export type DueCustomer = Pick<typeof customers.$inferSelect, keyof typeof dueFields>
export type DueReadings = { customers: DueCustomer[]; skipped: number; unknown: number }

/** Every customer. `unknown` as below, but from all the provider's payments. */
export async function allReadings(ctx: Context): Promise<DueReadings> {
  const { unknown } = await findStrays(ctx, null)
  return { customers: ctx.db.select(dueFields).from(customers).orderBy(asc(customers.id)).all(), skipped: 0, unknown }
}

/** Customers not dormant by our rows or the provider. `unknown` counts provider customers we don't know. */
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

/** Customers the provider names beyond our rows. Reports unknown ones to the owners if they pay for something we sell. */
async function findStrays(ctx: Context, since: number | null) {
  const unread = await unknownSubscriptions(ctx)
  const payments = await unknownPayments(ctx, since)
  const missed = since === null ? [] : await customersOfMissedEvents(ctx, since)
  const stray = new Set([...unread, ...payments].map(({ customer }) => customer).concat(missed))
  // Read last, so that a customer created in the meantime is known.
  const rows = ctx.db.select({ id: customers.stripeCustomerId }).from(customers).all()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = [...stray].filter((id) => !known.has(id))
  if (unknown.length > 0) ctx.log.warn('Stripe has customers without an account here', { unknown: unknown.join(' ') })
  const linked = new Set<string>()
  for (const { customer, isOurs, ...subscription } of unread) {
    if (!isOurs || known.has(customer)) continue
    linked.add(customer)
    reportUnknownCustomer(ctx, customer, subscription)
  }
  for (const payment of payments) {
    // Linking the membership also imports its payments.
    if (!known.has(payment.customer) && !linked.has(payment.customer)) reportUnknownPayment(ctx, payment)
  }
  const waiting = since === null ? [] : await customersOfWaitingStarts(ctx)
  return { stray: new Set([...stray, ...waiting]), unknown: unknown.length }
}

const liveSubscription = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.id, id), isLiveSubscription)),
)

/** Subscriptions live at the provider but not in our rows, with their customers. `isOurs`: on one of our tiers. */
async function unknownSubscriptions(ctx: Context) {
  const found: { id: string; customer: string; isOurs: boolean; problem: string | null }[] = []
  for await (const subscription of ctx.stripe.subscriptions.list({ limit: 100 })) {
    const { id, status, customer } = subscription
    if (!isLive(status) || liveSubscription.get(ctx, { id }) !== undefined) continue
    const { items } = await withAllItems(ctx, subscription)
    const isOurs = items.data.some(({ price }) => tierOf(price) !== null)
    found.push({ id, customer: idOf(customer), isOurs, problem: problemOf(adoptionFacts(ctx, subscription)) })
  }
  return found
}

/** Schedules name no subscription before they begin one. */
async function customersOfWaitingStarts({ stripe }: Context): Promise<string[]> {
  const found: string[] = []
  for await (const { customer } of stripe.subscriptionSchedules.list({ scheduled: true, limit: 100 }))
    found.push(idOf(customer))
  return found
}

async function customersOfMissedEvents(ctx: Context, since: number): Promise<string[]> {
  const created = { gte: since }
  const found: string[] = []
  for await (const event of ctx.stripe.events.list({ created, delivery_success: false, limit: 100 })) {
    const customer = await customerOfEvent(ctx, event)
    if (customer !== null) found.push(customer)
  }
  return found
}
