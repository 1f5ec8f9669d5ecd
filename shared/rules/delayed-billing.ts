import { addDays, londonInstant } from './london.ts'

/** Days from the last payment of the old membership to the first of the new one. */
const delayDays = 30

/** `date` is a day of Europe/London. If it `isDue`, we take the first payment straight away. */
export type DelayedBilling = { date: string; isDue: boolean }

/** 30 calendar days after the last payment, or today if there wasn't one. */
export function delayedBilling(lastPayment: string | null, today: string): DelayedBilling {
  const date = lastPayment === null ? today : addDays(lastPayment, delayDays)
  return { date, isDue: date <= today }
}

/** When the trial ends and we take the first payment: 09:00 in London on that day, in unix seconds. */
export const delayedPaymentAt = (date: string) => londonInstant(date, '09:00').getTime() / 1000
