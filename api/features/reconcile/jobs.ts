import type { Context } from '#api/context.ts'
import { readBalance } from '#api/features/earned/balance-service.ts'
import { errorName } from '#api/log.ts'
import { isOutage, isUnreachable } from '#api/stripe/errors.ts'
import { countRepairs, noRepairs, repairCustomer } from './drift-service.ts'
import { allReadings, dueReadings } from './due-queries.ts'

/** One customer may break the connection; several in a row mean an outage. With retries, each takes a minute. */
const mostOutagesInARow = 3

type Readings = { all: boolean; mustBeWhole?: boolean }

/** The nightly job: every customer who may differ, then what moved our balance. */
export async function reconcile(ctx: Context, { all }: { all: boolean }) {
  const customers = await reconcileCustomers(ctx, { all })
  return { ...customers, transactions: await readBalance(ctx, { all }) }
}

/**
 * All customers, or without `all` those where anything may have changed, so that lost webhooks cost nothing. Counts differences:
 * `mended` in customers, the rest in rows. One unreadable customer doesn't stop the others. The run fails if the provider is
 * unreachable for all, or a few in a row, or with `mustBeWhole` for one.
 */
export async function reconcileCustomers(ctx: Context, { all, mustBeWhole = false }: Readings) {
  const { customers, skipped, unknown } = await (all ? allReadings(ctx) : dueReadings(ctx))
  const report = { customers: customers.length, skipped, unknown, failed: 0, mended: 0, ...noRepairs() }
  let outagesInARow = 0
  for (const customer of customers) {
    try {
      const { subscriptions, invoices, refunds, cards, users } = await repairCustomer(ctx, customer)
      report.mended += countRepairs({ subscriptions, invoices, refunds, cards, users }) > 0 ? 1 : 0
      report.subscriptions += subscriptions
      report.invoices += invoices
      report.refunds += refunds
      report.cards += cards
      report.users += users
      outagesInARow = 0
    } catch (error) {
      report.failed += 1
      ctx.log.warn('customer not reconciled', {
        stripeCustomerId: customer.stripeCustomerId,
        name: errorName(error),
      })
      outagesInARow = isUnreachable(error) ? outagesInARow + 1 : 0
      const isAway = outagesInARow === Math.min(mostOutagesInARow, customers.length)
      if (isAway || (mustBeWhole && isOutage(error))) throw error
    }
  }
  return report
}
