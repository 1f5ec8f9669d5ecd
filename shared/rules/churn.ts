import type { RevenueMonth } from '#shared/contract/revenue.ts'

/** How much of a month's opening MRR ended in it, in per cent to one place. Null if there was none to lose. */
export function churnPerCent({ opening, movements }: Pick<RevenueMonth, 'opening' | 'movements'>): number | null {
  const lost = movements.churn_voluntary + movements.churn_failed_payment
  return opening === 0 ? null : Math.round((-lost / opening) * 1000) / 10
}
