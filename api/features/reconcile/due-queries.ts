import type { Context } from '#api/context.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { isLive } from '#shared/rules/membership.ts'
import type { DriftingCustomer } from './drift-service.ts'
import { latePayments } from './pending-service.ts'
import { customerOf } from './webhook-service.ts'

const dayMs = 24 * 60 * 60 * 1000
/** So long after the last news of a customer nothing more is expected. */
const quietDays = 30
/** The provider lists events for as long. */
const listedDays = 30

/**
 * Nothing is live, open, owed or under way, he has been read to the end, and it is long since we heard of him. Dates are
 * compared with the clock that wrote them.
 */
const isSettled = `syncedAt is not null and ticketTaken = ticketWritten and createdAt < @billingSince
  and not exists (select 1 from subscriptions where customerId = customers.id
    and (status not in ('canceled', 'incomplete_expired') or endedAt >= @billingSince))
  and not exists (select 1 from provider_invoices where customerId = customers.id
    and (status in ('draft', 'open') or created >= @billingSince or paidAt >= @billingSince))
  and not exists (select 1 from provider_refunds where customerId = customers.id
    and (status in ('pending', 'requires_action') or created >= @billingSince))
  and not exists (${latePayments('customers.id')})
  and not exists (select 1 from withdrawals where customerId = customers.id and closedAt is null)
  and not exists (select 1 from card_changes where customerId = customers.id and closedAt is null)
  and not exists (select 1 from purchase_attempts where purchase_attempts.userId = customers.userId and closedAt is null)
  and stripeCustomerId not in (select stripeCustomerId from provider_events
    where stripeCustomerId is not null and (processedAt is null or receivedAt >= @since))`

export type DueReadings = { customers: DriftingCustomer[]; skipped: number; unknown: number }

/** Every customer there is. */
export const allReadings = ({ sqlite }: Context): DueReadings => ({
  customers: sqlite
    .prepare<[], DriftingCustomer>('select id, userId, stripeCustomerId from customers order by id')
    .all(),
  ...{ skipped: 0, unknown: 0 },
})

/**
 * Those who are not settled by our rows, and those of whom the provider says that they are not: it is asked for everything
 * live and for the events that did not reach us, whoever they are about. `unknown` are its subscriptions of nobody we know.
 */
export async function dueReadings(ctx: Context): Promise<DueReadings> {
  const stray = new Set([...(await strayCustomers(ctx)), ...(await unheardCustomers(ctx))])
  const since = {
    since: new Date(ctx.now().getTime() - quietDays * dayMs).toISOString(),
    billingSince: new Date(ctx.billingNow().getTime() - quietDays * dayMs).toISOString(),
  }
  const rows = ctx.sqlite
    .prepare<typeof since, DriftingCustomer & { isSettled: 0 | 1 }>(
      `select id, userId, stripeCustomerId, ${isSettled} as isSettled from customers order by id`,
    )
    .all(since)
  const known = new Set(rows.map(({ stripeCustomerId }) => stripeCustomerId))
  const due = rows.filter(({ isSettled, stripeCustomerId }) => isSettled === 0 || stray.has(stripeCustomerId))
  const unknown = [...stray].filter((id) => !known.has(id))
  if (unknown.length > 0)
    ctx.log.warn('the provider has subscriptions of customers that are nobody here', { unknown: unknown.join(' ') })
  return {
    customers: due.map(({ isSettled: _, ...customer }) => customer),
    skipped: rows.length - due.length,
    unknown: unknown.length,
  }
}

/** Whose live subscriptions are not live in our rows. */
async function strayCustomers(ctx: Context): Promise<string[]> {
  const live = ctx.sqlite.prepare<[string], unknown>(
    `select 1 from subscriptions where id = ? and status not in ('canceled', 'incomplete_expired')`,
  )
  const stray: string[] = []
  for await (const { id, status, customer } of ctx.stripe.subscriptions.list({ limit: 100 })) {
    if (isLive(status) && live.get(id) === undefined) stray.push(idOf(customer))
  }
  return stray
}

/** Whom events were about that the provider could not deliver. */
async function unheardCustomers(ctx: Context): Promise<string[]> {
  const created = { gte: Math.floor((ctx.billingNow().getTime() - listedDays * dayMs) / 1000) }
  const unheard: string[] = []
  for await (const event of ctx.stripe.events.list({ created, delivery_success: false, limit: 100 })) {
    const customer = customerOf(ctx, event)
    if (customer !== null) unheard.push(customer)
  }
  return unheard
}
