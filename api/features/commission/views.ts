import type { Context } from '#api/context.ts'
import type { CommissionHistory, InactiveMember, MemberPayments } from '#shared/contract/records.ts'
import { londonDay } from '#shared/rules/london.ts'
import { accessFrom, type StandingRow, standingColumns, standingJoins } from '../access/standing.ts'
import { monthsOf } from './months.ts'

export type ListPage = { limit: number; cursor: string | undefined }
/** `next` is the cursor of the page after it. */
export type Listed<Row> = { rows: Row[]; next: string | null }

type Payer = {
  id: string
  firstName: string | null
  lastName: string | null
  email: string
  customerId: string
}

/** The two owners' own accounts are in no list. */
const isNoOwner = `users.id not in (select userId from owner_addresses where role = 'owner' and userId is not null)`

const hasLine = 'exists (select 1 from commission_ledger where customerId = customers.id)'

/** Everybody with a line in the ledger, and his months; of a removed member the customer's id. A page follows the id. */
export function listMemberPayments(ctx: Context, { limit, cursor }: ListPage): Listed<MemberPayments> {
  const found = ctx.sqlite
    .prepare<{ after: string; limit: number }, Payer>(
      `select * from (
         select users.id, users.firstName, users.lastName, users.email, customers.id as customerId
         from users join customers on customers.userId = users.id
         where users.id > @after and ${isNoOwner} and ${hasLine} order by users.id limit @limit)
       union all select * from (
         select id, 'Removed', 'member', '', id from customers
         where id > @after and userId is null and ${hasLine} order by id limit @limit)
       order by id limit @limit`,
    )
    .all({ after: cursor ?? '', limit: limit + 1 })
  const page = found.slice(0, limit)
  const months = monthsOf(ctx, customersOf(page), londonDay(ctx.billingNow()))
  const newest = newestPayments(ctx, customersOf(page))
  const rows = page.map(({ customerId, ...person }) => {
    const payment = newest.get(customerId)
    return {
      ...person,
      tierName: payment?.tierName ?? '',
      monthlyAmount: (payment?.net ?? 0) / 100,
      commissionAmount: (payment?.amount ?? 0) / 100,
      monthlyPayments: months.get(customerId) ?? [],
    }
  })
  return { rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}

const customersOf = (rows: readonly { customerId: string }[]) => rows.map(({ customerId }) => customerId)

type Payment = { customerId: string; tierName: string; net: number; amount: number }

/** By customer: what the last payment was, and earned. */
function newestPayments(ctx: Context, customerIds: readonly string[]): Map<string, Payment> {
  const rows = ctx.sqlite
    .prepare<[string], Payment & { dueOn: string }>(
      // With max() SQLite takes the other columns from the row that has it.
      `select customerId, (select name from membership_tiers where slug = tierSlug) as tierName, net, amount,
         max(dueOn || id) as newest
       from commission_ledger where kind = 'invoice' and customerId in (select value from json_each(?)) group by customerId`,
    )
    .all(JSON.stringify(customerIds))
  return new Map(rows.map((row) => [row.customerId, row]))
}

/** An invoice's line that was not deleted. */
const hasMonth = `exists (
  select 1 from commission_ledger line where line.customerId = account.customerId and line.kind = 'invoice' and not exists (
    select 1 from commission_ledger where reverses = line.id and isSettlement = 0))`

/** Nobody's but the two owners' own: their lines count in pounds, they do not count as members. */
const isOwnersAccount = `account.customerId in (
  select customers.id from customers join owner_addresses on owner_addresses.userId = customers.userId where role = 'owner')`

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
  const members = ctx.sqlite
    .prepare<[], { total: number; unpaid: number }>(
      `select count(*) as total, coalesce(sum(owed > 0), 0) as unpaid from (
         select customerId, sum(amount) as owed from commission_ledger where customerId is not null group by customerId)
       account where not ${isOwnersAccount} and ${hasMonth}`,
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

type InactiveRow = Payer & StandingRow

/** Who has a paid invoice and is no member now; whether he is one comes from rows and the clock. */
export function listInactiveMembers(ctx: Context, { limit, cursor }: ListPage): Listed<InactiveMember> {
  const candidates = ctx.sqlite.prepare<[string], InactiveRow>(
    `select users.id, users.firstName, users.lastName, users.email, customers.id as customerId, ${standingColumns}
     from users ${standingJoins}
     where users.id > ? and ${isNoOwner} and exists (
       select 1 from provider_invoices paid
       where paid.customerId = customers.id and paid.status = 'paid' and paid.amountPaid > 0)
     order by users.id`,
  )
  const now = ctx.billingNow()
  const found: InactiveRow[] = []
  for (const row of candidates.iterate(cursor ?? '')) {
    if (!accessFrom(row, now).hasAccess) found.push(row)
    if (found.length > limit) break
  }
  const page = found.slice(0, limit)
  const months = monthsOf(ctx, customersOf(page), londonDay(now))
  const rows = page.map(({ id, firstName, lastName, email, customerId }) => {
    const payments = (months.get(customerId) ?? []).map((month) => ({
      paymentMonth: month.paymentMonth,
      membershipAmount: month.membershipAmount,
      commissionAmount: month.commissionAmount,
      commissionPaid: month.commissionPaid,
    }))
    return { id, firstName, lastName, email, commissionPayments: payments }
  })
  return { rows, next: found.length > limit ? (page.at(-1)?.id ?? null) : null }
}
