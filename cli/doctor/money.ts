import type { Sqlite } from '#api/db/open.ts'
import { type Check, checked, counted, failed, listed, ok, warning } from './check.ts'

const minuteMs = 60_000

/** What the payment provider and our rows say of each other. `billingNow` is the clock that wrote the syncs, and in the database itself. */
export function checkMoney(sqlite: Sqlite, now: Date, billingNow: () => Date): Check[] {
  return [
    checked('subscriptions', () => doubleSubscriptions(sqlite, before(now, 30 * 24 * 60 * minuteMs))),
    checked('syncs', () => stuckTickets(sqlite, before(billingNow(), 10 * minuteMs))),
    checked('provider events', () => waitingEvents(sqlite, before(now, 10 * minuteMs))),
  ]
}

const before = (instant: Date, ms: number) => new Date(instant.getTime() - ms).toISOString()

function doubleSubscriptions(sqlite: Sqlite, since: string): Check {
  const doubled = sqlite
    .prepare<[], { stripeCustomerId: string }>(
      `select min(customers.stripeCustomerId) as stripeCustomerId
       from subscriptions join customers on customers.id = subscriptions.customerId
       where subscriptions.status not in ('canceled', 'incomplete_expired')
       group by coalesce(customers.userId, customers.id) having count(*) > 1`,
    )
    .all()
    .map((row) => row.stripeCustomerId)
  if (doubled.length > 0) {
    return failed(
      'subscriptions',
      `${counted(doubled.length, 'person has', 'people have')} two at once: ${listed(doubled)}.`,
    )
  }
  // The sync ended the second one at the provider and gave its money back; an owner should know.
  const withdrawn = sqlite
    .prepare<[string], { targetId: string }>(
      "select distinct targetId from audit_entries where action = 'subscription.double' and at > ?",
    )
    .all(since)
    .map((row) => row.targetId)
  if (withdrawn.length === 0) return ok('subscriptions', 'Nobody has two at once.')
  return warning('subscriptions', `A second one was ended and refunded in the last 30 days: ${listed(withdrawn)}.`)
}

/** A ticket that was taken and never written: the sync broke off, and our rows may be behind the provider. */
function stuckTickets(sqlite: Sqlite, since: string): Check {
  const stuck = sqlite
    .prepare<[string], { stripeCustomerId: string }>(
      `select stripeCustomerId from customers
       where ticketTaken > ticketWritten and coalesce(syncedAt, createdAt) < ? order by stripeCustomerId`,
    )
    .all(since)
    .map((row) => row.stripeCustomerId)
  if (stuck.length === 0) return ok('syncs', 'Every customer is up to date with the provider.')
  return warning('syncs', `${counted(stuck.length, 'customer')} may be behind the provider: ${listed(stuck)}.`)
}

function waitingEvents(sqlite: Sqlite, since: string): Check {
  const row = sqlite
    .prepare<[string], { count: number }>(
      'select count(*) as count from provider_events where processedAt is null and receivedAt < ?',
    )
    .get(since)
  const count = row?.count ?? 0
  if (count === 0) return ok('provider events', 'None is waiting.')
  return warning('provider events', `${counted(count, 'event')} of the provider waiting for more than 10 minutes.`)
}
