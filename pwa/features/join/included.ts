import type { MembershipTier } from '#shared/contract/tier.ts'

export type TierFlags = Pick<
  MembershipTier,
  'hasVideoAccess' | 'hasCommunityAccess' | 'hasWeeklyAccountability' | 'hasMonthlyCoaching' | 'callDuration'
>

/** What a tier's flags promise, and nothing more. */
export function includedIn(tier: TierFlags): string[] {
  const call = coachingCall(tier)
  return [
    ...(tier.hasCommunityAccess ? ['Community access'] : []),
    ...(tier.hasVideoAccess ? ['Training videos'] : []),
    ...(tier.hasWeeklyAccountability ? ['Weekly accountability sessions'] : []),
    ...(call ? [call] : []),
  ]
}

/** 30-minute monthly coaching call; `callDuration` is in minutes. */
export function coachingCall({ hasMonthlyCoaching, callDuration }: TierFlags): string | null {
  if (callDuration) return `${callDuration}-minute ${hasMonthlyCoaching ? 'monthly coaching call' : 'coaching calls'}`
  return hasMonthlyCoaching ? 'Monthly coaching call' : null
}
