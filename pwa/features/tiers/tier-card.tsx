import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { BoldText } from '#pwa/ui/list.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { formatPounds } from '#shared/rules/money.ts'
import { besidePrice } from '#shared/rules/tier-prices.ts'

const looks = { paper: 'lite', yellow: 'best', dark: 'invite' } as const

type Props = {
  tier: MembershipTier
  price: OfferedPrice
  isSelected: boolean
  onSelect: (tier: MembershipTier, price: OfferedPrice) => void
}

export function TierCard({ tier, price, isSelected, onSelect }: Props) {
  const { features, badge, cardColour } = tier
  const head = <TierHead tier={tier} price={price} />
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same for keys
    <article className={`tier tier--${looks[cardColour]}`} onClick={() => onSelect(tier, price)}>
      {badge !== null && <Stamp>{badge}</Stamp>}
      {cardColour === 'yellow' ? <div className="tier__top">{head}</div> : head}
      <TierFeatures features={features} />
      <TierButton tier={tier} isSelected={isSelected} />
      <noscript>
        <p className="second">Joining needs JavaScript. The coaches’ numbers are at the bottom of the page.</p>
      </noscript>
    </article>
  )
}

export const TierFeatures = ({ features }: Pick<MembershipTier, 'features'>) => (
  <ul className="tier__list">
    {features.map((feature) => (
      <li key={feature}>
        <Icon name="tick" />
        <span>
          <BoldText text={feature} />
        </span>
      </li>
    ))}
  </ul>
)

/** A price with the other one, or what it comes to a month, small behind it. */
export function TierHead({ tier, price }: Pick<Props, 'tier' | 'price'>) {
  const beside = besidePrice(tier, price)
  return (
    <>
      <h3>
        {tier.name} <small>{tier.description}</small>
      </h3>
      <p className="tier__price">
        <span className="fig">{formatPounds(price.net)}</span>{' '}
        <span>
          + VAT
          <br />/{price.every}
        </span>
        {beside !== null && <small>{beside}</small>}
      </p>
    </>
  )
}

/** It has no handler of its own: the press bubbles to the card. */
function TierButton({
  tier: { name, isHighlighted, isByInvitation },
  isSelected,
}: {
  tier: MembershipTier
  isSelected: boolean
}) {
  if (isSelected)
    return (
      <Button look="picked" icon="tick" isWide aria-pressed="true">
        SELECTED
      </Button>
    )
  const look = isHighlighted ? 'ink' : 'line'
  return (
    <Button look={look} icon="arrow" isWide second={isByInvitation ? '(Invite only)' : undefined}>
      {isByInvitation ? 'CONTACT FOR INVITATION' : `JOIN ${name.toUpperCase()}`}
    </Button>
  )
}
