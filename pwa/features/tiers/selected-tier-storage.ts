import { deviceStorage } from '#pwa/lib/storage.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'

const key = 'selectedTier'

/** Stores the whole tier that was chosen on another page, for the join page. */
export const saveSelectedTier = (tier: MembershipTier) => deviceStorage.setItem(key, JSON.stringify(tier))

/** Can be read only once. Any JSON may be stored here: the reader checks it, so that public pages load no validator. */
export function takeSelectedTier(): unknown {
  const text = deviceStorage.getItem(key)
  deviceStorage.removeItem(key)
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
