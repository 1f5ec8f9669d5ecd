import type { TierSlug } from '#shared/contract/tier.ts'
import { addDays, londonInstant } from './london.ts'

/** Each tier but the smallest is offered to a member who comes back by a link; the compiler knows which are left. */
export const isOfferedDelayed = (slug: TierSlug) => slug !== 'lite'

/** Days from the last payment of the old membership to the first of the new one. */
const delayDays = 30

/** `date` is a day of Europe/London. If it `isDue`, the first payment is taken at once. */
export type DelayedBilling = { date: string; isDue: boolean }

/** 30 calendar days after the last payment, or today if there never was a payment. */
export function delayedBilling(lastPayment: string | null, today: string): DelayedBilling {
  const date = lastPayment === null ? today : addDays(lastPayment, delayDays)
  return { date, isDue: date <= today }
}

/** When the trial ends and the first payment is taken: 09:00 in London on that day, in unix seconds. */
export const delayedPaymentAt = (date: string) => londonInstant(date, '09:00').getTime() / 1000
