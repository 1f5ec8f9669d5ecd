import type { WeekDay } from '#shared/contract/texts/home.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'

export type TierFlags = Pick<
  MembershipTier,
  'hasVideoAccess' | 'hasCommunityAccess' | 'hasWeeklyAccountability' | 'hasMonthlyCoaching' | 'callDuration'
>

/** What a tier's flags promise, and nothing more. */
export function includedTexts(tier: TierFlags): string[] {
  const call = coachingCallText(tier)
  return [
    ...(tier.hasCommunityAccess ? ['Community access'] : []),
    ...(tier.hasVideoAccess ? ['Training videos'] : []),
    ...(tier.hasWeeklyAccountability ? ['Weekly accountability sessions'] : []),
    ...(call ? [call] : []),
  ]
}

/** "30-minute monthly coaching call"; `callDuration` is in minutes. */
export function coachingCallText({ hasMonthlyCoaching, callDuration }: TierFlags): string | null {
  if (callDuration)
    return `${lengthText(callDuration)} ${hasMonthlyCoaching ? 'monthly coaching call' : 'coaching calls'}`
  return hasMonthlyCoaching ? 'Monthly coaching call' : null
}

/** As the tiers put it: "30-minute", "1-hour". */
const lengthText = (minutes: number) => (minutes % 60 === 0 ? `${minutes / 60}-hour` : `${minutes}-minute`)

export function firstCallText(tier: TierFlags | undefined, day: WeekDay): string {
  const when = `It’s every ${dayNames[day]}. The link’s in the community.`
  if (!tier || tier.hasWeeklyAccountability) return `${when} Bring one thing you want to fix.`
  const call = coachingCallText(tier)
  return call
    ? `${when} You get a ${call.toLowerCase()} too.`
    : `${when} Until then, watch the first video in the members’ area.`
}

const dayNames: Record<WeekDay, string> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
}
