import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { CardFormSkeleton } from '#pwa/features/payment/card/lazy-card-form.tsx'
import { PlanSummary } from '#pwa/features/payment/plan-summary-section.tsx'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { StepTitle } from '#pwa/features/payment/step-title-section.tsx'
import { RequestError } from '#pwa/lib/request-error.ts'
import { track } from '#pwa/lib/track.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { type CreateDelayedSubscriptionRequest, namelessMember } from '#shared/contract/reactivation.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { BackToPlans } from './back-to-plans.tsx'
import { DelayedStopped, hasOwnScreen } from './delayed-stopped.tsx'
import type { OfferedTier } from './delayed-tiers.tsx'
import { consentTo, hasCome, savedToast } from './delayed-words.ts'
import { type KeptDelayed, keepDelayed } from './kept-delayed.ts'
import { type LinkSearch, toQuery } from './link-search.ts'
import { type BegunDelayed, beginDelayed, delayedQuery } from './queries.ts'
import '#pwa/features/payment/payment.css'

const CardForm = lazy(() => import('#pwa/features/payment/card/card-form.tsx'))

type Props = {
  link: LinkSearch
  tier: OfferedTier
  onBack: () => void
  /** The date is another by now: the offers are asked for again. */
  onReopen: () => void
}

/** How the tier is paid on the day: the plan, then a card or PayPal. */
export function DelayedPayment({ link, tier, onBack, onReopen }: Props) {
  const request = requestFor(link, tier)
  const begun = useQuery(delayedQuery(request))
  const provider = useQuery(providerQuery)
  const error = begun.error ?? provider.error
  useSetupFailure(error)
  const { date, isDue, net, vat, total } = begun.data ?? { ...tier, isDue: hasCome(tier.date) }
  const retry = () => {
    if (begun.error) begun.refetch()
    if (provider.error) provider.refetch()
  }
  if (error) {
    const isRetrying = begun.isFetching || provider.isFetching
    return <DelayedStopped {...{ error, isRetrying, onBack, onReopen }} onRetry={retry} />
  }
  return (
    <>
      <BackToPlans onBack={onBack} />
      <div className="pay">
        <PlanSummary
          plan={tier}
          price={{ net, vat, total }}
          totalLabel="Total per month"
          maxFeatures={4}
          after={[{ label: 'First payment', value: isDue ? 'Today' : formatLongDate(date) }]}
        />
        <div className="pay__work">
          <StepTitle isNext>Payment setup</StepTitle>
          <p className="second">For {link.email}</p>
          <Banner title="Special Delayed Billing">
            {isDue
              ? `Your first payment of ${formatPoundsAndPence(total)} is taken today.`
              : `You save how you pay today. The first payment of ${formatPoundsAndPence(total)} is taken on ${formatLongDate(date)}, one month after your last.`}
          </Banner>
          {begun.data && provider.data ? (
            <Suspense fallback={<CardFormSkeleton />}>
              <MethodForm
                {...{ link, tier, request }}
                begun={begun.data}
                provider={provider.data}
                retry={begun.refetch}
              />
            </Suspense>
          ) : (
            <CardFormSkeleton />
          )}
        </div>
      </div>
    </>
  )
}

/** With the date as the server gave it. */
const requestFor = (link: LinkSearch, { slug, date }: OfferedTier): CreateDelayedSubscriptionRequest => ({
  ...toQuery({ name: namelessMember, ...link }),
  tierSlug: slug,
  delayedBillingDate: date,
})

type FormProps = {
  link: LinkSearch
  tier: OfferedTier
  request: CreateDelayedSubscriptionRequest
  begun: BegunDelayed
  provider: Parameters<typeof CardForm>[0]['provider']
  retry: () => unknown
}

function MethodForm({ link, tier, request, begun, provider, retry }: FormProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const { email, date, isDue, total, clientSecret } = begun
  const agreed: KeptDelayed = {
    ...{ email, date, isDue, total, tierSlug: tier.slug, tierName: tier.name, isDone: false },
    link: new URLSearchParams(Object.entries(link)).toString(),
  }
  // There is no session to keep the address with: it goes with the link. What was begun must still be what is confirmed.
  const saveAddress = async (billingAddress: BillingAddress) => {
    keepDelayed(agreed)
    const again = await beginDelayed({ ...request, billingAddress }).catch((error: unknown) => {
      retry()
      throw error
    })
    if (again.clientSecret === clientSecret) return
    retry()
    throw new Error('Another set-up has taken the place of this one')
  }
  const finish = () => {
    if (isDue) track({ name: 'purchase', value: total / 100 })
    keepDelayed({ ...agreed, isDone: true })
    toast(savedToast(agreed))
    navigate({ to: '/membership-success' })
  }
  return (
    <CardForm
      {...{ provider, clientSecret, email, saveAddress }}
      takesPayPal
      holder={link.name ?? ''}
      returnPath="/membership-success"
      consent={consentTo(agreed)}
      action={isDue ? `PAY ${formatPoundsAndPence(total)}` : 'SAVE PAYMENT METHOD'}
      second={isDue ? priceParts(begun) : `Nothing is taken before ${formatLongDate(date)}`}
      busyLabel={isDue ? 'PROCESSING…' : 'SAVING…'}
      texts={isDue ? paymentTexts : setupTexts}
      onConfirmed={finish}
    />
  )
}

const priceParts = ({ net, vat }: BegunDelayed) => `${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT`

/** A first payment that is due is a payment like any other. */
const paymentTexts = {
  rejectedTitle: 'Payment Failed',
  rejectedMessage: 'Payment processing failed. Please try again.',
  errorToast: { title: 'Payment Error', description: 'Payment processing failed. Please try again.' },
}

const setupTexts = {
  rejectedTitle: 'Setup Failed',
  rejectedMessage: 'Failed to set up delayed billing',
  errorToast: { title: 'Setup Error', description: 'Failed to set up delayed billing. Please try again.' },
}

function useSetupFailure(error: Error | null) {
  const toast = useToast()
  const tell = useEffectEvent((failure: Error) => {
    if (failure instanceof RequestError && hasOwnScreen(failure)) return
    toast({
      title: 'Setup Error',
      description: 'Failed to initialize delayed billing. Please try again.',
      tone: 'bad',
    })
  })
  useEffect(() => {
    if (error) tell(error)
  }, [error])
}
