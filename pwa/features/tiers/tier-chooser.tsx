import { useNavigate } from '@tanstack/react-router'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SectionText } from '#shared/contract/texts/parts.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { saveSelectedTier } from './selected-tier-storage.ts'
import { TierCard } from './tier-card.tsx'
import { type TiersState, useTiers } from './use-tiers.ts'

export const TierSection = ({ text }: { text: SectionText }) => (
  <>
    <div className="chalk" />
    <PageSection section={text}>
      <TierChooser state={useTiers()} />
      <TierTerms />
    </PageSection>
  </>
)

type Props = {
  state: TiersState
  /** Without it the chosen tier is stored for the join page, and that page opens. */
  onSelect?: (tier: MembershipTier) => void
  selected?: TierSlug
}

export function TierChooser({ state: { tiers, isLoading, retry }, onSelect, selected }: Props) {
  const joinWithTier = useJoinWithTier()
  if (isLoading) return <TiersSkeleton />
  if (tiers.length === 0) return <NoTiers onRetry={retry} />
  return (
    <div className="tiers">
      {tiers.map((tier) => (
        <TierCard key={tier.slug} tier={tier} isSelected={tier.slug === selected} onSelect={onSelect ?? joinWithTier} />
      ))}
    </div>
  )
}

function useJoinWithTier() {
  const navigate = useNavigate()
  return (tier: MembershipTier) => {
    saveSelectedTier(tier)
    navigate({ to: '/membership-application' })
  }
}

const TiersSkeleton = () => (
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

export const NoTiers = ({ onRetry }: { onRetry: () => void }) => (
  <EmptyState
    title="No membership tiers available at the moment."
    action={
      <Button look="line" icon="sync" isSmall onClick={onRetry}>
        Retry
      </Button>
    }
  >
    We couldn’t load the prices.
  </EmptyState>
)

/** The guarantee and the terms, under every list of tiers. */
export function TierTerms() {
  const { claims, prices } = useSiteContent()
  return (
    <div className="under">
      {claims.guarantee.isOn && (
        <p>
          <b>{prices.guarantee}</b>
        </p>
      )}
      <p>{prices.terms}</p>
    </div>
  )
}
