import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { readBalance } from '#api/features/earnings/earned/balance-service.ts'
import { errorMessage, errorName } from '#api/log.ts'
import { isOutage, isRejectedByStripe, isUnreachable, toOwnerError } from '#api/stripe/errors.ts'
import { countRepairs, noRepairs, repairCustomer } from './drift-service.ts'
import { allReadings, dueReadings } from './due-queries.ts'

/** One customer may break the connection; several in a row mean an outage. With retries, each takes a minute. */
const mostOutagesInARow = 3

const mostReasons = 3

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
  const reasons: string[] = []
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
      reasons.push(reasonOf(ctx, customer.stripeCustomerId, error))
      ctx.log.warn('customer not reconciled', {
        stripeCustomerId: customer.stripeCustomerId,
        name: errorName(error),
      })
      outagesInARow = isUnreachable(error) ? outagesInARow + 1 : 0
      const isAway = outagesInARow === Math.min(mostOutagesInARow, customers.length)
      if (isAway || (mustBeWhole && isOutage(error))) throw error
    }
  }
  return reasons.length === 0 ? report : { ...report, reasons: reasons.slice(0, mostReasons).join(' ') }
}

/** Stripe's own sentence names the object by its ID. Any other error may quote what a person typed. */
function reasonOf(ctx: Context, customer: string, error: unknown): string {
  const told = sentenceOf(ctx, error).replace(/[^.]$/, '$&.')
  return told.includes(customer) ? told : `${customer}: ${told}`
}

function sentenceOf(ctx: Context, error: unknown): string {
  if (isRejectedByStripe(error)) return errorMessage(error)
  const told = toOwnerError(ctx, error)
  return told instanceof AppError ? told.message : errorName(error)
}
