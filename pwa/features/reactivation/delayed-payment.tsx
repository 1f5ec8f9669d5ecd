import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { CardFormSkeleton, LazyCardForm } from '#pwa/features/payment/card/lazy-card-form.tsx'
import { PlanSummary } from '#pwa/features/payment/plan-summary.tsx'
import { type Provider, useWithProvider } from '#pwa/features/payment/queries.ts'
import { BackButton, StepTitle } from '#pwa/features/payment/step-title.tsx'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { track } from '#pwa/lib/track.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { type CreateDelayedSubscriptionRequest, namelessMember } from '#shared/contract/reactivation.ts'
import type { OfferedPrice } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import type { OfferedTier } from './delayed-tiers.tsx'
import { DelayedUnavailable, hasOwnScreen } from './delayed-unavailable.tsx'
import { createDelayedSubscription, type PendingDelayedPayment, pendingDelayedPaymentQuery } from './queries.ts'
import { type DelayedSetup, saveDelayedSetup } from './reactivation-storage.ts'
import { agreedText, isDueToday, savedToast } from './reactivation-texts.ts'
import { type LinkSearch, toLinkQuery } from './search.ts'

type Props = {
  link: LinkSearch
  tier: OfferedTier
  price: OfferedPrice
  onBack: () => void
  /** The date has changed: the offers have to be requested again. */
  onReopen: () => void
}

export function DelayedPayment({ link, tier, price, onBack, onReopen }: Props) {
  const { terms } = useSiteContent()
  const request = requestFor(link, { tier, price }, terms)
  const query = useQuery(pendingDelayedPaymentQuery(request))
  const { data: pending, provider, error, isRetrying, retry } = useWithProvider(query)
  useSetupErrorToast(error)
  const { date, isDue, net, vat, total } = pending ?? { ...price, date: tier.date, isDue: isDueToday(tier.date) }
  if (error)
    return (
      <DelayedUnavailable error={error} isRetrying={isRetrying} onBack={onBack} onReopen={onReopen} onRetry={retry} />
    )
  return (
    <>
      <BackButton onBack={onBack}>Back to Plan Selection</BackButton>
      <div className="pay">
        <PlanSummary
          plan={tier}
          price={{ net, vat, total }}
          every={price.every}
          totalLabel={`Total per ${price.every}`}
          maxFeatures={4}
          after={[{ label: 'First payment', value: isDue ? 'Today' : formatLongDate(date) }]}
        />
        <div className="pay__work">
          <StepTitle isNext>Payment setup</StepTitle>
          <p className="second">For {link.email}</p>
          <Banner title="Special Delayed Billing">
            {isDue
              ? `We’ll take your first payment of ${formatPoundsAndPence(total)} today.`
              : `Save your payment method today. We’ll take the first ${formatPoundsAndPence(total)} on ${formatLongDate(date)}, one month after your last payment.`}
          </Banner>
          {pending ? (
            <PaymentMethodForm
              link={link}
              tier={tier}
              request={request}
              pending={pending}
              provider={provider}
              onChanged={query.refetch}
            />
          ) : (
            <CardFormSkeleton />
          )}
        </div>
      </div>
    </>
  )
}

const requestFor = (
  link: LinkSearch,
  { tier, price }: Pick<Props, 'tier' | 'price'>,
  termsVersion: string,
): CreateDelayedSubscriptionRequest => ({
  ...toLinkQuery({ name: namelessMember, ...link }),
  tierSlug: tier.slug,
  priceId: price.id,
  tierPrice: price.net,
  delayedBillingDate: tier.date,
  termsVersion,
})

type FormProps = {
  link: LinkSearch
  tier: OfferedTier
  request: CreateDelayedSubscriptionRequest
  pending: PendingDelayedPayment
  provider: Provider | undefined
  /** The pending payment may be a different one by now. */
  onChanged: () => unknown
}

function PaymentMethodForm({ link, tier, request, pending, provider, onChanged }: FormProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const { email, date, isDue, total, every, clientSecret } = pending
  const setup: DelayedSetup = {
    email,
    date,
    isDue,
    total,
    every,
    tierSlug: tier.slug,
    tierName: tier.name,
    isDone: false,
    link: new URLSearchParams(Object.entries(link)).toString(),
  }
  // No one is logged in, so the address is saved with the link. What the payer confirms must still be what is pending.
  const saveAddress = async (billingAddress: BillingAddress) => {
    saveDelayedSetup(setup)
    const current = await createDelayedSubscription({ ...request, billingAddress }).catch((error: unknown) => {
      onChanged()
      throw error
    })
    if (current.clientSecret === clientSecret) return
    onChanged()
    throw new Error('You’ve started again in another tab')
  }
  const finish = () => {
    if (isDue) track({ name: 'purchase', value: total / 100 })
    saveDelayedSetup({ ...setup, isDone: true })
    toast(savedToast(setup))
    navigate({ to: '/membership-success' })
  }
  return (
    <LazyCardForm
      provider={provider}
      clientSecret={clientSecret}
      email={email}
      saveAddress={saveAddress}
      takesPayPal
      holder={link.name ?? ''}
      returnPath="/membership-success"
      consent={agreedText(setup)}
      action={isDue ? `PAY ${formatPoundsAndPence(total)}` : 'SAVE PAYMENT METHOD'}
      second={isDue ? priceParts(pending) : `You won’t be charged before ${formatLongDate(date)}`}
      busyLabel={isDue ? 'PROCESSING…' : 'SAVING…'}
      texts={isDue ? paymentTexts : setupTexts}
      onConfirmed={finish}
    />
  )
}

const priceParts = ({ net, vat }: PendingDelayedPayment) =>
  `${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT`

/** A first payment due today is a payment like any other. */
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

function useSetupErrorToast(error: Error | null) {
  const toast = useToast()
  const show = useEffectEvent((shown: Error) => {
    if (shown instanceof RequestError && hasOwnScreen(shown)) return
    toast({
      title: 'Setup Error',
      description: 'Failed to initialize delayed billing. Please try again.',
      tone: 'bad',
    })
  })
  useEffect(() => {
    if (error) show(error)
  }, [error])
}
