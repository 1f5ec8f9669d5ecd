import { StepTitle } from '#pwa/features/payment/step-title.tsx'
import { TierFeatures, TierHead } from '#pwa/features/tiers/tier-card.tsx'
import { TierTerms } from '#pwa/features/tiers/tier-chooser.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { DelayedOffer } from '#shared/contract/reactivation.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { isDueToday } from './reactivation-texts.ts'

export type OfferedTier = MembershipTier & DelayedOffer

type Props = {
  name: string
  email: string
  tiers: readonly OfferedTier[]
  isNext: boolean
  onChoose: (tier: OfferedTier) => void
}

export const DelayedTiers = ({ name, email, tiers, isNext, onChoose }: Props) => (
  <>
    <div className="purchase__part reac__head">
      <StepTitle isNext={isNext}>{`Welcome Back, ${name}!`}</StepTitle>
      <p className="lead">
        {tiers.some(({ date }) => isDueToday(date))
          ? 'Choose your tier. You make your first payment today.'
          : 'Choose your tier. Today you just save your payment method.'}
      </p>
      <p className="second">For {email}</p>
    </div>
    <h2 className="vh">The tiers</h2>
    {tiers.length === 0 && (
      <EmptyState title="No membership tiers available at the moment.">
        Try again in a few minutes, or contact us.
      </EmptyState>
    )}
    <div className="reac__two">
      {tiers.map((tier) => (
        <OfferedTierCard key={tier.slug} tier={tier} onChoose={() => onChoose(tier)} />
      ))}
    </div>
    <TierTerms />
  </>
)

function OfferedTierCard({ tier, onChoose }: { tier: OfferedTier; onChoose: () => void }) {
  const isBest = tier.slug === 'standard'
  return (
    <article className={isBest ? 'tier tier--best' : 'tier'}>
      {isBest && <Stamp>Most Popular</Stamp>}
      <div className={isBest ? 'tier__top' : 'purchase__part reac__top'}>
        <TierHead tier={tier} />
      </div>
      <div className="reac__sum">
        <p>
          <b>{formatPoundsAndPence(tier.total)} total per month</b>, with {formatPoundsAndPence(tier.vat)} VAT
        </p>
        <p className="second">First payment: {isDueToday(tier.date) ? 'today' : formatLongDate(tier.date)}</p>
      </div>
      <TierFeatures features={tier.features} />
      <Button look={isBest ? 'ink' : 'line'} icon="arrow" isWide onClick={onChoose}>
        Set Up Delayed Billing - {tier.name}
      </Button>
    </article>
  )
}
