import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type TiersState, useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { useQueryState } from '#pwa/lib/query-client.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import type { Invitation } from '#shared/contract/invitation.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { readInvited } from './join-storage.ts'
import { invitationQuery, isOver } from './queries.ts'

type JoinTiers = TiersState & { invitedTo: TierSlug | null }

/** The tiers among the cards, and the one this person was invited to, for as long as the invitation is open. */
export function useJoinTiers(): JoinTiers {
  const state = useTiers()
  const invited = useInvitedTier()
  if (invited === null) return { ...state, invitedTo: null }
  const isListed = state.tiers.some(({ slug }) => slug === invited.slug)
  return { ...state, tiers: isListed ? state.tiers : [...state.tiers, invited], invitedTo: invited.slug }
}

/** As it is now. Until the server has answered, as it was when the link was opened. */
function useInvitedTier(): MembershipTier | null {
  const [stored] = useState(readInvited)
  const query = invitationQuery(stored?.link ?? '')
  const client = useQueryClient()
  const state = useQueryState<Invitation>(query.queryKey)
  const ask = useEffectEvent(() => {
    if (stored !== null) client.prefetchQuery(query)
  })
  useEffect(() => ask(), [])
  return stored === null || isOver(state?.error) ? null : (state?.data?.tier ?? stored.tier)
}

/** The tier they’re paying for or have joined at, which ends its invitation. */
export function useJoinTier(wanted: TierSlug | null): MembershipTier | undefined {
  const { tiers } = useJoinTiers()
  const [stored] = useState(readInvited)
  return tiers.find(({ slug }) => slug === wanted) ?? (stored?.tier.slug === wanted ? stored?.tier : undefined)
}

/** A price on the page isn't sold any more, or for another sum: all of them are read again. */
export const readTiersAgain = (client: QueryClient) =>
  Promise.all([
    client.resetQueries({ queryKey: tiersQuery.queryKey }),
    client.refetchQueries({ queryKey: invitationQuery('').queryKey.slice(0, 1) }),
  ])
