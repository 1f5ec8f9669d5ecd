import { eq, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { type Context, perContext } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { providerEvents, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { refreshBalance } from '#api/features/earnings/earned/balance-service.ts'
import { reportUnknownSubscription } from '#api/features/subscriptions/unknown-customers-service.ts'
import { findCustomerOfCharge, readEventSubject, readSoldSubscription, verifyWebhook } from '#api/stripe/webhooks.ts'
import { type SyncOutcome, syncCustomer } from './service.ts'

const eventById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ processedAt: providerEvents.processedAt }).from(providerEvents).where(eq(providerEvents.id, id)),
)

const setProcessed = preparedQuery<{ id: string; processedAt: string }>()((db, { id, processedAt }) =>
  db.update(providerEvents).set({ processedAt }).where(eq(providerEvents.id, id)),
)

/** Stripe sends these for every payment, refund and dispute, whatever else it sends. */
const movesMoney = /^(charge|refund)\./

/** The event's content is only a hint, and we never write it. Any failure throws, so that the provider sends it again. */
export async function receiveEvent(ctx: Context, rawBody: string, signature: string | null): Promise<void> {
  const secret = ctx.settings.stripe.webhookSecret
  const event = await verifyWebhook(ctx, { rawBody, signature, secret })
  const { id, type } = event
  const stripeCustomerId = await customerOfEvent(ctx, event)
  insertIfAbsent(ctx, providerEvents, { id, type, stripeCustomerId, receivedAt: ctx.now().toISOString() })
  if (eventById.get(ctx, { id })?.processedAt) return
  if (stripeCustomerId !== null && (await syncWithOthers(ctx, stripeCustomerId)) === 'unknown') {
    const sold = readSoldSubscription(event)
    if (sold !== null) await reportUnknownSubscription(ctx, stripeCustomerId, sold)
  }
  if (movesMoney.test(type)) await refreshBalance(ctx)
  setProcessed.run(ctx, { id, processedAt: ctx.now().toISOString() })
}

type Reading = { running: Promise<SyncOutcome>; next?: Promise<SyncOutcome> }

/** By customer: the running sync, and the one queued after it. */
const readingsOf = perContext(() => new Map<string, Reading>())

/** One payment sends a dozen events. Those that arrive during a sync share the next one, which starts after all of them. */
function syncWithOthers(ctx: Context, stripeCustomerId: string): Promise<SyncOutcome> {
  const readings = readingsOf(ctx)
  const begin = () => {
    const reading: Reading = { running: syncCustomer(ctx, stripeCustomerId) }
    const end = () => {
      if (reading.next === undefined) readings.delete(stripeCustomerId)
    }
    readings.set(stripeCustomerId, reading)
    reading.running.then(end, end)
    return reading.running
  }
  const current = readings.get(stripeCustomerId)
  if (current === undefined) return begin()
  current.next ??= current.running.then(begin, begin)
  return current.next
}

const customerOfRefundOrInvoice = preparedQuery<{ refundId: string | null; invoiceId: string | null }>()(
  (db, { refundId, invoiceId }) => {
    const ofRefund = db
      .select({ id: providerRefunds.customerId })
      .from(providerRefunds)
      .where(eq(providerRefunds.id, refundId))
    const ofInvoice = db
      .select({ id: providerInvoices.customerId })
      .from(providerInvoices)
      .where(eq(providerInvoices.id, invoiceId))
    return db
      .select({ stripeCustomerId: customers.stripeCustomerId })
      .from(customers)
      .where(eq(customers.id, sql`coalesce(${ofRefund}, ${ofInvoice})`))
  },
)

/** A refund or payment may name only its invoice. A dispute names only its charge, so we ask the provider. */
export async function customerOfEvent(ctx: Context, event: Stripe.Event): Promise<string | null> {
  const { customer, refundId, invoiceId, disputedCharge } = readEventSubject(event)
  if (disputedCharge !== null) return findCustomerOfCharge(ctx, disputedCharge)
  return customer ?? customerOfRefundOrInvoice.get(ctx, { refundId, invoiceId })?.stripeCustomerId ?? null
}
