import { deviceStorage } from '#pwa/lib/storage.ts'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'

const key = 'selectedTier'

/** Beside the tier stands which price was chosen, where that isn’t the month’s. */
export const saveSelectedTier = (tier: MembershipTier, price?: OfferedPrice) =>
  deviceStorage.setItem(key, JSON.stringify(price?.every === 'year' ? { ...tier, priceId: price.id } : tier))

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
