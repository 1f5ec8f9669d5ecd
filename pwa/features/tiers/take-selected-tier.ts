import * as v from 'valibot'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { MembershipTier } from '#shared/contract/tier.ts'
import { selectedTierKey } from './selected-tier.ts'

/** The tier chosen earlier, read once: it is gone afterwards. */
export const takeSelectedTier = (): MembershipTier | null => {
  const text = deviceStorage.getItem(selectedTierKey)
  deviceStorage.removeItem(selectedTierKey)
  if (!text) return null
  try {
    const read = v.safeParse(MembershipTier, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
