import type { Context } from '#api/context.ts'
import type { CommissionPayment } from '#shared/contract/records.ts'

/** Whose lines are added up: a person may have had several customers at the provider, one after the other. */
export type Account = { accountId: string; customerIds: readonly string[] }

type MonthRow = {
  accountId: string
  id: string
  paymentMonth: string
  paymentDate: string
  membershipAmount: number
  commissionAmount: number
  livePayments: number
  liveInvoices: number
  owedNow: number
  commissionPaidDate: string | null
}

/**
 * Each account's months, newest first, as what is left of all their lines: a month that was deleted is not among them.
 * Paid is a month of which something was paid and nothing more is due on that day. `id` is the month's first line.
 */
export function monthsOf(ctx: Context, accounts: readonly Account[], today: string): Map<string, CommissionPayment[]> {
  const rows = ctx.sqlite
    .prepare<[string, string], MonthRow>(
      `select accountId, min(case when kind = 'invoice' then id end) as id, paymentMonth,
         min(case when kind = 'invoice' then (select taxPoint from invoices where id = invoiceId) end) as paymentDate,
         sum(net) as membershipAmount,
         sum(case when isSettlement = 0 then amount else 0 end) as commissionAmount,
         sum((kind = 'payment') - (kind = 'reversal' and isSettlement = 1)) as livePayments,
         sum((kind = 'invoice') - (kind = 'reversal' and isSettlement = 0 and providerRefundId is null)) as liveInvoices,
         sum(case when dueOn <= ? then amount else 0 end) as owedNow,
         max(case when kind = 'payment' then createdAt end) as commissionPaidDate
       from (select key as accountCustomer, value as accountId from json_each(?)) join commission_ledger on customerId = accountCustomer
       group by accountId, paymentMonth having liveInvoices > 0 order by accountId, paymentMonth desc`,
    )
    .all(today, JSON.stringify(byCustomer(accounts)))
  const months = new Map<string, CommissionPayment[]>()
  for (const { accountId, livePayments, liveInvoices: _, owedNow, commissionPaidDate, ...month } of rows) {
    const commissionPaid = livePayments > 0 && owedNow === 0
    const one = { ...month, commissionPaid, commissionPaidDate: commissionPaid ? commissionPaidDate : null }
    months.set(accountId, [...(months.get(accountId) ?? []), one])
  }
  return months
}

/** Account by customer, as the queries take them. */
export const byCustomer = (accounts: readonly Account[]): Record<string, string> =>
  Object.fromEntries(accounts.flatMap(({ accountId, customerIds }) => customerIds.map((id) => [id, accountId])))
