import type { BillingSubscription } from '#shared/contract/billing.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay } from './london.ts'

/** After this many days without our server a phone locks the members' area. */
export const lockAfterDays = 30
/** Kept videos are deleted this many days after the lock. */
export const deleteAfterLockDays = 30
/** After this many days without our server it warns of the lock. */
export const warnAfterDays = 23

/** What a phone knows about a member's access. Times are ms since 1970, on the server's clock as best we know it. */
export type KnownAccess = {
  user: { hasAccess: boolean; isOwner: boolean; savedAt: number }
  billing: (Pick<BillingSubscription, BillingFacts> & { savedAt: number }) | null
  lastResponseAt: number
}
type BillingFacts = 'hasAccess' | 'status' | 'endsOn' | 'graceEndsOn' | 'isComplimentary' | 'isOwner'

/**
 * `lapsed`: the membership is over. `unreachable`: it may be over, and we couldn't check for 30 days. `warned`: open, and
 * `unreachable` in `daysLeft`.
 */
export type PhoneLock = { kind: 'open' | 'lapsed' | 'unreachable' } | { kind: 'warned'; daysLeft: number }

/** Whether the phone may show its cached list at `now`. It keeps unsent changes either way. */
export function phoneLock({ user, billing, lastResponseAt }: KnownAccess, now: number): PhoneLock {
  if (!user.hasAccess) return { kind: 'lapsed' }
  if (billing !== null && !user.isOwner && hasLapsed(billing, user.savedAt, now)) return { kind: 'lapsed' }
  const days = (now - lastResponseAt) / dayMs
  if (days >= lockAfterDays) return { kind: 'unreachable' }
  return days >= warnAfterDays ? { kind: 'warned', daysLeft: Math.ceil(lockAfterDays - days) } : { kind: 'open' }
}

/** Whether what's kept on a locked phone goes: nobody has said for 30 days of the lock that the member has access again. */
export function isKeptOverdue(known: KnownAccess, now: number): boolean {
  return (
    phoneLock(known, now - deleteAfterLockDays * dayMs).kind === 'lapsed' ||
    now - known.lastResponseAt >= (lockAfterDays + deleteAfterLockDays) * dayMs
  )
}

/** The newer response counts. The end date in the billing response counts without asking again. */
function hasLapsed(billing: NonNullable<KnownAccess['billing']>, userSavedAt: number, now: number): boolean {
  if (!billing.hasAccess) return billing.savedAt > userSavedAt
  const lastDay = lastDayOf(billing)
  return lastDay !== null && londonDay(new Date(now)) > lastDay
}

function lastDayOf({ status, endsOn, graceEndsOn, isComplimentary, isOwner }: Pick<BillingSubscription, BillingFacts>) {
  if (isComplimentary || isOwner) return null
  return status === 'past_due' || status === 'unpaid' ? graceEndsOn : endsOn
}
