import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { stateAction, stateLine } from '#shared/rules/state-line.ts'

/** Shown in the members' area when the member has to do something about billing, which is done at `/reactivate`. */
export function BillingBanner({ billing }: { billing: BillingSubscription }) {
  const action = bannerAction(billing)
  if (action === null) return null
  return (
    <section aria-label="Billing needs you">
      <Banner
        tone={action.kind === 'join' ? 'plain' : 'bad'}
        icon="warn"
        title={stateLine(billing)}
        action={
          <ButtonLink isSmall to={action.kind === 'contact' ? '/contact' : '/reactivate'} icon="arrow">
            {action.label}
          </ButtonLink>
        }
      >
        <p className="second">{billing.label}</p>
      </Banner>
    </section>
  )
}

/** Null where the banner does not show: the state needs none, or there is nothing to do. */
export const bannerAction = (billing: BillingSubscription) => (billing.showsBanner ? stateAction(billing) : null)
