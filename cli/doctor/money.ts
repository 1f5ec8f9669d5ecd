import type { Sqlite } from '#api/db/open.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, checked, failed, listed, ok, warning } from './check.ts'

const minuteMs = 60_000

/** What the payment provider and our rows say of each other. `billingNow` is the clock that wrote the syncs, and in the database itself. */
export function checkMoney(sqlite: Sqlite, now: Date, billingNow: () => Date): Check[] {
  return [
    checked('subscriptions', () => doubleSubscriptions(sqlite, before(now, 30 * 24 * 60 * minuteMs))),
    checked('tiers', () => unrecognised(sqlite)),
    checked('revenue', () => revenueDrift(sqlite)),
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
       group by coalesce(customers.userId, customers.formerUserId, customers.id) having count(*) > 1`,
    )
    .all()
    .map((row) => row.stripeCustomerId)
  if (doubled.length > 0) {
    return failed(
      'subscriptions',
      `${plural(doubled.length, 'person has', 'people have')} two at once: ${listed(doubled)}.`,
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

/** Live subscriptions whose tier or status could only be guessed at, because their price names none of ours. */
function unrecognised(sqlite: Sqlite): Check {
  const guessed = sqlite
    .prepare<[], { id: string }>(
      `select distinct subscriptions.id from audit_entries
       join subscriptions on subscriptions.id = detail ->> '$.subscription' and stripePriceId is detail ->> '$.price'
       where action = 'subscription.unrecognised' and status not in ('canceled', 'incomplete_expired')`,
    )
    .all()
    .map((row) => row.id)
  if (guessed.length === 0) return ok('tiers', 'The provider names one for every subscription.')
  return warning('tiers', `Look at the provider for the price and status of ${listed(guessed)}: not recognised.`)
}

/** What counts now, by the subscriptions and by the changes that led there. */
function revenueDrift(sqlite: Sqlite): Check {
  const row = sqlite
    .prepare<[], { now: number; recorded: number }>(
      `select (select coalesce(sum(monthlyNet), 0) from subscriptions where status in ('active', 'past_due')) as now,
         (select coalesce(sum(after - before), 0) from revenue_changes) as recorded`,
    )
    .get()
  const { now = 0, recorded = 0 } = row ?? {}
  if (now === recorded) return ok('revenue', 'The recorded changes lead to what counts now.')
  const [recordedWords, nowWords] = [formatPoundsAndPence(recorded), formatPoundsAndPence(now)]
  return warning('revenue', `The recorded changes lead to ${recordedWords} a month, ${nowWords} count now.`)
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
  return warning('syncs', `${plural(stuck.length, 'customer')} may be behind the provider: ${listed(stuck)}.`)
}

function waitingEvents(sqlite: Sqlite, since: string): Check {
  const row = sqlite
    .prepare<[string], { count: number }>(
      'select count(*) as count from provider_events where processedAt is null and receivedAt < ?',
    )
    .get(since)
  const count = row?.count ?? 0
  if (count === 0) return ok('provider events', 'None is waiting.')
  return warning('provider events', `${plural(count, 'event')} of the provider waiting for more than 10 minutes.`)
}
