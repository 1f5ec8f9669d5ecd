import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow } from '#api/db/insert.ts'
import { customers } from '#api/db/schema/customers.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { AppError } from '#api/errors.ts'
import { findOrder, type QuotientOrder } from '#api/features/orders/queries.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { agreedTerms } from '#api/site/content.ts'
import { createCustomer } from '#api/stripe/customers.ts'
import { toAppError } from '#api/stripe/errors.ts'
import { closeInvoice } from '#api/stripe/invoices.ts'
import { finalizeOneOff, getOrCreateDraft, type OneOffSale } from '#api/stripe/one-off-invoices.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { Id } from '#shared/contract/fields.ts'
import type { CreateQuotientPaymentRequest, CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { withVat } from '#shared/rules/money.ts'
import { quotientInvoiceLines, quotientPrices } from '#shared/rules/quotient-setups.ts'

type Order = Omit<CreateQuotientPaymentRequest, 'billingAddress' | 'termsVersion'>

const OrderReference = v.object({ orderId: Id })

/** A repeat with the same key continues the same order. Until it's paid, the buyer may add or change the billing address. */
export async function createQuotientPayment(
  ctx: Context,
  { billingAddress, termsVersion, ...wanted }: CreateQuotientPaymentRequest,
  key: string | undefined,
): Promise<CreateQuotientPaymentResponse> {
  assertPriceUnchanged(wanted)
  const scope = 'create-quotient-payment'
  const { orderId } = runOncePerKey(ctx, { scope, key, body: wanted }, OrderReference, () => ({
    orderId: insertOrder(ctx, wanted, agreedTerms(ctx, termsVersion)),
  }))
  if (billingAddress) saveAddress(ctx, orderId, billingAddress)
  try {
    if (wanted.replaces !== undefined && wanted.replaces !== orderId) await cancelOrder(ctx, wanted.replaces)
    return await withKeyLock(ctx, orderId, () => getOrCreatePayment(ctx, orderId))
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

function assertPriceUnchanged({ packageType, packagePrice }: Order): void {
  if (packagePrice !== undefined && packagePrice !== quotientPrices[packageType]) {
    throw new AppError('price_changed', 'The price has changed. Check your package again.')
  }
}

function insertOrder(
  ctx: Context,
  { name, replaces: _, packagePrice: _shown, ...wanted }: Order,
  termsVersion: string,
): string {
  const id = ctx.newId()
  const [first = name, ...rest] = name.split(/\s+/)
  insertRow(ctx, quotientOrders, {
    ...wanted,
    id,
    termsVersion,
    firstName: wanted.firstName ?? first,
    lastName: wanted.lastName ?? rest.join(' '),
    businessName: wanted.businessName ?? '',
    agreeToTerms: wanted.agreeToTerms === true,
    ...withVat(quotientPrices[wanted.packageType]),
    createdAt: ctx.billingNow().toISOString(),
  })
  return id
}

function saveAddress(ctx: Context, orderId: string, address: BillingAddress): void {
  if (findOrder(ctx, orderId)?.status !== 'pending') return
  ctx.db.update(quotientOrders).set({ address }).where(eq(quotientOrders.id, orderId)).run()
}

const alreadyPaid = () =>
  new AppError('already_paid', 'You’ve already paid for this order. You haven’t been charged again.')
const orderEnded = () =>
  new AppError('conflict', 'You’ve started another order, or this one has expired. Carry on from your details.')

/** Stores each step's result straight away, so that a repeat continues after the last one. */
async function getOrCreatePayment(ctx: Context, orderId: string): Promise<CreateQuotientPaymentResponse> {
  const order = await withCustomer(ctx, orderId)
  const sale: OneOffSale = {
    key: order.id,
    customer: order.stripeCustomerId,
    description: quotientInvoiceLines[order.packageType],
    net: order.net,
    metadata: { quotientOrder: order.id },
  }
  const invoiceId = order.stripeInvoiceId ?? (await getOrCreateDraft(ctx, sale))
  ctx.db.update(quotientOrders).set({ stripeInvoiceId: invoiceId }).where(eq(quotientOrders.id, order.id)).run()
  const { status, confirmation_secret: secret, subtotal } = await finalizeOneOff(ctx, invoiceId, sale)
  if (status === 'paid') {
    await syncCustomer(ctx, order.stripeCustomerId)
    throw alreadyPaid()
  }
  // Another tab may have replaced the order, or the provider ended it. Never offer an invoice whose amount differs.
  if (findPendingOrder(ctx, orderId) === null || status !== 'open' || !secret || subtotal !== order.net) {
    await cancelOrder(ctx, orderId)
    throw orderEnded()
  }
  const { net, vat, total } = order
  return { clientSecret: secret.client_secret, orderId, net, vat, total }
}

/** Null if it was cancelled; throws if it's paid. */
function findPendingOrder(ctx: Context, orderId: string): QuotientOrder | null {
  const order = findOrder(ctx, orderId)
  if (order?.status === 'paid' || order?.status === 'refunded') throw alreadyPaid()
  return order?.status === 'pending' ? order : null
}

async function withCustomer(ctx: Context, orderId: string): Promise<QuotientOrder & { stripeCustomerId: string }> {
  const order = findPendingOrder(ctx, orderId)
  if (order === null) throw orderEnded()
  if (order.customerId !== null) return { ...order, stripeCustomerId: stripeCustomerOf(ctx, order.customerId) }
  const stripeCustomerId = await createCustomer(ctx, order.id, {
    email: order.email,
    name: `${order.firstName} ${order.lastName}`.trim(),
    metadata: { quotientOrder: order.id },
  })
  const customerId = insertCustomer(ctx, stripeCustomerId)
  ctx.db.update(quotientOrders).set({ customerId }).where(eq(quotientOrders.id, order.id)).run()
  return { ...order, customerId, stripeCustomerId }
}

/** The customer row the order's payments belong to. The buyer has no account here. */
export function insertCustomer(ctx: Context, stripeCustomerId: string): string {
  const createdAt = ctx.billingNow().toISOString()
  insertIfAbsent(ctx, customers, { id: ctx.newId(), stripeCustomerId, createdAt })
  const row = ctx.db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.stripeCustomerId, stripeCustomerId))
    .get()
  if (row === undefined) throw new Error(`Customer ${stripeCustomerId} was not stored`)
  return row.id
}

function stripeCustomerOf(ctx: Context, customerId: string): string {
  const row = ctx.db
    .select({ stripeCustomerId: customers.stripeCustomerId })
    .from(customers)
    .where(eq(customers.id, customerId))
    .get()
  if (row === undefined) throw new Error(`No customer ${customerId}`)
  return row.stripeCustomerId
}

/** Cancels an unpaid order, here first and then at the provider. Refused once it's paid; safe to repeat. */
export async function cancelOrder(ctx: Context, orderId: string): Promise<void> {
  markCancelled(ctx, orderId)
  const order = findOrder(ctx, orderId)
  if (order === undefined) return
  if (order.status !== 'cancelled') throw alreadyPaid()
  if (order.stripeInvoiceId === null || order.customerId === null) return
  const isClosed = await closeInvoice(ctx, order.stripeInvoiceId)
  await syncCustomer(ctx, stripeCustomerOf(ctx, order.customerId))
  // A deleted draft no longer appears in any sync, so delete our row.
  ctx.db
    .delete(providerInvoices)
    .where(and(eq(providerInvoices.id, order.stripeInvoiceId), eq(providerInvoices.status, 'draft')))
    .run()
  if (!isClosed) throw alreadyPaid()
}

/** Also cancels a payment that's being created right now. Leaves a paid order alone. */
function markCancelled(ctx: Context, id: string): void {
  ctx.db
    .update(quotientOrders)
    .set({ status: 'cancelled' })
    .where(and(eq(quotientOrders.id, id), eq(quotientOrders.status, 'pending')))
    .run()
}
