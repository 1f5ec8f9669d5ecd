import type { Context } from '#api/context.ts'
import { reconcile } from '#api/features/reconcile/jobs.ts'
import { freezeMonths } from '#api/features/revenue/jobs.ts'
import { openMonths } from '#api/features/revenue/month-service.ts'

/**
 * Freezes the months that have ended, as the provider has them: customers are read again before, since what a server that
 * was away did not hear of would stay wrong for good. Where the provider cannot be read, the months stay open.
 */
export async function endMonths(ctx: Context) {
  if (openMonths(ctx).length > 1) await reconcile(ctx, { all: false, mustBeWhole: true })
  return freezeMonths(ctx)
}
