import { TierChooser, TierTerms } from '#pwa/features/tiers/tier-chooser-section.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { MembershipApplicationForm } from '#shared/contract/application.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import type { Buyer } from './join-state.ts'
import { useChooseTier } from './use-choose-tier.ts'

type OnBuy = (buyer: Buyer, tier: MembershipTier) => void

type Props = { tier: TierSlug | null; onBuy: OnBuy }

/** Step 2: choosing a tier sends the application. */
export function ApplyWithTier({ form, tier, onBuy }: Props & { form: MembershipApplicationForm }) {
  const { choose, chosen, isSending } = useChooseTier(form, onBuy)
  return <Tiers selected={chosen?.slug ?? tier} isSending={isSending} onSelect={choose} />
}

/** Step 2 again, for somebody whose application is in. */
export const ChooseTierAgain = ({ buyer, tier, onBuy }: Props & { buyer: Buyer }) => (
  <Tiers selected={tier} isSending={false} onSelect={(chosen) => onBuy(buyer, chosen)} />
)

type TiersProps = { selected: TierSlug | null; isSending: boolean; onSelect: (tier: MembershipTier) => void }

function Tiers({ selected, isSending, onSelect }: TiersProps) {
  const state = useTiers()
  const picked = state.tiers.find(({ slug }) => slug === selected)
  return (
    <div className="join__tiers">
      <p className="lead">Choosing a tier sends your application and opens the payment. Nothing is taken yet.</p>
      <h2 className="vh">The tiers</h2>
      <TierChooser state={state} selected={picked?.slug} onSelect={onSelect} />
      {picked && (
        <div>
          <Button
            icon="arrow"
            isBusy={isSending}
            busyLabel="Sending your application…"
            onClick={() => onSelect(picked)}
          >
            Continue with {picked.name}
          </Button>
        </div>
      )}
      <p className="vh" role="status">
        {isSending && 'Sending your application'}
      </p>
      <TierTerms />
    </div>
  )
}
