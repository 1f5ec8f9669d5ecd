import { BillingBanner } from '#pwa/features/billing/billing-banner-section.tsx'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import type { PaymentReturn } from './payment-return.ts'
import { type Refresh, saysLoggedOut } from './use-refresh.ts'

type Props = {
  payment: PaymentReturn
  /** None for owners, who pay nothing. */
  billing: BillingSubscription | null | undefined
  refreshes: readonly Refresh[]
  hasSignal: boolean
}

/** What the area has to say before its work: a payment that failed, billing, and what could not be renewed. */
export function Notices({ payment, billing, refreshes, hasSignal }: Props) {
  const problem = refreshes.find((refresh) => refresh.problem && !saysLoggedOut(refresh))?.problem
  const tryAgain = () => {
    for (const { again } of refreshes) again()
  }
  return (
    <>
      {payment === 'failed' && <PaymentFailed />}
      {billing && <BillingBanner billing={billing} />}
      {problem && hasSignal && (
        <Banner
          tone="bad"
          role="status"
          title="Not up to date"
          action={
            <Button isSmall look="line" icon="sync" isBusy={refreshes.some(({ isBusy }) => isBusy)} onClick={tryAgain}>
              Try again
            </Button>
          }
        >
          {`${messageOf(problem, 'The site did not answer.')} What is here is what this phone kept; your ticks are safe.`}
        </Banner>
      )}
    </>
  )
}

const PaymentFailed = () => (
  <Banner
    tone="bad"
    title="Payment Setup Failed"
    action={
      <ButtonLink isSmall to="/membership-application" icon="arrow">
        Back to the payment
      </ButtonLink>
    }
  >
    Nothing has been taken. You can try again with the same card or another.
  </Banner>
)
