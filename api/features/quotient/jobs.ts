import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { listOrdersToCancel } from '#api/features/orders/queries.ts'
import { errorName } from '#api/log.ts'
import { isUnreachable } from '#api/stripe/errors.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { cancelOrder } from './service.ts'

/** As long as we keep the browser's key: until then, the same purchase can continue. */
const retentionDays = 7

/** Cancels orders that were started and never paid, and retries cancellations the provider didn't complete. */
export async function cancelUnpaidOrders(ctx: Context): Promise<{ cancelled: number; failed: number }> {
  const before = new Date(ctx.billingNow().getTime() - retentionDays * dayMs).toISOString()
  const report = { cancelled: 0, failed: 0 }
  for (const { id } of listOrdersToCancel(ctx, before)) {
    try {
      await cancelOrder(ctx, id)
      report.cancelled += 1
    } catch (error) {
      // The buyer paid in the meantime, and the sync has marked it.
      if (error instanceof AppError && error.code === 'already_paid') continue
      if (isUnreachable(error)) throw error
      report.failed += 1
      ctx.log.warn('order not cancelled', { id, name: errorName(error) })
    }
  }
  return report
}
