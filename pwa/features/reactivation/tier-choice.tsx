import { useState } from 'react'
import { PriceSwitch, usePeriod } from '#pwa/features/tiers/price-switch.tsx'
import { TierFeatures, TierHead } from '#pwa/features/tiers/tier-card.tsx'
import { NoTiers, TierTerms } from '#pwa/features/tiers/tier-chooser.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { type ChosenTier, everyText, periodOf, priceFor } from '#shared/rules/tier-prices.ts'
import './reactivation.css'

type Props = {
  /** Chosen before, or the tier of the payment already started. */
  chosen: ChosenTier | undefined
  /** We don't ask someone who has never been a member to come back. */
  verb: 'Reactivate' | 'Join'
  onChoose: (tier: MembershipTier, price: OfferedPrice) => void
}

export function TierChoice({ chosen, verb, onChoose }: Props) {
  const { tiers: all, isLoading, retry } = useTiers()
  const tiers = all.filter(({ rejoinsNow }) => rejoinsNow)
  const [slug, setSlug] = useState(chosen?.slug)
  const period = usePeriod(periodOf(tiers, chosen ?? null))
  const selected = tiers.find((tier) => tier.slug === slug) ?? defaultTier(tiers)
  const price = selected && priceFor(selected, period.every)
  if (isLoading) return <TiersSkeleton />
  if (selected === undefined || price === undefined) return <NoTiers onRetry={retry} />
  return (
    <section className="purchase__stack" aria-label="Membership tiers">
      <h2 className="vh">Choose your tier</h2>
      <PriceSwitch tiers={tiers} {...period} />
      <div className="reac__three">
        {tiers.map((tier) => (
          <SelectableTierCard
            key={tier.slug}
            tier={tier}
            price={priceFor(tier, period.every) ?? price}
            isSelected={tier.slug === selected.slug}
            onSelect={() => setSlug(tier.slug)}
          />
        ))}
      </div>
      <PayButton name={selected.name} price={price} verb={verb} onPress={() => onChoose(selected, price)} />
      <TierTerms />
    </section>
  )
}

const defaultTier = (tiers: readonly MembershipTier[]) =>
  tiers.find(({ isPreselected }) => isPreselected) ?? tiers[1] ?? tiers[0]

type PayProps = Pick<Props, 'verb'> & { name: string; price: OfferedPrice; onPress: () => void }

function PayButton({ name, price: { net, vat, total, every }, verb, onPress }: PayProps) {
  return (
    <div className="purchase__press reac__press">
      <Button icon="arrow" onClick={onPress}>
        {verb} {name} - {formatPounds(net)}/{every}
      </Button>
      <p>
        Your subscription starts immediately and billing begins today: <b>{formatPoundsAndPence(total)}</b>{' '}
        {everyText(every)}, with VAT ({formatPoundsAndPence(net)} + {formatPoundsAndPence(vat)}).
      </p>
    </div>
  )
}

type CardProps = { tier: MembershipTier; price: OfferedPrice; isSelected: boolean; onSelect: () => void }

/** A press anywhere on the card selects the tier, as its button does. */
function SelectableTierCard({ tier, price, isSelected, onSelect }: CardProps) {
  const isBest = tier.isHighlighted
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same for keys
    <article className={isBest ? 'tier tier--best' : 'tier'} onClick={onSelect}>
      {isBest && tier.badge !== null && <Stamp>{tier.badge.toUpperCase()}</Stamp>}
      <div className={isBest ? 'tier__top' : 'purchase__part reac__top'}>
        <TierHead tier={tier} price={price} />
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
