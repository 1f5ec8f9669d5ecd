import type { Context } from '#api/context.ts'
import { syncCustomer } from '#api/stripe/sync.ts'

/** Reads every customer afresh, so that news that never arrived is made good. One that cannot be read does not stop the rest. */
export async function reconcile(ctx: Context): Promise<{ customers: number; failed: number }> {
  const customers = ctx.sqlite.prepare<[], { stripeCustomerId: string }>('select stripeCustomerId from customers').all()
  let failed = 0
  for (const { stripeCustomerId } of customers) {
    try {
      await syncCustomer(ctx, stripeCustomerId)
    } catch (error) {
      failed += 1
      ctx.log.warn('customer not reconciled', {
        stripeCustomerId,
        name: error instanceof Error ? error.name : 'unknown',
      })
    }
  }
  return { customers: customers.length, failed }
}
