import { and, count, eq, exists, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo, userIdOfCustomer } from '#api/db/customers.ts'
import { isOneOf, total } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import type { Db } from '#api/db/open.ts'
import { findPeople } from '#api/db/people-found.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { countUsers, currentSubscription, customerOfUser, hasAccessAt } from '#api/identity/access-queries.ts'
import type { CommissionHistory, InactiveMember, InactiveMemberQuery } from '#shared/contract/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { ownerIds } from './ledger-queries.ts'
import { accountsOf, monthsOf } from './month-queries.ts'

const line = alias(commissionLedger, 'line')
const reversal = alias(commissionLedger, 'reversal')

const ledgerTotals = preparedQuery()((db) =>
  db
    .select({
      total: total(commissionLedger.amount),
      paid: total(sql`case when ${commissionLedger.isSettlement} = 1 then -${commissionLedger.amount} end`),
    })
    .from(commissionLedger),
)

const memberTotals = preparedQuery()((db) => {
  const account = db
    .select({ customerId: commissionLedger.customerId, owed: sql`sum(${commissionLedger.amount})`.as('owed') })
    .from(commissionLedger)
    .where(isNotNull(commissionLedger.customerId))
    .groupBy(commissionLedger.customerId)
    .as('account')
  const hasMonth = sql`exists (select 1 from ${commissionLedger} ${line}
    where ${line.customerId} = ${account.customerId} and ${line.kind} = 'invoice' and not exists (
      select 1 from ${commissionLedger} ${reversal}
      where ${reversal.reverses} = ${line.id} and ${reversal.isSettlement} = 0))`
  const member = db
    .select({
      owed: sql`sum(${account.owed})`.as('owed'),
      hasMonth: sql`max(${hasMonth})`.as('hasMonth'),
      userId: sql`${userIdOfCustomer()}`.as('userId'),
    })
    .from(account)
    .innerJoin(customers, eq(customers.id, account.customerId))
    .groupBy(sql`coalesce(${userIdOfCustomer()}, ${customers.id})`)
    .as('member')
  return db
    .select({ total: count(), unpaid: total(sql`${member.owed} > 0`) })
    .from(member)
    .where(and(sql`${member.hasMonth}`, or(isNull(member.userId), notInArray(member.userId, ownerIds))))
})

/** In pence, with up-sells. Negative if refunds exceed it, so that the partner owes us. `members` have a month in the list. */
export function commissionHistory(ctx: Context): CommissionHistory {
  const sums = ledgerTotals.get(ctx)
  // The owners' own lines are in the totals, but they don't count as members.
  const { total: members = 0, unpaid = 0 } = memberTotals.get(ctx) ?? {}
  return {
    totalMembers: members,
    totalCommissionPaid: sums?.paid ?? 0,
    totalCommissionOutstanding: sums?.total ?? 0,
    membersPaid: members - unpaid,
    membersUnpaid: unpaid,
  }
}

const payer = alias(customers, 'payer')

const hasPaid = (db: Db) =>
  exists(
    db
      .select({ id: providerInvoices.id })
      .from(payer)
      .innerJoin(providerInvoices, eq(providerInvoices.customerId, payer.id))
      .where(
        and(
          customerBelongsTo(users.id, payer),
          isOneOf(providerInvoices.status, 'paid'),
          sql`(${providerInvoices.amountPaid} > 0 or ${providerInvoices.fromCredit} > 0)`,
        ),
      ),
  )

const listing: Listing<'joined' | 'name'> = {
  id: users.id,
  sorts: {
    // Ids sort by time.
    joined: users.id,
    name: sql`fold(concat_ws(' ', ${users.lastName}, ${users.firstName}))`,
  },
  defaultSort: 'joined',
  search: [users.firstName, users.lastName, users.email],
}

/** Users who have paid an invoice but aren't members now. Needs both rows and clock. */
export function listInactiveMembers(
  ctx: Context,
  request: InactiveMemberQuery & { limit: number },
): ListPage<InactiveMember> {
  const now = ctx.billingNow()
  const found = (where: SQL[]) =>
    and(notInArray(users.id, ownerIds), hasPaid(ctx.db), eq(hasAccessAt(now), 0), ...where)
  const { rows: page, ...rest } = readPage(listing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email, position })
        .from(users)
        .leftJoin(customers, customerOfUser)
        .leftJoin(subscriptions, currentSubscription)
        .where(found(where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countUsers(ctx, found(where)),
    people: { id: users.id, found: findPeople(ctx, request.q) },
  })
  const months = monthsOf(ctx, accountsOf(ctx, page), londonDay(now))
  const rows = page.map((member) => ({
    ...member,
    commissionPayments: (months.get(member.id) ?? []).map((month) => ({
      paymentMonth: month.paymentMonth,
      membershipAmount: month.membershipAmount,
      commissionAmount: month.commissionAmount,
      commissionPaid: month.commissionPaid,
      ...(month.clawback === undefined ? {} : { clawback: month.clawback }),
    })),
  }))
  return { rows, ...rest }
}
