import { StepTitle } from '#pwa/features/payment/step-title.tsx'
import { PriceSwitch, usePeriod } from '#pwa/features/tiers/price-switch.tsx'
import { TierFeatures, TierHead } from '#pwa/features/tiers/tier-card.tsx'
import { TierTerms } from '#pwa/features/tiers/tier-chooser.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { DelayedOffer } from '#shared/contract/reactivation.ts'
import type { MembershipTier, OfferedPrice } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { priceFor } from '#shared/rules/tier-prices.ts'
import { isDueToday } from './reactivation-texts.ts'

export type OfferedTier = MembershipTier & DelayedOffer

type Props = {
  name: string
  email: string
  tiers: readonly OfferedTier[]
  isNext: boolean
  onChoose: (tier: OfferedTier, price: OfferedPrice) => void
}

export function DelayedTiers({ name, email, tiers, isNext, onChoose }: Props) {
  const period = usePeriod(undefined)
  return (
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
      <PriceSwitch tiers={tiers} {...period} />
      <div className="reac__two">
        {tiers.map((tier) => {
          const price = priceFor(tier, period.every)
          return (
            price && (
              <OfferedTierCard key={tier.slug} tier={tier} price={price} onChoose={() => onChoose(tier, price)} />
            )
          )
        })}
      </div>
      <TierTerms />
    </>
  )
}

type CardProps = { tier: OfferedTier; price: OfferedPrice; onChoose: () => void }

function OfferedTierCard({ tier, price, onChoose }: CardProps) {
  const isBest = tier.isHighlighted
  return (
    <article className={isBest ? 'tier tier--best' : 'tier'}>
      {isBest && tier.badge !== null && <Stamp>{tier.badge}</Stamp>}
      <div className={isBest ? 'tier__top' : 'purchase__part reac__top'}>
        <TierHead tier={tier} price={price} />
      </div>
      <div className="reac__sum">
        <p>
          <b>
            {formatPoundsAndPence(price.total)} total per {price.every}
          </b>
          , with {formatPoundsAndPence(price.vat)} VAT
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
