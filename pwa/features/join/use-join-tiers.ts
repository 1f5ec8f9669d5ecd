import { useState } from 'react'
import { type TiersState, useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { readInvitedTier } from './join-storage.ts'

/** The tiers among the cards, and the one this person was invited to. */
export function useJoinTiers(): TiersState {
  const state = useTiers()
  const [invited] = useState(readInvitedTier)
  const isListed = invited === null || state.tiers.some(({ slug }) => slug === invited.slug)
  return isListed ? state : { ...state, tiers: [...state.tiers, invited] }
}
