import { and, desc, eq, lt, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { customers } from '#api/db/schema/customers.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import type { AdminQuotientOrder } from '#shared/contract/quotient.ts'

export type QuotientOrder = typeof quotientOrders.$inferSelect

export const findOrder = (ctx: Context, id: string): QuotientOrder | undefined =>
  ctx.db.select().from(quotientOrders).where(eq(quotientOrders.id, id)).get()

/** Each order has a customer of its own at the provider. */
export const findOrderOfCustomer = (ctx: Context, stripeCustomerId: string) =>
  ctx.db
    .select({ id: quotientOrders.id, status: quotientOrders.status })
    .from(quotientOrders)
    .innerJoin(customers, eq(customers.id, quotientOrders.customerId))
    .where(eq(customers.stripeCustomerId, stripeCustomerId))
    .get()

/** The newest first; pages follow the id. */
export function listOrders(ctx: Context, { limit, cursor }: { limit: number; cursor: string | undefined }) {
  return ctx.db
    .select()
    .from(quotientOrders)
    .where(lt(quotientOrders.id, cursor ?? '~'))
    .orderBy(desc(quotientOrders.id))
    .limit(limit)
    .all()
    .map(toAdminOrder)
}

function toAdminOrder(order: QuotientOrder): AdminQuotientOrder {
  const { agreeToTerms: _, customerId: _customer, stripeInvoiceId: _invoice, ...shown } = order
  return shown
}

/** Orders that were started before `before` and never paid, and cancelled ones whose invoice the provider has not closed yet. */
export const listOrdersToCancel = (ctx: Context, before: string) =>
  ctx.db
    .select({ id: quotientOrders.id })
    .from(quotientOrders)
    .leftJoin(providerInvoices, eq(providerInvoices.id, quotientOrders.stripeInvoiceId))
    .where(
      or(
        and(isOneOf(quotientOrders.status, 'pending'), lt(quotientOrders.createdAt, before)),
        and(isOneOf(quotientOrders.status, 'cancelled'), isOneOf(providerInvoices.status, 'draft', 'open')),
      ),
    )
    .all()
