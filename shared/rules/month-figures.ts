import type { RevenueMonth } from '#shared/contract/revenue.ts'
import type { Pence } from './money.ts'

export type MrrFigures = {
  netChange: Pence
  /** Shares from 0 to 1; null when there's nothing to divide by. */
  memberChurn: number | null
  revenueChurn: number | null
  trialConversion: number | null
  averageRevenue: Pence | null
}

export type Moved = Pick<RevenueMonth, 'movements'>

export const churnOf = ({ movements }: Moved): Pence => movements.churn_voluntary + movements.churn_failed_payment

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export function mrrFigures(month: RevenueMonth): MrrFigures {
  const average = share(month.closing, month.payingCustomers)
  return {
    netChange: month.closing - month.opening,
    memberChurn: share(month.lostCustomers, month.openingCustomers),
    // Not minus nought.
    revenueChurn: share(0 - churnOf(month), month.opening),
    trialConversion: share(month.trialsConverted, month.trialsEnded),
    averageRevenue: average === null ? null : Math.round(average),
  }
}

export const noFigure = '–'

/** `4.2%`, or a dash for what there's nothing to divide by. */
export const formatShare = (of: number | null): string => (of === null ? noFigure : `${Math.round(of * 1000) / 10}%`)
