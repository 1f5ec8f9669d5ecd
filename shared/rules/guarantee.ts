import { dayMs } from '#shared/rules/durations.ts'

/** The money-back guarantee on a new membership, in days of 24 hours. */
export const guaranteeDays = 14
const guaranteeMs = guaranteeDays * dayMs

export const guaranteeEnds = (firstPaidAt: string) => new Date(Date.parse(firstPaidAt) + guaranteeMs)
