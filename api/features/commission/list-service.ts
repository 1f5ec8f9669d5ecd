import { and, count, eq, exists, gt, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo, userIdOfCustomer } from '#api/db/customers.ts'
import { isOneOf, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { accessFrom, currentSubscription, customerOfUser, membershipFields } from '#api/features/access/queries.ts'
import type { CommissionHistory, InactiveMember } from '#shared/contract/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { ownerIds } from './ledger-queries.ts'
import { accountsOf, monthsOf } from './month-queries.ts'

export type PageRequest = { limit: number; cursor: string | undefined }
/** `next` is the cursor of the page after it. */
export type PageOfRows<Row> = { rows: Row[]; next: string | null }

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
  // An invoice's line that was not deleted.
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

/**
 * Over the whole ledger, up-sells too, in pence: paid out, and still to be paid, due or not; negative where refunds took
 * back more than that, so that the partner owes it. The members are those who have a month in the list.
 */
export function commissionHistory(ctx: Context): CommissionHistory {
  const sums = ledgerTotals.get(ctx)
  // The owners' own lines are in the sums, but they do not count as members.
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

const payingUsers = preparedQuery<{ after: string; limit: number }>()((db, { after, limit }) =>
  db
    .select({
      ...{ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email },
      ...membershipFields,
    })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(
      and(
        gt(users.id, after),
        notInArray(users.id, ownerIds),
        exists(
          db
            .select({ id: providerInvoices.id })
            .from(payer)
            .innerJoin(providerInvoices, eq(providerInvoices.customerId, payer.id))
            .where(
              and(
                customerBelongsTo(users.id, payer),
                isOneOf(providerInvoices.status, 'paid'),
                sql`${providerInvoices.amountPaid} > 0`,
              ),
            ),
        ),
      ),
    )
    .orderBy(users.id)
    .limit(limit),
)

/** Users who have paid an invoice and are no members now, which rows and the clock decide together. */
export function listInactiveMembers(ctx: Context, { limit, cursor }: PageRequest): PageOfRows<InactiveMember> {
  const now = ctx.billingNow()
  const found: ReturnType<typeof payingUsers.all> = []
  let after = cursor ?? ''
  for (let hasMore = true; hasMore && found.length <= limit; ) {
    const batch = payingUsers.all(ctx, { after, limit: 200 })
    found.push(...batch.filter((row) => !accessFrom(row, now).hasAccess))
    hasMore = batch.length === 200
    after = batch.at(-1)?.id ?? after
  }
  const page = found.slice(0, limit)
  const months = monthsOf(ctx, accountsOf(ctx, page), londonDay(now))
  const rows = page.map(({ id, firstName, lastName, email }) => {
    const payments = (months.get(id) ?? []).map((month) => ({
      paymentMonth: month.paymentMonth,
      membershipAmount: month.membershipAmount,
      commissionAmount: month.commissionAmount,
      commissionPaid: month.commissionPaid,
    }))
    return { id, firstName, lastName, email, commissionPayments: payments }
  })
  return { rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}
