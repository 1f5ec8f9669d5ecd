import { deviceStorage } from '#pwa/lib/storage.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'

export const selectedTierKey = 'selectedTier'

/** Keeps a chosen tier, whole, for the join page. */
export const keepSelectedTier = (tier: MembershipTier) => {
  deviceStorage.setItem(selectedTierKey, JSON.stringify(tier))
}
