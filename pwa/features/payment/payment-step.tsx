import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { isChoiceOver, RequestError } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { track } from '#pwa/lib/track.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { CreateSubscriptionRequest } from '#shared/contract/billing.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import { capitalised, consentText, everyText } from '#shared/rules/tier-prices.ts'
import { ActivationWait } from './activation.tsx'
import { CardFormSkeleton, LazyCardForm } from './card/lazy-card-form.tsx'
import type { PaymentRejection } from './card/use-card-payment.ts'
import { PaymentUnavailable } from './payment-unavailable.tsx'
import { nextPaymentRows, PlanSummary, type ShownPlan } from './plan-summary.tsx'
import { type PendingPayment, type Provider, pendingPaymentQuery, useWithProvider } from './queries.ts'
import './payment.css'

type Props = {
  request: CreateSubscriptionRequest & { tierPrice: number }
  /** Of the price in it. */
  every: PricePeriod
  plan: ShownPlan
  heading: ReactNode
  returnTo: string
  /** The page the bank's page leads back to; defaults to the members' area. */
  returnPath?: string
  /** Shows at most this many of the plan's features, and says how many more there are. */
  maxFeatures?: number
  initialRejection?: PaymentRejection | null
  /** The tier's price has changed, or it isn't sold any more, so the person has to choose again. */
  onPriceChanged: () => void
  /** The person shouldn't leave the page during a payment. */
  onBusy?: (isBusy: boolean) => void
  /** Stripe has the payment; from here on this step only waits. */
  onConfirmed?: () => void
  onFinished: (result: { isActive: boolean }) => void
}

export function PaymentStep({ request: sale, every: asked, plan, heading, returnTo, maxFeatures, ...rest }: Props) {
  const { terms } = useSiteContent()
  const request = { ...sale, termsVersion: terms }
  const { data: pending, provider, error, isRetrying, retry } = useWithProvider(useQuery(pendingPaymentQuery(request)))
  const [confirmed, setConfirmed] = useState<PendingPayment | null>(null)
  usePaymentError(error, rest.onPriceChanged)
  const confirm = (payment: PendingPayment) => {
    setConfirmed(payment)
    if (payment.isDue) track({ name: 'purchase', value: payment.total / 100 })
    rest.onConfirmed?.()
  }
  const price = pending ?? withVat(request.tierPrice)
  const every = pending?.every ?? asked
  return (
    <div className="pay">
      <PlanSummary
        plan={plan}
        price={price}
        every={every}
        after={nextPaymentRows(pending?.nextPaymentOn, price)}
        {...(pending?.isDue === false && { totalLabel: `${capitalised(everyText(every))}, after your free time` })}
        maxFeatures={maxFeatures}
      />
      <div className="pay__work">
        {heading}
        {pending && <p className="second">For {pending.email}</p>}
        {confirmed ? (
          <ActivationWait
            subscriptionId={confirmed.subscriptionId}
            isFree={!confirmed.isDue}
            onFinished={rest.onFinished}
          />
        ) : error ? (
          <PaymentUnavailable error={error} returnTo={returnTo} onRetry={retry} isRetrying={isRetrying} />
        ) : (
          <CardPayment request={request} pending={pending} provider={provider} {...rest} onConfirmed={confirm} />
        )}
      </div>
    </div>
  )
}

type CardProps = Pick<Props, 'request' | 'initialRejection' | 'returnPath' | 'onBusy'> & {
  pending: PendingPayment | undefined
  provider: Provider | undefined
  onConfirmed: (payment: PendingPayment) => void
}

function CardPayment({ request, pending, provider, onConfirmed, initialRejection, returnPath, onBusy }: CardProps) {
  if (!pending) return <CardFormSkeleton />
  const [net = '', vat = '', total = ''] = [pending.net, pending.vat, pending.total].map(formatPoundsAndPence)
  const first = formatLongDate(pending.nextPaymentOn)
  return (
    <LazyCardForm
      provider={provider}
      initialRejection={initialRejection}
      returnPath={returnPath}
      onBusy={onBusy}
      clientSecret={pending.clientSecret}
      holder={request.name}
      address="on-file"
      consent={consentText({ ...pending, first: pending.isDue ? null : first })}
      action={pending.isDue ? `PAY ${total}` : 'START FOR FREE'}
      second={pending.isDue ? `${net} + ${vat} VAT` : `First payment ${first}`}
      onConfirmed={() => onConfirmed(pending)}
    />
  )
}

const codesWithScreen = new Set<unknown>([
  'account_exists',
  'already_subscribed',
  'unknown_membership',
  'access_revoked',
  'offline',
])

function usePaymentError(error: Error | null, onPriceChanged: () => void) {
  const toast = useToast()
  const queryClient = useQueryClient()
  const handle = useEffectEvent((failure: Error) => {
    const { code, text } = failure instanceof RequestError ? failure : {}
    if (codesWithScreen.has(code)) return
    const description = text ?? 'Failed to initialize payment. Please try again.'
    toast({ title: 'Error', description, tone: 'bad' })
    if (!isChoiceOver(failure)) return
    // The old prices mustn't be there to choose again.
    queryClient.resetQueries({ queryKey: tiersQuery.queryKey })
    onPriceChanged()
  })
  useEffect(() => {
    if (error) handle(error)
  }, [error])
}
