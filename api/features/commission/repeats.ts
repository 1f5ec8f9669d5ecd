import type { Context } from '#api/context.ts'
import { londonDay } from '#shared/rules/london.ts'
import { monthsOf } from './months.ts'

/** Rewrites what `users` repeats of the ledger: the newest month of the customer that stands. */
export function rewriteRepeats(ctx: Context, customerId: string): void {
  const newest = monthsOf(ctx, [customerId], londonDay(ctx.billingNow())).get(customerId)?.[0]
  ctx.sqlite
    .prepare(
      `update users set commissionPaid = ?, commissionPaidDate = ?, lastCommissionMonth = ?, commissionAmount = ?
       where id = (select userId from customers where id = ?)`,
    )
    .run(
      newest?.commissionPaid ? 1 : 0,
      newest?.commissionPaidDate ?? null,
      newest?.paymentMonth ?? null,
      newest?.commissionAmount ?? null,
      customerId,
    )
}
