import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { stateAction, stateLine } from '#shared/rules/state-line.ts'

/** Shown in the members' area when the member has to do something about billing, which is done at `/reactivate`. */
export function BillingBanner({ billing }: { billing: BillingSubscription }) {
  const action = bannerAction(billing)
  if (action === null) return null
  const tone = action.kind === 'join' ? 'plain' : 'bad'
  return (
    <section aria-label="Billing needs you">
      <Banner
        tone={tone}
        icon="warn"
        title={
          <>
            <span>{stateLine(billing)}</span> <Badge tone={tone}>{billing.label}</Badge>
          </>
        }
        action={
          <ButtonLink isSmall to={action.kind === 'contact' ? '/contact' : '/reactivate'} icon="arrow">
            {action.label}
          </ButtonLink>
        }
      />
    </section>
  )
}

/** Null where the banner does not show: the state needs none, or there is nothing to do. */
export const bannerAction = (billing: BillingSubscription) => (billing.showsBanner ? stateAction(billing) : null)
