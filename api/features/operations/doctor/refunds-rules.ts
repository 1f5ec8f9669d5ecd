import { and, asc, eq, gt, inArray, lt, notInArray, sql } from 'drizzle-orm'
import { displayName, userIdOfCustomer } from '#api/db/customers.ts'
import { jsonFieldOf, nullable } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, firstFew, ok, runCheck, warning } from './check-rules.ts'

/** A bank can return a refund after a month; allow another to fix it. We'd never see a manual transfer, so then stop asking. */
const recentMs = 60 * dayMs

/** A bank takes up to three months to decide a dispute. */
const disputeMs = 90 * dayMs

/** Guests have no account, so this is their customer id, which you can look up at the provider. */
const person = sql`coalesce(${displayName}, ${customers.stripeCustomerId})`.mapWith(users.email)

export function checkMoneyBack(db: Db, now: Date, billingNow: () => Date): Check[] {
  return [
    runCheck('refunds', () => findLostRefunds(db, new Date(billingNow().getTime() - recentMs))),
    runCheck('disputes', () => findDisputes(db, new Date(now.getTime() - disputeMs))),
  ]
}

/** If no one recorded when it failed: when it was made. */
const failedAt = sql`coalesce(${providerRefunds.failedAt}, ${providerRefunds.created})`.mapWith(providerRefunds.created)

function findLostRefunds(db: Db, since: Date): Check {
  const name = 'refunds'
  const failed = db
    .select({
      id: providerRefunds.id,
      amount: providerRefunds.amount,
      person,
      invoice: providerRefunds.providerInvoiceId,
      failedAt,
    })
    .from(providerRefunds)
    .innerJoin(providerInvoices, eq(providerInvoices.id, providerRefunds.providerInvoiceId))
    .innerJoin(customers, eq(customers.id, providerRefunds.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .where(
      and(
        inArray(providerRefunds.status, ['failed', 'canceled']),
        gt(providerRefunds.created, since.toISOString()),
        lt(providerInvoices.amountRefunded, providerInvoices.amountPaid),
      ),
    )
    .orderBy(asc(failedAt), asc(providerRefunds.created))
    .all()
  const repeated = repetitionsOf(db, [...new Set(failed.map(({ invoice }) => invoice))])
  const lost = failed.filter((refund) => repeated(refund) < refund.amount)
  if (lost.length === 0) return ok(name, 'No refunds failed.')
  const which = lost.map(({ id, amount, person }) => `${formatPoundsAndPence(amount)} of ${person} (${id})`)
  const what = `${plural(lost.length, 'refund')} didn’t reach the member: ${firstFew(which)}`
  return warning(name, `${what}. Refund again in Stripe, or pay by bank transfer.`)
}

type Failed = { invoice: string; amount: number; failedAt: string }

/** How much later refunds have made good of a failed one. Each counts once, so it can't cover two failures. */
function repetitionsOf(db: Db, invoices: readonly string[]): (failed: Failed) => number {
  const held = db
    .select({
      invoice: providerRefunds.providerInvoiceId,
      left: providerRefunds.amount,
      created: providerRefunds.created,
    })
    .from(providerRefunds)
    .where(
      and(
        inArray(providerRefunds.providerInvoiceId, [...invoices]),
        inArray(providerRefunds.status, ['pending', 'requires_action', 'succeeded']),
      ),
    )
    .orderBy(asc(providerRefunds.created))
    .all()
  return ({ invoice, amount, failedAt }) => {
    let found = 0
    for (const refund of held) {
      if (refund.invoice !== invoice || refund.created < failedAt) continue
      const used = Math.min(refund.left, amount - found)
      refund.left -= used
      found += used
    }
    return found
  }
}

/** Syncs report these, but leave access, invoice and commission alone. */
function findDisputes(db: Db, since: Date): Check {
  const name = 'disputes'
  const detail = (key: string) => jsonFieldOf(auditEntries.detail, key)
  const lostCharges = db
    .select({ charge: detail('charge') })
    .from(auditEntries)
    .where(eq(auditEntries.action, 'invoice.dispute_lost'))
  const reports = db
    .select({
      charge: detail('charge').mapWith(String),
      amount: detail('amount').mapWith(Number),
      person: nullable(users.email, displayName),
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.targetId))
    .where(
      and(
        eq(auditEntries.action, 'invoice.disputed'),
        gt(auditEntries.at, since.toISOString()),
        notInArray(detail('charge'), lostCharges),
      ),
    )
    .orderBy(asc(auditEntries.at))
    .all()
  // Count each payment once and keep its first report.
  const found = [...new Map(reports.toReversed().map((report) => [report.charge, report])).values()].toReversed()
  if (found.length === 0) return ok(name, 'No disputes.')
  const which = found.map(
    ({ charge, amount, person: by }) =>
      `${formatPoundsAndPence(amount)} of ${by ?? 'a buyer without an account'} (${charge})`,
  )
  const what = `${plural(found.length, 'payment was', 'payments were')} disputed: ${firstFew(which)}`
  return warning(name, `${what}. Answer in Stripe. If you lose: alliance payments lost <charge>`)
}
