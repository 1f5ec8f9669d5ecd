import { track } from '#pwa/lib/track.ts'
import { settleOrder } from './checkout-draft.ts'

/** The order is paid: counted once, in pounds with VAT, and nothing of it is left to be sent again. */
export const countPurchase = () => {
  const total = settleOrder()
  if (total !== null) track({ name: 'purchase', value: total / 100 })
}
