import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { pageOf, stateAction, stateLine } from '#shared/rules/state-line.ts'

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
          <ButtonLink isSmall to={pageOf(action)} icon="arrow">
            {action.label}
          </ButtonLink>
        }
      />
    </section>
  )
}

/** Null if the banner doesn't show: the state doesn't need it, or there's nothing to do. */
export const bannerAction = (billing: BillingSubscription) => (billing.showsBanner ? stateAction(billing) : null)
