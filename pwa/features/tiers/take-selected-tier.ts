import * as v from 'valibot'
import { MembershipTier } from '#shared/contract/tier.ts'
import { selectedTierKey } from './selected-tier.ts'

/** The tier chosen earlier, read once: it is gone afterwards. */
export const takeSelectedTier = (): MembershipTier | null => {
  const text = window.localStorage.getItem(selectedTierKey)
  window.localStorage.removeItem(selectedTierKey)
  if (!text) return null
  try {
    const read = v.safeParse(MembershipTier, JSON.parse(text))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
