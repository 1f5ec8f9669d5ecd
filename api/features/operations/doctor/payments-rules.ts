import { and, asc, count, eq, gt, gte, isNull, lt, notExists, notInArray, sql } from 'drizzle-orm'
import { firstOf, jsonFieldOf, least, nullable, total, writtenOrder } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { providerEvents } from '#api/db/schema/provider.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { type Clocks, readClock } from '#api/features/earnings/revenue/clock-service.ts'
import { lastingDoubt } from '#api/features/earnings/revenue/provider-clock-service.ts'
import { isCounted } from '#api/features/earnings/revenue/queries.ts'
import { listUnknownPayments } from '#api/features/invoices/unknown-payments-queries.ts'
import { londonMonth, nextMonth } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, firstFew, named, ok, runCheck, runs, shows, warning } from './check-rules.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Whether our rows agree with the payment provider. Syncs are dated by `billingNow`, everything else by `now`. */
export function checkPayments(db: Db, now: Date, billingNow: () => Date): Check[] {
  return [
    runCheck('subscriptions', () => findDuplicateSubscriptions(db, before(now, 30 * dayMs))),
    runCheck('tiers', () => findUnrecognisedPrices(db)),
    runCheck('revenue', () => findRevenueDrift(db)),
    runCheck('clock', () => findWrongClock({ db, now: () => now, billingNow })),
    runCheck('syncs', () => findInterruptedSyncs(db, before(billingNow(), 10 * minuteMs))),
    runCheck('customers', () => findUnknownCustomers(db, before(now, 31 * dayMs))),
    runCheck('payments', () => findUnknownPayments(db, now)),
    runCheck('provider events', () => findWaitingEvents(db, before(now, 10 * minuteMs))),
  ]
}

const before = (instant: Date, ms: number) => new Date(instant.getTime() - ms).toISOString()

const isLive = notInArray(subscriptions.status, [...endedStatuses])

function findDuplicateSubscriptions(db: Db, since: string): Check {
  const name = 'subscriptions'
  const duplicates = db
    .select({ customer: least(customers.stripeCustomerId) })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .where(isLive)
    .groupBy(firstOf(customers.userId, customers.formerUserId, customers.id))
    .having(gt(count(), 1))
    .all()
    .map(({ customer }) => customer ?? '')
  if (duplicates.length > 0) {
    const members = plural(duplicates.length, 'member has', 'members have')
    return failed(name, `${members} two at the same time: ${firstFew(duplicates)}.`, shows('mrr explain'))
  }
  // The sync has already cancelled and refunded the second one. Owners should still know.
  const refunded = db
    .selectDistinct({ subscription: auditEntries.targetId })
    .from(auditEntries)
    .where(and(eq(auditEntries.action, 'subscription.double'), gt(auditEntries.at, since)))
    .all()
    .map(({ subscription }) => subscription ?? '')
  if (refunded.length === 0) return ok(name, 'No member has two.')
  const message = `Duplicates cancelled and refunded in the last 30 days: ${firstFew(refunded)}.`
  return warning(name, message, shows('mrr explain'))
}

/** Live subscriptions whose tier or status we guessed, because their price at the provider names none. */
function findUnrecognisedPrices(db: Db): Check {
  const name = 'tiers'
  const guessed = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.isUnrecognised, true), isLive))
    .all()
    .map(({ id }) => id)
  if (guessed.length === 0) return ok(name, 'Every subscription’s price has a tier.')
  const which = plural(guessed.length, 'subscription has', 'subscriptions have')
  const inOrder = db
    .select({ slug: membershipTiers.slug })
    .from(membershipTiers)
    .orderBy(asc(membershipTiers.orderIndex))
  const slugs = inOrder.all().map(({ slug }) => slug)
  const todo = `Add metadata “tier” to its price or product at Stripe: ${slugs.join(', ')}. Then sync the member.`
  return warning(name, `${which} no tier you sell: ${firstFew(guessed)}. ${todo}`, shows('tiers list'))
}

/** Revenue by the current subscriptions must equal the sum of all recorded changes. */
function findRevenueDrift(db: Db): Check {
  const name = 'revenue'
  const current = db
    .select({ yearly: total(subscriptions.yearlyNet) })
    .from(subscriptions)
    .where(isCounted)
    .get()
  const recorded = db
    .select({ yearly: total(sql`${revenueChanges.afterYearly} - ${revenueChanges.beforeYearly}`) })
    .from(revenueChanges)
    .get()
  if (current?.yearly === recorded?.yearly) return ok(name, 'The recorded changes add up to today’s MRR.')
  const [recordedLabel, currentLabel] = [recorded, current].map((sum) =>
    formatPoundsAndPence(monthlyOf(sum?.yearly ?? 0)),
  )
  return warning(
    name,
    `The recorded changes add up to ${recordedLabel} a month, but MRR is ${currentLabel}.`,
    runs('jobs run month-end'),
  )
}

/** Why the clock looks wrong: it's behind, or it was ahead. Append-only rows stay, and aren't in their months until it's fixed. */
function findWrongClock({ db, now, billingNow }: Clocks): Check {
  const name = 'clock'
  const { doubt, providerDoubt } = readClock({ db, now, billingNow })
  // None of our commands sets the machine's clock.
  if (doubt !== null) return failed(name, doubt, providerDoubt === null ? shows('mrr reopen --dry-run') : null)
  const running = londonMonth(billingNow())
  const countAhead = (table: typeof revenueChanges | typeof commissionLedger) =>
    db
      .select({ count: count() })
      .from(table)
      .where(and(gt(table.month, running), gt(table.createdAt, billingNow().toISOString())))
      .get()?.count ?? 0
  const [changes, lines] = [countAhead(revenueChanges), countAhead(commissionLedger)]
  const isToCome = gte(invoices.taxPoint, `${nextMonth(running)}-01`)
  const issued = db.select({ count: count() }).from(invoices).where(isToCome).get()?.count ?? 0
  if (changes + lines + issued === 0) return ok(name, 'Nothing is booked in future months.')
  const what = `${plural(changes, 'MRR change')}, ${plural(lines, 'commission line')} and ${plural(issued, 'invoice')}`
  return warning(
    name,
    `${what} in future months. If the clock is behind, correct it. If it was ahead, they count when their month comes.`,
    shows('backup list'),
  )
}

/** Whether the jobs that delete or end old things run, or wait for the provider to confirm the clock. */
export const checkDeletions = (ctx: Parameters<typeof lastingDoubt>[0]): Check =>
  runCheck('deletions', () => {
    const doubt = lastingDoubt(ctx)
    return doubt === null ? ok('deletions', 'Old data is deleted on time.') : warning('deletions', doubt)
  })

/** Syncs that took a ticket and wrote nothing. They were interrupted, so our rows may be out of date. */
function findInterruptedSyncs(db: Db, since: string): Check {
  const name = 'syncs'
  const interrupted = db
    .select({ customer: customers.stripeCustomerId })
    .from(customers)
    .where(
      and(
        gt(customers.ticketTaken, customers.ticketWritten),
        lt(firstOf(customers.syncedAt, customers.createdAt), since),
      ),
    )
    .orderBy(asc(customers.stripeCustomerId))
    .all()
    .map(({ customer }) => customer)
  if (interrupted.length === 0) return ok(name, 'Every customer is in sync with Stripe.')
  const message = `${plural(interrupted.length, 'customer')} may be out of date: ${firstFew(interrupted)}.`
  return warning(name, message, runs('subscriptions reconcile'))
}

/** Customers who pay for our memberships but aren't in the database. We ignore their events. */
function findUnknownCustomers(db: Db, since: string): Check {
  const name = 'customers'
  const known = db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.stripeCustomerId, auditEntries.targetId))
  const detail = (key: string) => nullable(auditEntries.targetId, jsonFieldOf(auditEntries.detail, key))
  const reports = db
    .select({ customer: auditEntries.targetId, subscription: detail('subscription'), problem: detail('problem') })
    .from(auditEntries)
    .where(and(eq(auditEntries.action, 'customer.unknown'), gt(auditEntries.at, since), notExists(known)))
    .orderBy(asc(auditEntries.targetId), asc(writtenOrder(auditEntries)))
    .all()
  // Keep each customer's latest report.
  const last = new Map(reports.map((report) => [report.customer ?? '', report]))
  const unknown = [...last.keys()]
  const refused = [...last.values()].filter(({ problem }) => problem !== null)
  const first = unknown.find((customer) => last.get(customer)?.problem === null) ?? unknown[0]
  if (first === undefined) return ok(name, 'Everyone who pays for a tier has an account.')
  const who = plural(unknown.length, 'customer pays', 'customers pay')
  const link = named(shows(`subscriptions link ${first} EMAIL`))
  const found = `${who} for a tier without an account: ${firstFew(unknown)}. Link with: alliance ${link.command}`
  if (refused.length === 0) return warning(name, found, link)
  const why = refused.map(({ subscription, problem }) => `${subscription} ${problem}`)
  return warning(name, `${found}. First fix this in Stripe: ${firstFew(why)}.`, link)
}

/** Payments made after the restored backup, by customers it doesn't contain. */
function findUnknownPayments(db: Db, now: Date): Check {
  const name = 'payments'
  const found = listUnknownPayments({ db }, now)
  const [first] = found
  if (first === undefined) return ok(name, 'Every Stripe payment is in the books.')
  const payments = plural(found.length, 'Stripe payment isn’t', 'Stripe payments aren’t')
  const ids = firstFew(found.map(({ id }) => id))
  const message = `${payments} in the books: ${ids}. Add ${first.id} with: alliance ${first.command}`
  return warning(name, message, named(shows(first.command)))
}

function findWaitingEvents(db: Db, since: string): Check {
  const name = 'provider events'
  const row = db
    .select({ waiting: count() })
    .from(providerEvents)
    .where(and(isNull(providerEvents.processedAt), lt(providerEvents.receivedAt, since)))
    .get()
  const waiting = row?.waiting ?? 0
  if (waiting === 0) return ok(name, 'All handled.')
  return warning(
    name,
    `${plural(waiting, 'event')} not handled for more than 10 minutes.`,
    runs('subscriptions reconcile'),
  )
}
