import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { AppError } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { onceByKey } from '#api/http/idempotency.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { toAppError } from '#api/stripe/errors.ts'
import {
  closeDemand,
  customerWithoutAccount,
  type Demand,
  draftDemand,
  openDemand,
} from '#api/stripe/one-off-invoices.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { Id } from '#shared/contract/fields.ts'
import type { CreateQuotientPaymentRequest, CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { quotientInvoiceLines, quotientPrices } from '#shared/contract/quotient-setups.ts'
import { withVat } from '#shared/rules/money.ts'
import { findOrder, markCancelled, type QuotientOrder } from './queries.ts'

type Order = Omit<CreateQuotientPaymentRequest, 'billingAddress'>

const Kept = v.object({ orderId: Id })

/**
 * Begins the purchase of a set-up: the order first, then its demand at the provider. The same key goes on with the same
 * order, whatever became of the first answer; the billing address may come, or change, until it is paid.
 */
export async function createQuotientPayment(
  ctx: Context,
  { billingAddress, ...wanted }: CreateQuotientPaymentRequest,
  key: string | undefined,
): Promise<CreateQuotientPaymentResponse> {
  refuseOtherPrice(wanted)
  const scope = 'create-quotient-payment'
  const { orderId } = onceByKey(ctx, { scope, key, body: wanted }, Kept, () => ({ orderId: addOrder(ctx, wanted) }))
  if (billingAddress) saveAddress(ctx, orderId, billingAddress)
  try {
    if (wanted.replaces !== undefined && wanted.replaces !== orderId) await cancelOrder(ctx, wanted.replaces)
    return await withKeyLock(ctx, orderId, () => waitingPayment(ctx, orderId))
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

function refuseOtherPrice({ packageType, packagePrice }: Order): void {
  if (packagePrice !== undefined && packagePrice !== quotientPrices[packageType]) {
    throw new AppError('price_changed', 'The price has changed. Please look at your package again.')
  }
}

function addOrder(ctx: Context, { name, replaces: _, packagePrice: _shown, ...wanted }: Order): string {
  const id = ctx.newId()
  const [first = name, ...rest] = name.split(/\s+/)
  ctx.db
    .insert(quotientOrders)
    .values({
      ...wanted,
      id,
      firstName: wanted.firstName ?? first,
      lastName: wanted.lastName ?? rest.join(' '),
      businessName: wanted.businessName ?? '',
      agreeToTerms: wanted.agreeToTerms === true,
      ...withVat(quotientPrices[wanted.packageType]),
      createdAt: ctx.billingNow().toISOString(),
    })
    .run()
  return id
}

function saveAddress(ctx: Context, orderId: string, address: BillingAddress): void {
  const order = findOrder(ctx, orderId)
  if (order?.status !== 'pending') return
  ctx.db.update(quotientOrders).set({ address }).where(eq(quotientOrders.id, orderId)).run()
}

const alreadyPaid = () => new AppError('already_paid', 'This order is paid already. Nothing more has been taken.')
const orderEnded = () =>
  new AppError('conflict', 'This order has given way to another one, or has ended. Please continue from your details.')

/** Each step is kept as it is done, so that a repeat goes on after the last one. */
async function waitingPayment(ctx: Context, orderId: string): Promise<CreateQuotientPaymentResponse> {
  const order = await withCustomer(ctx, orderId)
  const demand: Demand = {
    key: order.id,
    customer: order.stripeCustomerId,
    description: quotientInvoiceLines[order.packageType],
    net: order.net,
    metadata: { quotientOrder: order.id },
  }
  const invoiceId = order.stripeInvoiceId ?? (await draftDemand(ctx, demand))
  ctx.db.update(quotientOrders).set({ stripeInvoiceId: invoiceId }).where(eq(quotientOrders.id, order.id)).run()
  const { status, confirmation_secret: secret, subtotal } = await openDemand(ctx, invoiceId, demand)
  if (status === 'paid') {
    await syncCustomer(ctx, order.stripeCustomerId)
    throw alreadyPaid()
  }
  // Another tab may have put another order in its place in the meantime, or it was ended at the provider. What asks for
  // another amount than was ordered is never shown to be paid.
  if (liveOrder(ctx, orderId) === null || status !== 'open' || !secret || subtotal !== order.net) {
    await cancelOrder(ctx, orderId)
    throw orderEnded()
  }
  const { net, vat, total } = order
  return { clientSecret: secret.client_secret, orderId, net, vat, total }
}

/** Null where it ended; throws where it is paid. */
function liveOrder(ctx: Context, orderId: string): QuotientOrder | null {
  const order = findOrder(ctx, orderId)
  if (order?.status === 'paid' || order?.status === 'refunded') throw alreadyPaid()
  return order?.status === 'pending' ? order : null
}

async function withCustomer(ctx: Context, orderId: string): Promise<QuotientOrder & { stripeCustomerId: string }> {
  const order = liveOrder(ctx, orderId)
  if (order === null) throw orderEnded()
  if (order.customerId !== null) return { ...order, stripeCustomerId: providerCustomer(ctx, order.customerId) }
  const customer = await customerWithoutAccount(ctx, order.id, {
    email: order.email,
    name: `${order.firstName} ${order.lastName}`.trim(),
    metadata: { quotientOrder: order.id },
  })
  ctx.db.update(quotientOrders).set({ customerId: customer.id }).where(eq(quotientOrders.id, order.id)).run()
  return { ...order, customerId: customer.id, stripeCustomerId: customer.stripeCustomerId }
}

function providerCustomer(ctx: Context, customerId: string): string {
  const row = ctx.sqlite
    .prepare<[string], { stripeCustomerId: string }>('select stripeCustomerId from customers where id = ?')
    .get(customerId)
  if (row === undefined) throw new Error(`No customer ${customerId}`)
  return row.stripeCustomerId
}

/** Ends an order that nobody paid, here first and then at the provider. Refused once it is paid; may be repeated. */
export async function cancelOrder(ctx: Context, orderId: string): Promise<void> {
  markCancelled(ctx, orderId)
  const order = findOrder(ctx, orderId)
  if (order === undefined) return
  if (order.status !== 'cancelled') throw alreadyPaid()
  if (order.stripeInvoiceId === null || order.customerId === null) return
  const isClosed = await closeDemand(ctx, order.stripeInvoiceId)
  await syncCustomer(ctx, providerCustomer(ctx, order.customerId))
  // A draft that was deleted is in no reading any more.
  ctx.sqlite.prepare(`delete from provider_invoices where id = ? and status = 'draft'`).run(order.stripeInvoiceId)
  if (!isClosed) throw alreadyPaid()
}
