import type { Context } from '#api/context.ts'
import type { CommissionPayment } from '#shared/contract/records.ts'

type MonthRow = {
  customerId: string
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
 * Each customer's months, newest first, as what is left of all their lines: a month that was deleted is not among them.
 * Paid is a month of which something was paid and nothing more is due on that day. `id` is the month's first line.
 */
export function monthsOf(
  ctx: Context,
  customerIds: readonly string[],
  today: string,
): Map<string, CommissionPayment[]> {
  const rows = ctx.sqlite
    .prepare<[string, string], MonthRow>(
      `select customerId, min(case when kind = 'invoice' then id end) as id, paymentMonth,
         min(case when kind = 'invoice' then (select taxPoint from invoices where id = invoiceId) end) as paymentDate,
         sum(net) as membershipAmount,
         sum(case when isSettlement = 0 then amount else 0 end) as commissionAmount,
         sum((kind = 'payment') - (kind = 'reversal' and isSettlement = 1)) as livePayments,
         sum((kind = 'invoice') - (kind = 'reversal' and isSettlement = 0 and providerRefundId is null)) as liveInvoices,
         sum(case when dueOn <= ? then amount else 0 end) as owedNow,
         max(case when kind = 'payment' then createdAt end) as commissionPaidDate
       from commission_ledger where customerId in (select value from json_each(?))
       group by customerId, paymentMonth having liveInvoices > 0 order by customerId, paymentMonth desc`,
    )
    .all(today, JSON.stringify(customerIds))
  const months = new Map<string, CommissionPayment[]>()
  for (const { customerId, livePayments, liveInvoices: _, owedNow, commissionPaidDate, ...month } of rows) {
    const commissionPaid = livePayments > 0 && owedNow === 0
    const one = { ...month, commissionPaid, commissionPaidDate: commissionPaid ? commissionPaidDate : null }
    months.set(customerId, [...(months.get(customerId) ?? []), one])
  }
  return months
}
