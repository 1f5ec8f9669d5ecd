import { useState } from 'react'
import { TierFeatures, TierHead } from '#pwa/features/tiers/tier-card.tsx'
import { NoTiers, TierTerms } from '#pwa/features/tiers/tier-chooser.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { formatPounds, formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import './reactivation.css'

type Props = {
  /** Chosen before, or the tier of the payment already started. */
  chosen: TierSlug | undefined
  /** We don't ask someone who has never been a member to come back. */
  verb: 'Reactivate' | 'Join'
  onChoose: (tier: MembershipTier) => void
}

export function TierChoice({ chosen, verb, onChoose }: Props) {
  const { tiers, isLoading, retry } = useTiers()
  const [slug, setSlug] = useState(chosen)
  const selected = tiers.find((tier) => tier.slug === slug) ?? defaultTier(tiers)
  if (isLoading) return <TiersSkeleton />
  if (selected === undefined) return <NoTiers onRetry={retry} />
  return (
    <section className="purchase__stack" aria-label="Membership tiers">
      <h2 className="vh">Choose your tier</h2>
      <div className="reac__three">
        {tiers.map((tier) => (
          <SelectableTierCard
            key={tier.slug}
            tier={tier}
            isSelected={tier.slug === selected.slug}
            onSelect={() => setSlug(tier.slug)}
          />
        ))}
      </div>
      <PayButton tier={selected} verb={verb} onChoose={onChoose} />
      <TierTerms />
    </section>
  )
}

const defaultTier = (tiers: readonly MembershipTier[]) =>
  tiers.find(({ slug }) => slug === 'standard') ?? tiers[1] ?? tiers[0]

function PayButton({ tier, verb, onChoose }: { tier: MembershipTier } & Pick<Props, 'verb' | 'onChoose'>) {
  const { net, vat, total } = withVat(tier.price)
  return (
    <div className="purchase__press reac__press">
      <Button icon="arrow" onClick={() => onChoose(tier)}>
        {verb} {tier.name} - {formatPounds(tier.price)}/month
      </Button>
      <p>
        Your subscription starts immediately and billing begins today: <b>{formatPoundsAndPence(total)}</b> a month,
        with VAT ({formatPoundsAndPence(net)} + {formatPoundsAndPence(vat)}).
      </p>
    </div>
  )
}

type CardProps = { tier: MembershipTier; isSelected: boolean; onSelect: () => void }

/** A press anywhere on the card selects the tier, as its button does. */
function SelectableTierCard({ tier, isSelected, onSelect }: CardProps) {
  const isBest = tier.slug === 'standard'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same for keys
    <article className={isBest ? 'tier tier--best' : 'tier'} onClick={onSelect}>
      {isBest && <Stamp>MOST POPULAR</Stamp>}
      <div className={isBest ? 'tier__top' : 'purchase__part reac__top'}>
        <TierHead tier={tier} />
      </div>
      <TierFeatures features={tier.features} />
      <Button
        look={isSelected ? 'picked' : 'line'}
        icon={isSelected ? 'tick' : undefined}
        isWide
        aria-pressed={isSelected}
      >
        {isSelected ? 'SELECTED' : `CHOOSE ${tier.name.toUpperCase()}`}
      </Button>
    </article>
  )
}

const TiersSkeleton = () => (
  <div className="reac__three" role="status" aria-label="Loading the tiers">
    {['first', 'second', 'third'].map((place) => (
      <div key={place} className="tier">
        <Skeleton size="title" isShort />
        <Skeleton size="figure" isShort />
        <Skeleton size="block" />
        <Skeleton size="button" />
      </div>
    ))}
  </div>
)
