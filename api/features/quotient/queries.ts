import { desc, eq, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import type { AdminQuotientOrder } from '#shared/contract/quotient.ts'

export type QuotientOrder = typeof quotientOrders.$inferSelect

export const findOrder = (ctx: Context, id: string): QuotientOrder | undefined =>
  ctx.db.select().from(quotientOrders).where(eq(quotientOrders.id, id)).get()

/** The newest first; pages follow the id. */
export function listOrders(ctx: Context, { limit, cursor }: { limit: number; cursor: string | undefined }) {
  return ctx.db
    .select()
    .from(quotientOrders)
    .where(lt(quotientOrders.id, cursor ?? '~'))
    .orderBy(desc(quotientOrders.id))
    .limit(limit)
    .all()
    .map(forOwners)
}

function forOwners(order: QuotientOrder): AdminQuotientOrder {
  const { agreeToTerms: _, customerId: _customer, stripeInvoiceId: _invoice, ...shown } = order
  return shown
}

/** Never to be paid: from this moment a payment that is being begun for it is taken back. A paid one stays as it is. */
export function markCancelled(ctx: Context, id: string): void {
  ctx.sqlite.prepare(`update quotient_orders set status = 'cancelled' where id = ? and status = 'pending'`).run(id)
}
