import type { CommissionStatement, StatementLine } from '#shared/contract/commission.ts'
import type { Pence } from './money.ts'

/** What a line of a statement is, as people read it. */
export const statementKinds: Record<StatementLine['kind'], string> = {
  invoice: 'Earned',
  upsell: 'Up-sell',
  clawback: 'Claw-back',
  payment: 'Payment',
  reversal: 'Reversal',
}

type Sums = Omit<CommissionStatement, 'lines'>

/** How a month went on from what was owed when it began. */
export const statementSums = (sums: Sums): { label: string; amount: Pence }[] => [
  { label: 'Owed when the month began', amount: sums.opening },
  { label: 'Earned', amount: sums.earned },
  { label: 'Claw-backs', amount: sums.clawBacks },
  { label: 'Up-sells', amount: sums.upSells },
  { label: 'Reversals', amount: sums.reversals },
  { label: 'Payments', amount: sums.payments },
]

/** What is owed at its end, and by which side. */
export const statementClosing = ({ partner, closing }: Sums): { label: string; amount: Pence } => ({
  label: closing < 0 ? `Owed back by ${partner}` : `Owed to ${partner}`,
  amount: Math.abs(closing),
})

/** Whether the month can still change. */
export const statementState = ({ isFrozen }: Sums): string =>
  isFrozen ? 'The month is closed: nothing in it changes any more.' : 'The month is still open.'
