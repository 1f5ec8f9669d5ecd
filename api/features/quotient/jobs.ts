import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { cancelOrder } from './service.ts'

/** As long as the browser's key is known: until then the same purchase may go on. */
const keptDays = 7

/** Ends orders that were begun and never paid, and finishes what an earlier ending could not do at the provider. */
export async function cancelUnpaidOrders(ctx: Context): Promise<{ cancelled: number; failed: number }> {
  const before = new Date(ctx.billingNow().getTime() - keptDays * 86_400_000).toISOString()
  const found = ctx.sqlite
    .prepare<[string], { id: string }>(
      `select id from quotient_orders where (status = 'pending' and createdAt < ?) or (status = 'cancelled' and exists (
         select 1 from provider_invoices where provider_invoices.id = quotient_orders.stripeInvoiceId
           and provider_invoices.status in ('draft', 'open')))`,
    )
    .all(before)
  const report = { cancelled: 0, failed: 0 }
  for (const { id } of found) {
    try {
      await cancelOrder(ctx, id)
      report.cancelled += 1
    } catch (error) {
      // Paid in the meantime: the sync has seen to it.
      if (error instanceof AppError && error.code === 'already_paid') continue
      report.failed += 1
      ctx.log.warn('order not cancelled', { id, name: error instanceof Error ? error.name : 'unknown' })
    }
  }
  return report
}
