import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { bannerWords } from './banner-words.ts'

/** Billing needs its owner: why, and the way to put it right. */
export function BillingBanner({ billing }: { billing: BillingSubscription }) {
  const words = bannerWords(billing)
  if (words === null) return null
  return (
    <section aria-label="Billing needs you">
      <Banner
        tone="bad"
        title={words.title}
        action={
          <ButtonLink isSmall to="/reactivate" icon="arrow">
            {words.action}
          </ButtonLink>
        }
      >
        {words.text}
      </Banner>
    </section>
  )
}
