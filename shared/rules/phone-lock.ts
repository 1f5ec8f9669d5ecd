import type { BillingSubscription } from '#shared/contract/billing.ts'
import { londonDay } from './london.ts'

/** Days without our server after which a phone shows nothing of the members' area any more. */
export const lockAfterDays = 30
/** Days without our server after which it warns of that. */
export const warnAfterDays = 23

/** What a phone knows of a member's access. Times are ms since 1970, by the server's clock as far as it is known. */
export type KnownAccess = {
  /** What the server last said of the person. */
  user: { hasAccess: boolean; isOwner: boolean; savedAt: number }
  billing: (Pick<BillingSubscription, BillingFacts> & { savedAt: number }) | null
  /** When the server last answered. */
  lastResponseAt: number
}
type BillingFacts = 'hasAccess' | 'status' | 'endsOn' | 'graceEndsOn' | 'isComplimentary' | 'isOwner'

/**
 * `lapsed`: the membership is known to be over. `unreachable`: it may be over, and nobody could say so for 30 days.
 * `warned`: open, and `unreachable` in `daysLeft`.
 */
export type PhoneLock = { kind: 'open' | 'lapsed' | 'unreachable' } | { kind: 'warned'; daysLeft: number }

const dayMs = 24 * 60 * 60_000

/** Whether the list that a phone keeps may be shown at `now`. What waits to be sent is kept in any case. */
export function phoneLock({ user, billing, lastResponseAt }: KnownAccess, now: number): PhoneLock {
  if (!user.hasAccess) return { kind: 'lapsed' }
  if (billing !== null && !user.isOwner && hasLapsed(billing, user.savedAt, now)) return { kind: 'lapsed' }
  const days = (now - lastResponseAt) / dayMs
  if (days >= lockAfterDays) return { kind: 'unreachable' }
  return days >= warnAfterDays ? { kind: 'warned', daysLeft: Math.ceil(lockAfterDays - days) } : { kind: 'open' }
}

/** The newer response counts; the end that billing names counts without another one. */
function hasLapsed(billing: NonNullable<KnownAccess['billing']>, userSavedAt: number, now: number): boolean {
  if (!billing.hasAccess) return billing.savedAt > userSavedAt
  const lastDay = lastDayOf(billing)
  return lastDay !== null && londonDay(new Date(now)) > lastDay
}

function lastDayOf({ status, endsOn, graceEndsOn, isComplimentary, isOwner }: Pick<BillingSubscription, BillingFacts>) {
  if (isComplimentary || isOwner) return null
  return status === 'past_due' || status === 'unpaid' ? graceEndsOn : endsOn
}
