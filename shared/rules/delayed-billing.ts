import { addDays, londonInstant } from './london.ts'

/** How long after the last payment the first one of a delayed membership is taken. */
const delayDays = 30

/** Days of Europe/London. `isDue`: the date has come, so that the first payment is taken at once. */
export type DelayedBilling = { date: string; isDue: boolean }

/** 30 days after the last payment by the calendar; today where there never was one. */
export function delayedBilling(lastPayment: string | null, today: string): DelayedBilling {
  const date = lastPayment === null ? today : addDays(lastPayment, delayDays)
  return { date, isDue: date <= today }
}

/** 09:00 in London on that day, in unix seconds: when a trial ends and the first payment is taken. */
export const delayedPaymentAt = (date: string) => londonInstant(date, '09:00').getTime() / 1000
