import type { Context } from '#api/context.ts'
import { londonDay } from '#shared/rules/london.ts'
import { type Account, monthsOf } from './month-queries.ts'

/** Rewrites what `users` repeats of the ledger: the newest month of the person that stands. A stub has no such row. */
export function rewriteRepeats(ctx: Context, account: Account): void {
  const newest = monthsOf(ctx, [account], londonDay(ctx.billingNow())).get(account.accountId)?.[0]
  ctx.sqlite
    .prepare(
      `update users set commissionPaid = ?, commissionPaidDate = ?, lastCommissionMonth = ?, commissionAmount = ?
       where id = ?`,
    )
    .run(
      newest?.commissionPaid ? 1 : 0,
      newest?.commissionPaidDate ?? null,
      newest?.paymentMonth ?? null,
      newest?.commissionAmount ?? null,
      account.accountId,
    )
}
