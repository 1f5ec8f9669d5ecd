import { and, count, eq, gt, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { displayName, userIdOfCustomer } from '#api/db/customers.ts'
import { firstOf, isOneOf, jsonFieldOf, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { isShownPayment } from '#api/features/invoices/list-queries.ts'
import { isNewest } from '#api/features/invoices/queries.ts'
import type { AdminPayment, AdminPaymentQuery, paymentFilters } from '#shared/contract/payments.ts'
import { nextMonth, startOfMonth } from '#shared/rules/london.ts'

const nameOnIt = jsonFieldOf(invoices.customer, 'name')

/** The account's name, else the invoice's. */
const name = sql`coalesce(iif(${isNull(users.id)}, ${nameOnIt}, ${displayName}), '–')`.mapWith(String)

const fields = {
  id: providerInvoices.id,
  memberId: users.id,
  name,
  email: users.email,
  lines: firstOf(invoices.lines, providerInvoices.lines),
  status: providerInvoices.status,
  net: providerInvoices.net,
  vat: providerInvoices.vat,
  total: providerInvoices.total,
  paid: providerInvoices.amountPaid,
  refunded: providerInvoices.amountRefunded,
  number: nullable(invoices.number),
  attempts: providerInvoices.attempts,
  createdAt: providerInvoices.created,
  paidAt: providerInvoices.paidAt,
  nextAttemptAt: providerInvoices.nextAttemptAt,
}

const listing: Listing<'created' | 'total'> = {
  id: providerInvoices.id,
  sorts: { created: providerInvoices.created, total: providerInvoices.total },
  defaultSort: '-created',
  search: [providerInvoices.id, invoices.number, nameOnIt, users.firstName, users.lastName, users.email],
}

const filters: Record<(typeof paymentFilters)[number], SQL> = {
  paid: isOneOf(providerInvoices.status, 'paid'),
  unpaid: isOneOf(providerInvoices.status, 'open', 'uncollectible'),
  refunded: gt(providerInvoices.amountRefunded, 0),
}

function ofMonth(month: string | undefined): SQL | undefined {
  if (month === undefined) return undefined
  const [from, to] = [startOfMonth(month), startOfMonth(nextMonth(month))].map((at) => at.toISOString())
  return and(gte(providerInvoices.created, from ?? ''), lt(providerInvoices.created, to ?? ''))
}

/** What each member sees of their payments, for all members. */
export function listPayments(ctx: Context, request: AdminPaymentQuery & { limit: number }): ListPage<AdminPayment> {
  const { member, month, show } = request
  const ofMember = member === undefined ? undefined : or(eq(users.id, member), eq(users.email, member.toLowerCase()))
  const own = and(isShownPayment, ofMonth(month), show && filters[show])
  const { rows, ...rest } = readPage(listing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...fields, position })
        .from(providerInvoices)
        .leftJoin(customers, eq(customers.id, providerInvoices.customerId))
        .leftJoin(users, eq(users.id, userIdOfCustomer()))
        .leftJoin(invoices, and(eq(invoices.providerInvoiceId, providerInvoices.id), isNewest))
        .where(and(own, ofMember, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) =>
      // Counting follows each join, even if no condition needs it.
      ofMember === undefined && where.length === 0
        ? countWhere(ctx, providerInvoices, own)
        : (ctx.db
            .select({ count: count() })
            .from(providerInvoices)
            .leftJoin(customers, eq(customers.id, providerInvoices.customerId))
            .leftJoin(users, eq(users.id, userIdOfCustomer()))
            .leftJoin(invoices, and(eq(invoices.providerInvoiceId, providerInvoices.id), isNewest))
            .where(and(own, ofMember, ...where))
            .get()?.count ?? 0),
  })
  return {
    rows: rows.map(({ lines, ...row }) => ({ ...row, about: lines.map(({ description }) => description).join('; ') })),
    ...rest,
  }
}

/** The person behind a provider customer; empty if there's none, or we don't know the customer. */
export const personOfCustomer = preparedQuery<{ customer: string }>()((db, { customer }) =>
  db
    .select({ memberId: users.id, name: displayName })
    .from(customers)
    .innerJoin(users, eq(users.id, userIdOfCustomer()))
    .where(eq(customers.stripeCustomerId, customer)),
)
