import { and, asc, count, eq, exists, gt, isNotNull, isNull, notInArray, or, sql } from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo, userIdOfCustomer } from '#api/db/customers.ts'
import { isOneOf, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { accessFrom, currentSubscription, customerOfUser, membershipFields } from '#api/features/access/queries.ts'
import type { CommissionHistory, InactiveMember, MemberPayments } from '#shared/contract/commission.ts'
import { commissionOn, defaultCommissionRate } from '#shared/rules/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import {
  type Account,
  accountByCustomer,
  accountId,
  accountsOf,
  isOfAccount,
  jsonOfAccounts,
  monthsOf,
} from './month-queries.ts'

export type PageRequest = { limit: number; cursor: string | undefined }
/** `next` is the cursor of the page after it. */
export type PageOfRows<Row> = { rows: Row[]; next: string | null }

/** The ids of the owners' own accounts, which are in no list. */
const ownerIds = sql`(select ${ownerAddresses.userId} from ${ownerAddresses}
  where ${and(isOneOf(ownerAddresses.role, 'owner'), isNotNull(ownerAddresses.userId))})`

const hasLine = sql`exists (select 1 from ${commissionLedger} where ${commissionLedger.customerId} = ${customers.id})`

/** Members and removed members with a line in the ledger, by id; of a removed member the customer's. */
const payersAfter = preparedQuery<{ after: string; limit: number }>()((db, { after, limit }) => {
  const members = db
    .select({ id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email })
    .from(users)
    .where(
      and(
        gt(users.id, after),
        notInArray(users.id, ownerIds),
        sql`exists (select 1 from ${customers} where ${customerBelongsTo(users.id)} and ${hasLine})`,
      ),
    )
    .orderBy(asc(users.id))
    .limit(limit)
    .as('members')
  const removed = db
    .select({
      id: customers.id,
      firstName: sql`'Removed'`.mapWith(users.firstName).as('firstName'),
      lastName: sql`'member'`.mapWith(users.lastName).as('lastName'),
      email: sql`''`.mapWith(users.email).as('email'),
    })
    .from(customers)
    .where(and(gt(customers.id, after), isNull(userIdOfCustomer()), hasLine))
    .orderBy(asc(customers.id))
    .limit(limit)
    .as('removed')
  return unionAll(db.select().from(members), db.select().from(removed)).orderBy(sql`id`).limit(limit)
})

/** Everybody with a line in the ledger and their months, by id. */
export function listMemberPayments(ctx: Context, { limit, cursor }: PageRequest): PageOfRows<MemberPayments> {
  const found = payersAfter.all(ctx, { after: cursor ?? '', limit: limit + 1 })
  const page = found.slice(0, limit)
  const accounts = accountsOf(ctx, page)
  const months = monthsOf(ctx, accounts, londonDay(ctx.billingNow()))
  const newest = newestPayments(ctx, accounts)
  const rows = page.map((person) => {
    const payment = newest.get(person.id)
    return {
      ...person,
      tierName: payment?.tierName ?? '',
      ...monthlyAmounts(payment),
      monthlyPayments: months.get(person.id) ?? [],
    }
  })
  return { rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}

const newestByAccount = preparedQuery<{ accounts: string }>()((db, { accounts }) =>
  db
    .select({
      accountId,
      tierName: membershipTiers.name,
      price: membershipTiers.price,
      isUpgrade: providerInvoices.isUpgrade,
      rate: commissionLedger.rate,
      net: commissionLedger.net,
      amount: commissionLedger.amount,
      // With max() SQLite takes the other columns from the row that has it.
      newest: sql`max(${commissionLedger.dueOn} || ${commissionLedger.id})`.mapWith(String),
    })
    .from(accountByCustomer(accounts))
    .innerJoin(commissionLedger, isOfAccount)
    .leftJoin(membershipTiers, eq(membershipTiers.slug, commissionLedger.tierSlug))
    .leftJoin(invoices, eq(invoices.id, commissionLedger.invoiceId))
    .leftJoin(providerInvoices, eq(providerInvoices.id, invoices.providerInvoiceId))
    .where(eq(commissionLedger.kind, 'invoice'))
    .groupBy(accountId),
)

/** By account: what the last payment was, and the commission on it. */
const newestPayments = (ctx: Context, accounts: readonly Account[]) =>
  new Map(newestByAccount.all(ctx, { accounts: jsonOfAccounts(accounts) }).map((row) => [row.accountId, row]))

type NewestPayment = ReturnType<typeof newestByAccount.all>[number]

/** In pounds. The payment of an upgrade was for the rest of a month: then it is the tier's price that comes every month. */
function monthlyAmounts(payment: NewestPayment | undefined) {
  const { isUpgrade = false, net = 0, amount = 0, price = null, rate = null } = payment ?? {}
  const isPart = isUpgrade === true && price !== null
  const monthly = isPart ? price : net
  const commission = isPart ? commissionOn(price, rate ?? defaultCommissionRate) : amount
  return { monthlyAmount: monthly / 100, commissionAmount: commission / 100 }
}

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
