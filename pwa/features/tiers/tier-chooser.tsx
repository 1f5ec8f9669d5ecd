import { useNavigate } from '@tanstack/react-router'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SectionText } from '#shared/contract/texts/parts.ts'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { type ChosenTier, chosenPrice, periodOf, priceFor } from '#shared/rules/tier-prices.ts'
import { type Period, PriceSwitch, usePeriod } from './price-switch.tsx'
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
  onSelect?: (tier: MembershipTier, price: OfferedPrice) => void
  selected?: ChosenTier | null
  /** Of a switch that the page draws itself. */
  period?: Period
}

export function TierChooser({ state: { tiers, isLoading, retry }, onSelect, selected = null, period: given }: Props) {
  const joinWithTier = useJoinWithTier()
  const own = usePeriod(periodOf(tiers, selected))
  const period = given ?? own
  if (isLoading) return <TiersSkeleton />
  if (tiers.length === 0) return <NoTiers onRetry={retry} />
  return (
    <>
      {given === undefined && <PriceSwitch tiers={tiers} {...period} />}
      <div className={cardsClass(tiers.length)}>
        {tiers.map((tier) => {
          const price = priceFor(tier, period.every)
          return (
            price && (
              <TierCard
                key={tier.slug}
                tier={tier}
                price={price}
                isSelected={tier.slug === selected?.slug && price === chosenPrice(tier, selected)}
                onSelect={onSelect ?? joinWithTier}
              />
            )
          )
        })}
      </div>
    </>
  )
}

/** Three stand as one sheet, more or fewer in rows. */
const cardsClass = (count: number) =>
  count === 3 ? 'tiers' : `tiers tiers--rows${count < 3 || count === 4 ? ' tiers--two' : ''}`

function useJoinWithTier() {
  const navigate = useNavigate()
  return (tier: MembershipTier, price: OfferedPrice) => {
    saveSelectedTier(tier, price)
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
