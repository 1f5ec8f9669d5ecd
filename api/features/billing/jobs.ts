import type { Context } from '#api/context.ts'
import { cancelIfUnpaid } from '#api/features/billing/cancellation/provider-service.ts'
import { abandonCardChanges } from '#api/features/billing/cards/changes-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Cancels at the provider what was begun a day ago and never given a card: set-ups of another card, and trials. */
export async function cancelUnfinished(ctx: Context) {
  const before = new Date(ctx.billingNow().getTime() - dayMs)
  const report = { cards: await abandonCardChanges(ctx, before), trials: 0, failed: 0 }
  for (const { id, stripeCustomerId } of trialsWithoutCard(ctx, before)) {
    try {
      // Its card may have come with news that did not.
      await syncCustomer(ctx, stripeCustomerId)
      if (!trialsWithoutCard(ctx, before).some((trial) => trial.id === id)) continue
      await cancelIfUnpaid(ctx, id)
      await syncCustomer(ctx, stripeCustomerId)
      report.trials += 1
    } catch (error) {
      report.failed += 1
      ctx.log.warn('trial without a card not cancelled', {
        stripeCustomerId,
        name: error instanceof Error ? error.name : 'unknown',
      })
    }
  }
  return report
}

const trialsWithoutCard = (ctx: Context, before: Date) =>
  ctx.sqlite
    .prepare<[string], { id: string; stripeCustomerId: string }>(
      `select subscriptions.id, stripeCustomerId from subscriptions join customers on customers.id = customerId
       where status = 'trialing' and isSettled = 0 and created < ?`,
    )
    .all(before.toISOString())
