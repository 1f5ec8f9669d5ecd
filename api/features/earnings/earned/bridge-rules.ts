import type { Bridge } from '#shared/contract/earned.ts'

/** What each of Stripe’s kinds of transaction counts as. Anything not here is `other`. */
const parts: Record<string, 'taken' | 'refunded' | 'fees' | 'disputes' | 'paidOut'> = {
  charge: 'taken',
  payment: 'taken',
  refund: 'refunded',
  payment_refund: 'refunded',
  refund_failure: 'refunded',
  payment_failure_refund: 'refunded',
  stripe_fee: 'fees',
  tax_fee: 'fees',
  network_cost: 'fees',
  stripe_fx_fee: 'fees',
  dispute: 'disputes',
  dispute_reversal: 'disputes',
  payout: 'paidOut',
  payout_cancel: 'paidOut',
  payout_failure: 'paidOut',
}

export const emptyBridge = (balance: number): Bridge => ({
  before: balance,
  taken: 0,
  refunded: 0,
  fees: 0,
  disputes: 0,
  other: 0,
  paidOut: 0,
  after: balance,
})

/** Refunds, fees and payouts leave the balance, and count as positive. A failed one brings its money back. */
export function moveInto(bridge: Bridge, { kind, amount, fee }: { kind: string; amount: number; fee: number }): Bridge {
  const part = parts[kind] ?? 'other'
  const leaves = part === 'refunded' || part === 'fees' || part === 'paidOut'
  const moved = { ...bridge, fees: bridge.fees + fee, after: bridge.after + amount - fee }
  return { ...moved, [part]: moved[part] + (leaves ? -amount : amount) }
}
