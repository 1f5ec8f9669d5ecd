import { PaymentUnavailable } from '#pwa/features/payment/payment-unavailable.tsx'
import { BackButton, StepTitle } from '#pwa/features/payment/step-title.tsx'
import { isChoiceOver, type RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonAnchor } from '#pwa/ui/button.tsx'
import { tierPriceChanged } from '#shared/values/tier-words.ts'

const codesWithScreen = new Set<unknown>([
  'already_subscribed',
  'unknown_membership',
  'access_revoked',
  'offline',
  'date_changed',
  'invalid_link',
])
export const hasOwnScreen = (error: Error & Partial<Pick<RequestError, 'code'>>) =>
  codesWithScreen.has(error.code) || isChoiceOver(error)

type Props = {
  error: Error & Partial<Pick<RequestError, 'code' | 'text'>>
  isRetrying: boolean
  onRetry: () => void
  onBack: () => void
  onReopen: () => void
}

export const DelayedUnavailable = ({ error, isRetrying, onRetry, onBack, onReopen }: Props) => (
  <>
    <BackButton onBack={onBack}>Back to Plan Selection</BackButton>
    {error.code === 'date_changed' || error.code === 'invalid_link' ? (
      <>
        <StepTitle isNext>{error.code === 'date_changed' ? 'The date has changed' : 'Invalid Link'}</StepTitle>
        <Banner
          role="alert"
          title={error.text ?? 'The first payment date has changed. Please open your link again.'}
          action={
            <Button isSmall icon="sync" onClick={onReopen}>
              Open the link again
            </Button>
          }
        >
          You haven’t been charged.
        </Banner>
      </>
    ) : isChoiceOver(error) ? (
      <>
        <StepTitle isNext>Choose again</StepTitle>
        <Banner
          role="alert"
          title={error.text ?? tierPriceChanged}
          action={
            <Button isSmall icon="sync" onClick={onReopen}>
              Back to the tiers
            </Button>
          }
        >
          You haven’t been charged.
        </Banner>
      </>
    ) : hasOwnScreen(error) ? (
      <>
        <StepTitle isNext>Payment setup</StepTitle>
        <PaymentUnavailable error={error} onRetry={onRetry} isRetrying={isRetrying} returnTo="/members" />
      </>
    ) : (
      <SetupFailed isRetrying={isRetrying} onRetry={onRetry} />
    )}
  </>
)

const SetupFailed = ({ isRetrying, onRetry }: Pick<Props, 'isRetrying' | 'onRetry'>) => (
  <>
    <StepTitle isNext>Setup Failed</StepTitle>
    <p className="lead">Unable to initialize delayed billing. Please try again or contact support.</p>
    <p className="purchase__ways">
      <Button icon="sync" isBusy={isRetrying} busyLabel="Trying again…" onClick={onRetry}>
        Try again
      </Button>
      <ButtonAnchor look="line" href="/contact">
        Contact support
      </ButtonAnchor>
    </p>
  </>
)
