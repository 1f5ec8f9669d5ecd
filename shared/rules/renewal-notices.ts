/*
 * When members are told of a payment to come. Days are London's, YYYY-MM-DD.
 */

import { dayMs } from './durations.ts'
import { addMonths } from './price-move.ts'

/** Days before a year (or longer) renews. Our own rule, for firms too: no law asks it where only firms join. */
export const yearNotices = { first: 30, last: 7 } as const

/** Owners can put a year's renewal off by this many months at a time. */
export const putOffMonths = 1

/** `inForceFrom`: the first day it binds anyone. Null: not in force, and no day is set. */
type ConsumerInterval = { count: number; unit: 'months' | 'days'; source: string; inForceFrom: string | null }

const act = 'Digital Markets, Competition and Consumers Act 2024, Part 4, Chapter 2'
const ours = 'the regulations that name the day aren’t published, so this one is ours'

/** Only where private customers can join. As of November 2026 the chapter isn't in force, and no day is set for it. */
export const consumerIntervals = {
  /** At the latest, while they pay by less than a year. */
  reminderEvery: { count: 6, unit: 'months', source: `${act}, s.258`, inForceFrom: null },
  /** Before the payment that a reminder is about. */
  reminderBefore: { count: 7, unit: 'days', source: `${act}, s.258: ${ours}`, inForceFrom: null },
  /** Before the first full payment after any free or cheaper time. */
  fullPriceBefore: { count: 7, unit: 'days', source: `${act}, s.258: ${ours}`, inForceFrom: null },
  /** From the day on which a year, or a first full price, begins. */
  coolingOff: { count: 14, unit: 'days', source: `${act}, s.264 and s.266`, inForceFrom: null },
} as const satisfies Record<string, ConsumerInterval>

export const renewalNoticeKinds = ['year-first', 'year-last', 'reminder', 'full-price', 'cooling-off'] as const
export type RenewalNoticeKind = (typeof renewalNoticeKinds)[number]

/** Whole days from one to the other. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** The notice a year's renewal is due today. A missed first one is still sent, until it's time for the last. */
export function yearNoticeDue(today: string, renewsOn: string): 'year-first' | 'year-last' | null {
  const left = daysBetween(today, renewsOn)
  if (left < 0 || left > yearNotices.first) return null
  return left > yearNotices.last ? 'year-first' : 'year-last'
}

/**
 * Whether the reminder is due before this payment: after the next one it would be more than six months since they were last told, or
 * since it began. `months`: how many a period has.
 */
export function isReminderDue(told: string, { renewsOn, months }: { renewsOn: string; months: number }): boolean {
  const latest = addMonths(`${told}T12:00:00.000Z`, consumerIntervals.reminderEvery.count)
  return addMonths(`${renewsOn}T12:00:00.000Z`, months) > latest
}

/** Where to be after putting it off: as Stripe counts months, so 31 January goes to 28 February. */
export const putOffTo = (renewsAt: string): string => addMonths(renewsAt, putOffMonths).toISOString()

/** What comes back of a period whose days aren't used, in pence, and for how many days. The day it's cancelled on counts as used. */
export function unusedOf(paid: number, { from, to, on }: { from: string; to: string; on: string }) {
  const days = daysBetween(from, to)
  const unused = Math.min(days, Math.max(0, daysBetween(on, to) - 1))
  return { days: unused, of: days, amount: days <= 0 ? 0 : Math.round((paid * unused) / days) }
}
