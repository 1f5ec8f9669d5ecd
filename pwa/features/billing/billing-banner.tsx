import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { bannerWords } from './banner-words.ts'

/** Billing needs its owner: why, and the way to put it right. */
export const BillingBanner = ({ billing }: { billing: BillingSubscription }) => {
  const words = bannerWords(billing)
  if (words === null) return null
  return (
    <section aria-label="Billing">
      <Banner
        tone="bad"
        title={words.title}
        action={
          <ButtonAnchor isSmall href="/reactivate" icon="arrow">
            {words.action}
          </ButtonAnchor>
        }
      >
        {words.text}
      </Banner>
    </section>
  )
}
