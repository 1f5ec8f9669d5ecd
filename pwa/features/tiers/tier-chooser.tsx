import { useNavigate } from '@tanstack/react-router'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { NoTiers } from './no-tiers.tsx'
import { keepSelectedTier } from './selected-tier.ts'
import { TierCard } from './tier-card.tsx'
import type { TiersState } from './use-tiers.ts'

type Props = {
  /** From `useTiers()`. */
  state: TiersState
  /** Takes the choice; without it the choice is kept for the join page, and that page opens. */
  onSelect?: (tier: MembershipTier) => void
  selected?: TierSlug
}

/** The tiers to choose from: a skeleton while they load, a way to try again when there are none. */
export const TierChooser = ({ state: { tiers, isLoading, retry }, onSelect, selected }: Props) => {
  const joinWith = useJoinWith()
  if (isLoading) return <TierSkeleton />
  if (tiers.length === 0) return <NoTiers onRetry={retry} />
  return (
    <div className="tiers">
      {tiers.map((tier) => (
        <TierCard key={tier.slug} tier={tier} isSelected={tier.slug === selected} onSelect={onSelect ?? joinWith} />
      ))}
    </div>
  )
}

const useJoinWith = () => {
  const navigate = useNavigate()
  return (tier: MembershipTier) => {
    keepSelectedTier(tier)
    navigate({ to: '/membership-application' })
  }
}

const TierSkeleton = () => (
  <div className="tiers" role="status" aria-label="Loading the tiers">
    {['lite', 'best', 'invite'].map((place) => (
      <div key={place} className="tier" data-testid="tier-skeleton">
        <Skeleton size="title" isShort />
        <Skeleton size="figure" isShort />
        <Skeleton size="block" />
        <Skeleton size="button" />
      </div>
    ))}
  </div>
)
