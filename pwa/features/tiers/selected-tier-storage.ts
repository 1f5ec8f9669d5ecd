import { deviceStorage } from '#pwa/lib/storage.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'

const key = 'selectedTier'

export const saveSelectedTier = (tier: MembershipTier) => deviceStorage.setItem(key, JSON.stringify(tier))

/** Can be read only once. Storage may have any JSON; the reader checks it, so that public pages load no validator. */
export function takeSelectedTier(): unknown {
  const text = deviceStorage.getItem(key)
  deviceStorage.removeItem(key)
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
