import { track } from '#pwa/lib/track.ts'
import { settleOrder } from './checkout-draft.ts'

/** The server says that this order is paid: counted once, in pounds with VAT, and nothing of it is left to be sent again. True the first time. */
export function countPurchase(paid: Parameters<typeof settleOrder>[0]): boolean {
  const total = settleOrder(paid)
  if (total !== null) track({ name: 'purchase', value: total / 100 })
  return total !== null
}
