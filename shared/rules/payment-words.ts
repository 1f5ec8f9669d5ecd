import { formatPoundsAndPence, type Pence } from './money.ts'

type Paid = { total: Pence; fromCredit: Pence; paidBy: string | null }

/** £100.00 from your credit, £200.00 by card. `paidBy`: Stripe's type of what paid the rest; null if there's no one word for it. */
export function paidFromCredit({ total, fromCredit, paidBy }: Paid): string {
  const rest = total - fromCredit
  const credit = `${formatPoundsAndPence(fromCredit)} from your credit`
  return rest <= 0 ? credit : `${credit}, ${formatPoundsAndPence(rest)} ${ways[paidBy ?? ''] ?? 'paid'}`
}

const ways: Record<string, string> = {
  ...{ card: 'by card', link: 'by card', card_present: 'by card' },
  ...{ bacs_debit: 'by Direct Debit', sepa_debit: 'by Direct Debit' },
  ...{ customer_balance: 'by bank transfer', pay_by_bank: 'by bank transfer' },
}

type Owed = { total: Pence; due?: Pence; fromCredit?: Pence }

/** What's left to pay of an open invoice. A phone may have kept one from before `due` was sent. */
export const dueOf = ({ total, due = total }: Owed): Pence => due

/** £100.00 from your credit, £200.00 to pay. Null where the total is to pay. */
export function toPayText(owed: Owed): string | null {
  const [due, { total, fromCredit = 0 }] = [dueOf(owed), owed]
  if (due === total) return null
  const toPay = `${formatPoundsAndPence(due)} to pay`
  if (fromCredit > 0) return `${formatPoundsAndPence(fromCredit)} from your credit, ${toPay}.`
  return due > total ? `${toPay}, ${formatPoundsAndPence(due - total)} of it from before.` : `${toPay}.`
}
