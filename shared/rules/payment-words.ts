import { formatPoundsAndPence, type Pence } from './money.ts'

/** £100.00 from your credit, £200.00 by card. */
export function paidFromCredit({ total, fromCredit }: { total: Pence; fromCredit: Pence }): string {
  const rest = total - fromCredit
  const credit = `${formatPoundsAndPence(fromCredit)} from your credit`
  return rest <= 0 ? credit : `${credit}, ${formatPoundsAndPence(rest)} by card`
}
