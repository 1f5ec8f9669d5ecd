import { and, eq, lt } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { customers } from '#api/db/schema/customers.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { abandonCardChanges } from '#api/features/subscriptions/card-changes-service.ts'
import { cancelIfUnpaid } from '#api/features/subscriptions/provider-service.ts'
import { endUpgrade, listExpiredUpgrades } from '#api/features/subscriptions/upgrade-attempts-service.ts'
import { errorName } from '#api/log.ts'
import { isUnreachable } from '#api/stripe/errors.ts'
import { dayMs } from '#shared/rules/durations.ts'

/** Cancels what was started a day ago and never got a card: card setups and trials. */
export async function cancelUnfinished(ctx: Context) {
  const before = new Date(ctx.billingNow().getTime() - dayMs)
  const report = { cards: await abandonCardChanges(ctx, before), trials: 0, failed: 0 }
  for (const { id, stripeCustomerId } of trialsWithoutCard(ctx, before)) {
    try {
      // It may have a card by now whose webhook never arrived.
      await syncCustomer(ctx, stripeCustomerId)
      if (!trialsWithoutCard(ctx, before).some((trial) => trial.id === id)) continue
      await cancelIfUnpaid(ctx, id)
      await syncCustomer(ctx, stripeCustomerId)
      report.trials += 1
    } catch (error) {
      if (isUnreachable(error)) throw error
      report.failed += 1
      ctx.log.warn('trial without a card not cancelled', {
        stripeCustomerId,
        name: errorName(error),
      })
    }
  }
  return report
}

/** Ends upgrades that were shown or started ten minutes ago and not paid. */
export async function endExpiredUpgrades(ctx: Context) {
  const report = { ended: 0, failed: 0 }
  for (const { upgrade, stripeCustomerId } of listExpiredUpgrades(ctx)) {
    try {
      if ((await endUpgrade(ctx, upgrade, 'expired')) === null) continue
      if (upgrade.startedAt !== null) await syncCustomer(ctx, stripeCustomerId)
      report.ended += 1
    } catch (error) {
      report.failed += 1
      ctx.log.warn('upgrade not ended', { stripeCustomerId, name: errorName(error) })
    }
  }
  return report
}

const trialsWithoutCard = (ctx: Context, before: Date) =>
  ctx.db
    .select({ id: subscriptions.id, stripeCustomerId: customers.stripeCustomerId })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .where(
      and(
        isOneOf(subscriptions.status, 'trialing'),
        eq(subscriptions.isSettled, false),
        lt(subscriptions.created, before.toISOString()),
      ),
    )
    .all()
