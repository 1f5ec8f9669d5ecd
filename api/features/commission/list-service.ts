import { and, eq, exists, gt, isNotNull, notInArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { isHisCustomer, personOfCustomer } from '#api/db/whose.ts'
import { accessFrom, currentSubscription, customerOfUser, membershipFields } from '#api/features/access/queries.ts'
import type { CommissionHistory, InactiveMember, MemberPayments } from '#shared/contract/records.ts'
import { londonDay } from '#shared/rules/london.ts'
import { customersOfAccounts } from './accounts.ts'
import { type Account, byCustomer, monthsOf } from './month-queries.ts'

export type ListPage = { limit: number; cursor: string | undefined }
/** `next` is the cursor of the page after it. */
export type Listed<Row> = { rows: Row[]; next: string | null }

type Payer = { id: string; firstName: string | null; lastName: string | null; email: string }

/** The two owners' own accounts are in no list. */
const isNoOwner = `users.id not in (select userId from owner_addresses where role = 'owner' and userId is not null)`

const hasLine = 'exists (select 1 from commission_ledger where customerId = customers.id)'

/** Everybody with a line in the ledger, and his months; of a removed member the customer's id. A page follows the id. */
export function listMemberPayments(ctx: Context, { limit, cursor }: ListPage): Listed<MemberPayments> {
  const found = ctx.sqlite
    .prepare<{ after: string; limit: number }, Payer>(
      `select * from (
         select users.id, users.firstName, users.lastName, users.email from users
         where users.id > @after and ${isNoOwner}
           and exists (select 1 from customers where ${isHisCustomer('users.id')} and ${hasLine})
         order by users.id limit @limit)
       union all select * from (
         select id, 'Removed', 'member', '' from customers
         where id > @after and ${personOfCustomer()} is null and ${hasLine} order by id limit @limit)
       order by id limit @limit`,
    )
    .all({ after: cursor ?? '', limit: limit + 1 })
  const page = found.slice(0, limit)
  const accounts = accountsOf(ctx, page)
  const months = monthsOf(ctx, accounts, londonDay(ctx.billingNow()))
  const newest = newestPayments(ctx, accounts)
  const rows = page.map((person) => {
    const payment = newest.get(person.id)
    return {
      ...person,
      tierName: payment?.tierName ?? '',
      monthlyAmount: (payment?.net ?? 0) / 100,
      commissionAmount: (payment?.amount ?? 0) / 100,
      monthlyPayments: months.get(person.id) ?? [],
    }
  })
  return { rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}

const accountsOf = (ctx: Context, rows: readonly Payer[]): Account[] =>
  customersOfAccounts(
    ctx,
    rows.map(({ id }) => id),
  )

type Payment = { accountId: string; tierName: string; net: number; amount: number }

/** By account: what the last payment was, and earned. */
function newestPayments(ctx: Context, accounts: readonly Account[]): Map<string, Payment> {
  const rows = ctx.sqlite
    .prepare<[string], Payment & { newest: string }>(
      // With max() SQLite takes the other columns from the row that has it.
      `select accountId, (select name from membership_tiers where slug = tierSlug) as tierName, net, amount,
         max(dueOn || id) as newest
       from (select key as accountCustomer, value as accountId from json_each(?)) join commission_ledger on customerId = accountCustomer
       where kind = 'invoice' group by accountId`,
    )
    .all(JSON.stringify(byCustomer(accounts)))
  return new Map(rows.map((row) => [row.accountId, row]))
}

/** An invoice's line that was not deleted. */
const hasMonth = `exists (
  select 1 from commission_ledger line where line.customerId = account.customerId and line.kind = 'invoice' and not exists (
    select 1 from commission_ledger where reverses = line.id and isSettlement = 0))`

/**
 * Over the whole ledger, up-sells too, in pence: paid out, and still to be paid, due or not. The members are those who have
 * a month in the list.
 */
export function commissionHistory(ctx: Context): CommissionHistory {
  const sums = ctx.sqlite
    .prepare<[], { total: number; paid: number }>(
      `select coalesce(sum(amount), 0) as total, coalesce(sum(case when isSettlement = 1 then -amount end), 0) as paid
       from commission_ledger`,
    )
    .get()
  // The two owners' own lines count in pounds, they do not count as members.
  const members = ctx.sqlite
    .prepare<[], { total: number; unpaid: number }>(
      `select count(*) as total, coalesce(sum(owed > 0), 0) as unpaid from (
         select sum(owed) as owed, max(${hasMonth}) as hasMonth, ${personOfCustomer()} as personId
         from (select customerId, sum(amount) as owed from commission_ledger where customerId is not null group by customerId) account
           join customers on customers.id = account.customerId
         group by coalesce(personId, customers.id))
       where hasMonth and (personId is null
         or personId not in (select userId from owner_addresses where role = 'owner' and userId is not null))`,
    )
    .get()
  const { total = 0, unpaid = 0 } = members ?? {}
  return {
    totalMembers: total,
    totalCommissionPaid: Math.max(0, sums?.paid ?? 0),
    totalCommissionOutstanding: Math.max(0, sums?.total ?? 0),
    membersPaid: total - unpaid,
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
        notInArray(
          users.id,
          db
            .select({ userId: sql`${ownerAddresses.userId}` })
            .from(ownerAddresses)
            .where(and(isOneOf(ownerAddresses.role, 'owner'), isNotNull(ownerAddresses.userId))),
        ),
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

/** Who has a paid invoice and is no member now; whether somebody is one comes from rows and the clock. */
export function listInactiveMembers(ctx: Context, { limit, cursor }: ListPage): Listed<InactiveMember> {
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
