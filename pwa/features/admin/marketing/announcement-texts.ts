import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import type { TierName } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import type { announcementStates } from '#shared/contract/admin-announcement.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { londonDay, momentTyped } from '#shared/rules/london.ts'

export const announcementLabels: Record<(typeof announcementStates)[number], string> = {
  showing: 'Showing',
  'to-come': 'Scheduled',
  over: 'Over',
}

export const tiersText = (tiers: readonly TierSlug[], nameOf: TierName) =>
  tiers.length === 0 ? 'Everyone' : tiers.map(nameOf).join(', ')

const tierFields = 'tier-'
export const tierField = (tier: TierSlug) => `${tierFields}${tier}`
export const tiersIn = (typed: FormValues): TierSlug[] =>
  Object.keys(typed).flatMap((name) =>
    name.startsWith(tierFields) && typed[name] === 'on' ? [name.slice(tierFields.length)] : [],
  )
export const valuesOfTiers = (tiers: readonly TierSlug[]): FormValues =>
  Object.fromEntries(tiers.map((tier) => [tierField(tier), 'on']))

const weekMs = 7 * dayMs

export const newAnnouncement = (now = new Date()): FormValues => ({
  key: newKey(),
  startsAt: momentTyped(now),
  endsAt: `${londonDay(new Date(now.getTime() + weekMs))}T23:59`,
})
