import { and, eq, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { AppError } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { toOwnerError } from '#api/stripe/errors.ts'
import { idOf, toInstant } from '#api/stripe/ids-and-times.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import { findPaidInvoice } from '#api/stripe/payments.ts'
import { BillingAddress } from '#shared/contract/billing.ts'
import { Id } from '#shared/contract/fields.ts'
import type { LostOrder, TakenInOrder } from '#shared/contract/lost-order.ts'
import { quotientInvoiceLines } from '#shared/rules/quotient-setups.ts'
import { quotientPackages } from '#shared/values/column-values.ts'
import { insertCustomer } from './service.ts'

/** Reads an order from the provider that was paid after the restored backup. Writes nothing. */
export async function findLostOrder(ctx: Context, invoiceId: string): Promise<LostOrder> {
  try {
    const found = await findPaidInvoice(ctx, invoiceId)
    if (found === null) throw new AppError('not_found', `Stripe doesn’t have ${invoiceId}.`)
    const { invoice, payer } = found
    const orderId = v.safeParse(Id, invoice.metadata?.quotientOrder)
    const packageType = quotientPackages.find((one) => invoice.lines.data[0]?.description === quotientInvoiceLines[one])
    const customer = idOf(invoice.customer)
    if (!orderId.success || packageType === undefined || customer === null)
      throw new AppError('conflict', `${invoiceId} isn’t for a Quotient setup sold here.`)
    const paidAt = invoice.status_transitions.paid_at
    if (invoice.amount_paid === 0 || paidAt === null) throw new AppError('conflict', `${invoiceId} hasn’t been paid.`)
    const net = invoice.total_excluding_tax ?? invoice.total
    return {
      invoice: invoiceId,
      orderId: orderId.output,
      customer,
      packageType,
      email: invoice.customer_email ?? payer?.email ?? '',
      name: invoice.customer_name ?? payer?.name ?? '',
      net,
      vat: invoice.total - net,
      total: invoice.total,
      paidAt: toInstant(paidAt),
      address: addressOf(payer?.address ?? null),
      isKnown: isInBooks(ctx, invoiceId),
    }
  } catch (error) {
    throw toOwnerError(ctx, error)
  }
}

function addressOf(typed: Stripe.Address | null): BillingAddress | null {
  const { line1, line2, city: town, postal_code: postcode, country } = typed ?? {}
  const parsed = v.safeParse(BillingAddress, { line1, ...(line2 && { line2 }), town, postcode, country })
  return parsed.success ? parsed.output : null
}

const isInBooks = ({ db }: Context, id: string): boolean =>
  db
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .innerJoin(quotientOrders, eq(quotientOrders.id, providerInvoices.quotientOrderId))
    .where(eq(providerInvoices.id, id))
    .get() !== undefined

/** Restores an order, then syncs its payment. Sends no mail, because everyone had theirs before. Safe to repeat. */
export async function takeInOrder(ctx: Context, { actor }: Owner, invoiceId: string): Promise<TakenInOrder> {
  const lost = await findLostOrder(ctx, invoiceId)
  const { orderId, customer } = lost
  return withKeyLock(ctx, orderId, async () => {
    const before = new Set(invoiceNumbers(ctx, invoiceId))
    transact(ctx, () => {
      if (isInBooks(ctx, invoiceId)) return
      const customerId = insertCustomer(ctx, customer)
      assertNobodys(ctx, customerId, customer)
      insertIfAbsent(ctx, quotientOrders, { ...orderOf(lost), customerId })
      // An order that's in the backup but was paid after it.
      const paid = { customerId, stripeInvoiceId: invoiceId }
      const isUnpaid = and(eq(quotientOrders.id, orderId), isNull(quotientOrders.stripeInvoiceId))
      ctx.db.update(quotientOrders).set(paid).where(isUnpaid).run()
      audit(ctx, actor, 'quotient-order.taken_in', { targetId: orderId, detail: { customer, invoice: invoiceId } })
    })
    await lookingAgainForOwner(ctx, () => syncCustomer(ctx, customer))
    return { orderId, invoices: invoiceNumbers(ctx, invoiceId).filter((number) => !before.has(number)) }
  })
}

function assertNobodys({ db }: Context, id: string, stripeCustomerId: string): void {
  const row = db.select({ userId: customers.userId }).from(customers).where(eq(customers.id, id)).get()
  if (row?.userId) throw new AppError('conflict', `${stripeCustomerId} is already linked to an account.`)
}

function orderOf({ invoice, orderId: id, packageType, email, name, net, vat, total, paidAt, address }: LostOrder) {
  const [firstName = name, ...rest] = name.split(/\s+/)
  return {
    id,
    packageType,
    firstName,
    lastName: rest.join(' '),
    email,
    businessName: '',
    net,
    vat,
    total,
    address,
    agreeToTerms: true,
    stripeInvoiceId: invoice,
    status: 'paid' as const,
    createdAt: paidAt,
    paidAt,
  }
}

const invoiceNumbers = ({ db }: Context, providerInvoiceId: string): string[] =>
  db
    .select({ number: invoices.number })
    .from(invoices)
    .where(eq(invoices.providerInvoiceId, providerInvoiceId))
    .orderBy(invoices.sequence)
    .all()
    .map(({ number }) => number)
