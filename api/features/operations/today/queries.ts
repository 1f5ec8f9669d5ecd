import { and, count, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { userIdOfCustomer } from '#api/db/customers.ts'
import { dueOf, isOneOf, jsonFieldOf, least, nullable, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { cardAskedAt, patienceFrom } from '#api/features/members/card-link-queries.ts'
import {
  accessFrom,
  currentSubscription,
  customerOfUser,
  isPaymentDue,
  membershipFields,
} from '#api/identity/access-queries.ts'
import type { Today, TodayFailure } from '#shared/contract/today.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

/** Skips reissues. The `+` makes SQLite search by day: few rows match, while `replacesId is null` matches nearly all. */
const paidSince = (since: unknown) => and(gte(invoices.taxPoint, sql`${since}`), sql`+${invoices.replacesId} is null`)

const paymentsSince = preparedQuery<{ since: string; limit: number }>()((db, { since, limit }) =>
  db
    .select({
      number: invoices.number,
      memberId: nullable(users.id, userIdOfCustomer()),
      name: jsonFieldOf(invoices.customer, 'name').mapWith(String),
      gross: invoices.gross,
      refunded: sql`coalesce(${providerInvoices.amountRefunded}, 0)`.mapWith(Number),
      at: nullable(providerInvoices.paidAt),
    })
    .from(invoices)
    .leftJoin(providerInvoices, eq(providerInvoices.id, invoices.providerInvoiceId))
    .leftJoin(customers, eq(customers.id, invoices.customerId))
    .where(paidSince(since))
    // The `+` again: otherwise SQLite would walk back through all invoices on a day without payments.
    .orderBy(desc(sql`+${invoices.sequence}`))
    .limit(limit),
)

const sumSince = preparedQuery<{ since: string }>()((db, { since }) =>
  db
    .select({ total: count(), sum: total(invoices.gross) })
    .from(invoices)
    .where(paidSince(since)),
)

export const listPayments = (ctx: Context, since: string, limit: number): Today['payments'] => ({
  since,
  ...(sumSince.get(ctx, { since }) ?? { total: 0, sum: 0 }),
  rows: paymentsSince.all(ctx, { since, limit }),
})

const open = alias(providerInvoices, 'open')
const ofOpen = sql`from ${providerInvoices} ${open} where ${eq(open.subscriptionId, subscriptions.id)} and ${isOneOf(open.status, 'open')}`

const unpaidMembers = preparedQuery<{ asked: string }>()((db, { asked }) => {
  const unpaid = db
    .select({ id: customers.userId })
    .from(customers)
    .innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
    .where(isPaymentDue)
  return db
    .select({
      memberId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      phone: users.phone,
      due: sql`(select ${total(dueOf(open))} ${ofOpen})`.mapWith(Number),
      nextAttemptAt: nullable(providerInvoices.nextAttemptAt, sql`(select ${least(open.nextAttemptAt)} ${ofOpen})`),
      askedAt: cardAskedAt(sql`${asked}`),
      ...membershipFields,
    })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(and(inArray(users.id, unpaid), isPaymentDue))
    .orderBy(users.id)
})

/** Members with an unpaid renewal, soonest to lose access first. */
export function listFailures(ctx: Context, limit: number): Pick<Today, 'failures' | 'chase'> {
  const billingNow = ctx.billingNow()
  const failures = unpaidMembers.all(ctx, { asked: patienceFrom(ctx.now()) }).map((row): TodayFailure => {
    const { hasAccess, graceEndsOn } = accessFrom(row, billingNow)
    const { memberId, email, phone, due, nextAttemptAt, askedAt } = row
    const name = nameOrEmail(row)
    return { memberId, name, email, phone, due, nextAttemptAt, hasAccess, graceEndsOn, askedAt }
  })
  const end = ({ hasAccess, graceEndsOn }: TodayFailure) => (hasAccess ? (graceEndsOn ?? '') : '~')
  const rows = failures.sort((one, other) => (end(one) < end(other) ? -1 : end(one) > end(other) ? 1 : 0))
  const chase = rows.filter(({ askedAt }) => askedAt === null)
  const due = rows.reduce((sum, row) => sum + row.due, 0)
  return { failures: { ...firstOf(rows, limit), due }, chase: firstOf(chase, limit) }
}

const firstOf = <Row>(rows: readonly Row[], limit: number) => ({ total: rows.length, rows: rows.slice(0, limit) })
