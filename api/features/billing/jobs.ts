import type { Context } from '#api/context.ts'
import { abandonCardChanges } from '#api/stripe/card-changes.ts'
import { syncCustomer } from '#api/stripe/sync.ts'
import { cancelUnpaid } from '#api/stripe/withdraw.ts'
import { mendCustomer, mendedRows, nothingMended } from './drift.ts'
import { allReadings, dueReadings } from './due-readings.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Reads customers afresh, so that news that never arrived is made good: all of them, or without `all` those with whom
 * anything may have happened. Counts what was not as the provider says: `mended` in customers, the rest in rows. A customer
 * that cannot be read does not stop the others.
 */
export async function reconcile(ctx: Context, { all }: { all: boolean }) {
  const { customers, skipped, unknown } = all ? allReadings(ctx) : await dueReadings(ctx)
  const report = { customers: customers.length, skipped, unknown, failed: 0, mended: 0, ...nothingMended() }
  for (const customer of customers) {
    try {
      const { subscriptions, invoices, refunds, cards, users } = await mendCustomer(ctx, customer)
      report.mended += mendedRows({ subscriptions, invoices, refunds, cards, users }) > 0 ? 1 : 0
      report.subscriptions += subscriptions
      report.invoices += invoices
      report.refunds += refunds
      report.cards += cards
      report.users += users
    } catch (error) {
      report.failed += 1
      logFailure(ctx, 'customer not reconciled', customer.stripeCustomerId, error)
    }
  }
  return report
}

/** Cancels at the provider what was begun a day ago and never given a card: set-ups of another card, and trials. */
export async function cancelUnfinished(ctx: Context) {
  const before = new Date(ctx.billingNow().getTime() - dayMs)
  const report = { cards: await abandonCardChanges(ctx, before), trials: 0, failed: 0 }
  for (const { id, stripeCustomerId } of trialsWithoutCard(ctx, before)) {
    try {
      // Its card may have come with news that did not.
      await syncCustomer(ctx, stripeCustomerId)
      if (!trialsWithoutCard(ctx, before).some((trial) => trial.id === id)) continue
      await cancelUnpaid(ctx, id)
      await syncCustomer(ctx, stripeCustomerId)
      report.trials += 1
    } catch (error) {
      report.failed += 1
      logFailure(ctx, 'trial without a card not cancelled', stripeCustomerId, error)
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

function logFailure(ctx: Context, message: string, stripeCustomerId: string, error: unknown): void {
  ctx.log.warn(message, { stripeCustomerId, name: error instanceof Error ? error.name : 'unknown' })
}
