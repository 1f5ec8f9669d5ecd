import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { closeMonths } from '#api/features/earnings/month-jobs.ts'
import { recordRevenueChanges } from '#api/features/earnings/revenue/change-service.ts'
import { issueInvoice } from '#api/features/invoices/issue-service.ts'
import { type Payment, paymentsWithoutInvoice } from '#api/features/invoices/queries.ts'
import { chooseSubscription } from '#api/features/reconcile/duplicates-service.ts'
import { readNextPayment } from '#api/features/reconcile/next-payment-service.ts'
import { runPendingActions } from '#api/features/reconcile/pending-service.ts'
import { readerOf, writeRows } from '#api/features/reconcile/rows-service.ts'
import { syncCustomer, takeTicket, writeReading } from '#api/features/reconcile/service.ts'
import { type ProviderState, readCustomer } from '#api/stripe/read-customer.ts'
import type { Bought } from './purchases-service.ts'

const customerOf = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db.select().from(customers).where(eq(customers.stripeCustomerId, stripeCustomerId)),
)

/** Customers by the provider's id, with their accounts. */
function addCustomers(ctx: Context, bought: Bought): void {
  const createdAt = ctx.now().toISOString()
  for (const [stripeCustomerId, userId] of bought)
    insertIfAbsent(ctx, customers, { id: ctx.newId(), userId, stripeCustomerId, createdAt })
}

function writeState(ctx: Context, stripeCustomerId: string, state: ProviderState) {
  const customer = customerOf.get(ctx, { stripeCustomerId })
  if (customer === undefined) throw new Error(`${stripeCustomerId} has no account.`)
  writeRows(ctx, customer, state, chooseSubscription(state).chosen)
  return customer
}

/** What a customer brings in at this time of the past. */
export async function noteRevenue(ctx: Context, stripeCustomerId: string, bought: Bought): Promise<void> {
  const state = await readCustomer(readerOf(ctx), stripeCustomerId)
  transact(ctx, () => {
    addCustomers(ctx, bought)
    recordRevenueChanges(ctx, writeState(ctx, stripeCustomerId, state))
  })
}

/**
 * Syncs customers whose payments happened while there was no site: each payment gets its invoice as of its day and in order, and
 * months that are over are closed. `at` gives the context of a time in the past.
 */
export async function writeHistory(ctx: Context, bought: Bought, at: (when: Date) => Context): Promise<void> {
  transact(ctx, () => addCustomers(ctx, bought))
  const tickets = transact(ctx, () => [...bought.keys()].map((id) => ({ id, ticket: takeTicket(ctx, id) })))
  const readings = await Array.fromAsync(tickets, async ({ id, ticket }) => {
    const state = await readCustomer(readerOf(ctx), id)
    return { id, ticket, state, next: await readNextPayment(ctx, state) }
  })
  transact(ctx, () => {
    const payments = readings.flatMap(({ id, state }) =>
      paymentsWithoutInvoice.all(ctx, { customerId: writeState(ctx, id, state).id }),
    )
    for (const payment of payments.toSorted((one, other) => paidAt(one).localeCompare(paidAt(other))))
      issueInvoice(at(new Date(paidAt(payment))), payment, { isRetroactive: false })
    for (const { ticket, state, next } of readings) if (ticket !== null) writeReading(ctx, ticket, state, { next })
  })
  closeMonths(ctx)
}

/** What a sync leaves to be done at the provider, such as voiding what's owed by members whose payments failed for good. */
export async function runPending(ctx: Context, bought: Bought): Promise<void> {
  for (const stripeCustomerId of bought.keys()) {
    const customer = customerOf.get(ctx, { stripeCustomerId })
    if (customer !== undefined && (await runPendingActions(ctx, customer))) await syncCustomer(ctx, stripeCustomerId)
  }
}

const paidAt = ({ paidAt: at, created }: Payment) => at ?? created
