import { and, eq, getTableColumns, isNull, lt, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { contentOf } from '#api/site/content.ts'
import { type AdminQuotientOrder, type AdminQuotientOrderQuery, toSetUp } from '#shared/contract/quotient.ts'
import { tradeNamesOf } from '#shared/rules/trade-names.ts'

export type QuotientOrder = typeof quotientOrders.$inferSelect

export const findOrder = (ctx: Context, id: string): QuotientOrder | undefined =>
  ctx.db.select().from(quotientOrders).where(eq(quotientOrders.id, id)).get()

/** Each order has its own customer at the provider. */
export const findOrderOfCustomer = (ctx: Context, stripeCustomerId: string) =>
  ctx.db
    .select({ id: quotientOrders.id, status: quotientOrders.status })
    .from(quotientOrders)
    .innerJoin(customers, eq(customers.id, quotientOrders.customerId))
    .where(eq(customers.stripeCustomerId, stripeCustomerId))
    .get()

const orderListing: Listing<'received' | 'name' | 'status'> = {
  id: quotientOrders.id,
  sorts: {
    received: quotientOrders.createdAt,
    name: sql`fold(concat_ws(' ', ${quotientOrders.lastName}, ${quotientOrders.firstName}))`,
    status: quotientOrders.status,
  },
  defaultSort: '-received',
  search: [
    quotientOrders.firstName,
    quotientOrders.lastName,
    quotientOrders.email,
    quotientOrders.phone,
    quotientOrders.businessName,
  ],
}

type OrderRequest = AdminQuotientOrderQuery & { limit: number }

export function listOrders(ctx: Context, request: OrderRequest): ListPage<AdminQuotientOrder> {
  const shown = shownOf(request.show)
  const page = readPage<'received' | 'name' | 'status', QuotientOrder>(orderListing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...getTableColumns(quotientOrders), position })
        .from(quotientOrders)
        .where(and(shown, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countWhere(ctx, quotientOrders, and(shown, ...where)),
  })
  return { ...page, rows: page.rows.map((order) => toAdminOrder(ctx, order)) }
}

function shownOf(show: AdminQuotientOrderQuery['show']) {
  if (show === toSetUp) return and(isOneOf(quotientOrders.status, 'paid'), isNull(quotientOrders.setUpOn))
  return show && eq(quotientOrders.status, show)
}

export function toAdminOrder(ctx: Context, order: QuotientOrder): AdminQuotientOrder {
  const { agreeToTerms: _, customerId: _customer, stripeInvoiceId: _invoice, ...shown } = order
  const { quotient, manufacturers } = tradeNamesOf(contentOf(ctx).read())
  const { tradeType, preferredManufacturer: preferred } = shown
  return {
    ...shown,
    tradeName: tradeType && quotient[tradeType],
    manufacturerName: preferred && manufacturers[preferred],
  }
}

/** Orders started before `before` and never paid, and cancelled ones whose invoice is still open at the provider. */
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
