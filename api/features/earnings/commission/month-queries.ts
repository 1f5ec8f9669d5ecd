import { and, asc, desc, eq, inArray, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, unionAll } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo, userIdOfCustomer } from '#api/db/customers.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import type { CommissionPayment } from '#shared/contract/commission.ts'
import { londonDay } from '#shared/rules/london.ts'

/** Whose lines to add up. One person may have had several customers at the provider over time. */
export type Account = { accountId: string; customerIds: readonly string[] }

const accountsById = preparedQuery<{ id: string }>()((db, { id }) =>
  unionAll(
    db
      .select({ accountId: sql`${users.id}`.mapWith(String) })
      .from(users)
      .where(eq(users.id, id)),
    db
      .select({ accountId: sql`coalesce(${userIdOfCustomer()}, ${customers.id})`.mapWith(String) })
      .from(customers)
      .where(eq(customers.id, id)),
  ),
)

const customersById = preparedQuery<{ accountId: string }>()((db, { accountId }) =>
  db
    .select({ id: customers.id })
    .from(customers)
    .where(or(customerBelongsTo(accountId), and(eq(customers.id, accountId), isNull(userIdOfCustomer())))),
)

/** Takes a member's id or, for a removed member, a customer's. Null if neither exists; empty if they bought nothing. */
export function accountOf(ctx: Context, id: string): Account | null {
  const accountId = accountsById.get(ctx, { id })?.accountId
  if (accountId === undefined) return null
  return { accountId, customerIds: customersById.all(ctx, { accountId }).map((customer) => customer.id) }
}

/** The same for many in one statement. A removed member is named by a customer's id. */
export function accountsOf(ctx: Context, people: readonly { id: string }[]): Account[] {
  const accountIds = people.map(({ id }) => id)
  const rows = ctx.db
    .select({ id: customers.id, userId: customers.userId, formerUserId: customers.formerUserId })
    .from(customers)
    .where(
      or(
        inArray(customers.userId, accountIds),
        inArray(customers.formerUserId, accountIds),
        inArray(customers.id, accountIds),
      ),
    )
    .all()
  const byAccount = Map.groupBy(rows, ({ id, userId, formerUserId }) => userId ?? formerUserId ?? id)
  return accountIds.map((accountId) => ({
    accountId,
    customerIds: (byAccount.get(accountId) ?? []).map(({ id }) => id),
  }))
}

export const jsonOfAccounts = (accounts: readonly Account[]): string =>
  JSON.stringify(
    Object.fromEntries(accounts.flatMap(({ accountId, customerIds }) => customerIds.map((id) => [id, accountId]))),
  )

/** A table of each customer and its account, from `jsonOfAccounts`. */
export const accountByCustomer = (json: SQLWrapper) =>
  sql`(select key as "customerId", value as "accountId" from json_each(${json})) account`
export const accountId = sql`account."accountId"`.mapWith(String)
export const isOfAccount = sql`${commissionLedger.customerId} = account."customerId"`

const { id, kind, amount, createdAt, dueOn, isSettlement, providerRefundId } = commissionLedger

const liveInvoices = sql`sum((${kind} = 'invoice') - (${kind} = 'reversal' and ${isSettlement} = 0 and ${providerRefundId} is null))`

const livePayments = sql`sum((${kind} = 'payment') - (${kind} = 'reversal' and ${isSettlement} = 1))`
const takenBack = sql`sum(case when ${kind} = 'clawback'
  or (${kind} = 'reversal' and ${isSettlement} = 0 and ${providerRefundId} is not null) then ${amount} else 0 end)`
const amountDueBy = (today: SQLWrapper | string) => sql`sum(case when ${dueOn} <= ${today} then ${amount} else 0 end)`

const owner = alias(customers, 'owner')

/** The account, a member's id or a removed member's customer, has an unpaid month. */
export const hasUnpaidMonth = (account: SQLWrapper, today: string): SQL => sql`exists (
  select 1 from ${commissionLedger}
  where ${commissionLedger.customerId} in (
    select ${owner.id} from ${customers} ${owner}
    where ${owner.userId} = ${account} or ${owner.formerUserId} = ${account} or ${owner.id} = ${account})
  group by ${commissionLedger.paymentMonth}
  having ${liveInvoices} > 0 and not (${amountDueBy(today)} = 0 and (${livePayments} > 0 or sum(${amount}) = 0)))`

const monthsByAccount = preparedQuery<{ accounts: string; today: string }>()((db, { accounts, today }) =>
  db
    .select({
      accountId,
      id: sql`min(case when ${kind} = 'invoice' then ${id} end)`.mapWith(id),
      paymentMonth: commissionLedger.paymentMonth,
      paymentDate: sql`min(case when ${kind} = 'invoice' then (
        select ${invoices.taxPoint} from ${invoices} where ${invoices.id} = ${commissionLedger.invoiceId}) end)`.mapWith(
        invoices.taxPoint,
      ),
      membershipAmount: sql`sum(${commissionLedger.net})`.mapWith(Number),
      commissionAmount: sql`sum(case when ${isSettlement} = 0 then ${amount} else 0 end)`.mapWith(Number),
      livePayments: livePayments.mapWith(Number),
      takenBack: takenBack.mapWith(Number),
      outstanding: sql`sum(${amount})`.mapWith(Number),
      amountDue: amountDueBy(today).mapWith(Number),
      paidAt: sql`max(case when ${kind} = 'payment' then ${createdAt} end)`.mapWith(createdAt),
    })
    .from(accountByCustomer(accounts))
    .innerJoin(commissionLedger, isOfAccount)
    .groupBy(accountId, commissionLedger.paymentMonth)
    .having(sql`${liveInvoices} > 0`)
    .orderBy(asc(accountId), desc(commissionLedger.paymentMonth)),
)

/** Newest first, without deleted months. Paid if something was paid and nothing more is due. `id` is its first line. */
export function monthsOf(ctx: Context, accounts: readonly Account[], today: string): Map<string, CommissionPayment[]> {
  const months = new Map<string, CommissionPayment[]>()
  for (const row of monthsByAccount.all(ctx, { accounts: jsonOfAccounts(accounts), today })) {
    const { accountId, livePayments, amountDue, paidAt, takenBack, outstanding, ...month } = row
    const commissionPaid = livePayments > 0 && amountDue === 0
    const payment = {
      ...month,
      commissionPaid,
      commissionPaidDate: commissionPaid ? paidAt : null,
      ...(takenBack === 0 ? {} : { clawback: { takenBack, outstanding } }),
    }
    months.set(accountId, [...(months.get(accountId) ?? []), payment])
  }
  return months
}

type CommissionColumns = Pick<
  typeof users.$inferSelect,
  'id' | 'commissionPaid' | 'commissionPaidDate' | 'lastCommissionMonth' | 'commissionAmount'
>

const writeCommissionColumns = preparedQuery<CommissionColumns>()(
  (db, { id, commissionPaid, commissionPaidDate, lastCommissionMonth, commissionAmount }) =>
    db
      .update(users)
      .set({ commissionPaid, commissionPaidDate, lastCommissionMonth, commissionAmount })
      .where(eq(users.id, id)),
)

/** Updates the columns of `users` that repeat the member's newest ledger month. A removed member has no such row. */
export function updateCommissionColumns(ctx: Context, account: Account): void {
  const newest = monthsOf(ctx, [account], londonDay(ctx.billingNow())).get(account.accountId)?.[0]
  writeCommissionColumns.run(ctx, {
    id: account.accountId,
    commissionPaid: newest?.commissionPaid ?? false,
    commissionPaidDate: newest?.commissionPaidDate ?? null,
    lastCommissionMonth: newest?.paymentMonth ?? null,
    commissionAmount: newest?.commissionAmount ?? null,
  })
}
