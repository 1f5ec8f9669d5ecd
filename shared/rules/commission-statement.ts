import type { CommissionStatement, StatementLine } from '#shared/contract/commission.ts'
import type { Cell } from './csv.ts'
import type { Pence } from './money.ts'

export const statementKinds: Record<StatementLine['kind'], string> = {
  invoice: 'Commission',
  upsell: 'Up-sell',
  clawback: 'Clawed back',
  payment: 'Paid out',
  reversal: 'Reversed',
}

type Sums = Omit<CommissionStatement, 'lines'>

export const statementSums = (sums: Sums): { label: string; amount: Pence }[] => [
  { label: 'Owed at the start of the month', amount: sums.opening },
  { label: 'Commission', amount: sums.earned },
  { label: 'Clawed back after refunds', amount: sums.clawBacks },
  { label: 'Up-sells', amount: sums.upSells },
  { label: 'Reversed', amount: sums.reversals },
  { label: 'Paid out', amount: sums.payments },
]

export const statementClosing = ({ partner, closing }: Sums): { label: string; amount: Pence } => ({
  label: closing < 0 ? `Owed back by ${partner}` : `Owed to ${partner}`,
  amount: Math.abs(closing),
})

export const statementState = ({ isFrozen: isClosed }: Sums): string =>
  isClosed ? 'The month is closed, so its figures won’t change.' : 'The month is still open.'

const column = (name: string, cell: (line: StatementLine) => Cell) => ({ name, cell })

/** The CSV's columns, here and in the terminal. */
export const statementColumns = [
  column('kind', ({ kind }) => kind),
  column('bookedAt', ({ bookedAt }) => bookedAt),
  column('paymentMonth', ({ paymentMonth }) => paymentMonth),
  column('member', ({ member }) => member),
  column('about', ({ about }) => about),
  column('tier', ({ tier }) => tier),
  column('netPence', ({ net }) => net),
  column('rate', ({ rate }) => rate),
  column('amountPence', ({ amount }) => amount),
  column('dueOn', ({ dueOn }) => dueOn),
]

/** A row before the lines, and one after them, so that the CSV's amounts add up. */
export const balanceCells = (kind: 'opening' | 'closing', month: string, amount: Pence): Cell[] =>
  statementColumns.map(({ name }) => ({ kind, paymentMonth: month, amountPence: amount })[name] ?? null)
