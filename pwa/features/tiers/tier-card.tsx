import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { BoldText } from '#pwa/ui/list.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { formatPounds } from '#shared/rules/money.ts'

function lookOf({ slug, isByInvitation }: MembershipTier): { kind: string; stamp?: string } {
  if (isByInvitation) return { kind: 'invite', stamp: 'INVITE ONLY' }
  return slug === 'standard' ? { kind: 'best', stamp: 'Most Popular' } : { kind: 'lite' }
}

type Props = { tier: MembershipTier; isSelected: boolean; onSelect: (tier: MembershipTier) => void }

export function TierCard({ tier, isSelected, onSelect }: Props) {
  const { slug, features } = tier
  const { kind, stamp } = lookOf(tier)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same for keys
    <article className={`tier tier--${kind}`} onClick={() => onSelect(tier)}>
      {stamp && <Stamp>{stamp}</Stamp>}
      {slug === 'standard' ? (
        <div className="tier__top">
          <TierHead tier={tier} />
        </div>
      ) : (
        <TierHead tier={tier} />
      )}
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

export const TierHead = ({ tier: { name, description, price } }: { tier: MembershipTier }) => (
  <>
    <h3>
      {name} <small>{description}</small>
    </h3>
    <p className="tier__price">
      <span className="fig">{formatPounds(price)}</span>{' '}
      <span>
        + VAT
        <br />
        /month
      </span>
    </p>
  </>
)

/** It has no handler of its own: the press bubbles to the card. */
function TierButton({
  tier: { name, slug, isByInvitation },
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
  const look = slug === 'standard' ? 'ink' : 'line'
  return (
    <Button look={look} icon="arrow" isWide second={isByInvitation ? '(Invite only)' : undefined}>
      {isByInvitation ? 'CONTACT FOR INVITATION' : `JOIN ${name.toUpperCase()}`}
    </Button>
  )
}
