import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'
import { track } from '#pwa/lib/track.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { CreateSubscriptionRequest } from '#shared/contract/billing.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import { type BegunPayment, begunQuery } from './begin.ts'
import { FormSkeleton } from './form-skeleton.tsx'
import { nextPayment, PlanSlip, type ShownPlan } from './plan-slip.tsx'
import { type Provider, providerQuery } from './provider.ts'
import { Settling } from './settling.tsx'
import { Stopped } from './stopped.tsx'
import type { Refusal } from './use-card-payment.ts'
import './payment.css'

const CardForm = lazy(() => import('./card-form.tsx'))

type Props = {
  /** `tierPrice` is the net price that was shown. */
  request: CreateSubscriptionRequest & { tierPrice: number }
  plan: ShownPlan
  heading: ReactNode
  /** Where logging in leads back to. */
  comeBackTo: string
  /** Where the bank's page leads back to; the members' area if nothing else is said. */
  returnPath?: string
  /** Shows this many features of the plan, and says how many more there are. */
  mostFeatures?: number
  /** What the bank's page said before this one. */
  before?: Refusal | null
  onPriceChanged: () => void
  /** While a payment is under way the page should not be left. */
  onBusy?: (isBusy: boolean) => void
  /** The provider has the payment; from here on this step only waits. */
  onTaken?: () => void
  onPaid: (result: { isActive: boolean }) => void
}

/** Takes the first payment of a subscription: plan, card, and the wait until the membership is active. */
export function PaymentStep({ request, plan, heading, comeBackTo, returnPath, mostFeatures, before, ...on }: Props) {
  const begun = useQuery(begunQuery(request))
  const provider = useQuery(providerQuery)
  const [taken, setTaken] = useState<BegunPayment | null>(null)
  const error = begun.error ?? provider.error
  useBeginFailure(error, on.onPriceChanged)
  const retry = () => {
    if (begun.error) begun.refetch()
    if (provider.error) provider.refetch()
  }
  const take = (payment: BegunPayment) => {
    setTaken(payment)
    track({ name: 'purchase', value: payment.total / 100 })
    on.onTaken?.()
  }
  const price = begun.data ?? withVat(request.tierPrice)
  const isRetrying = begun.isFetching || provider.isFetching
  return (
    <div className="pay">
      <PlanSlip
        plan={plan}
        price={price}
        after={nextPayment(begun.data?.nextPaymentOn, price)}
        mostFeatures={mostFeatures}
      />
      <div className="pay__work">
        {heading}
        {begun.data && <p className="second">For {begun.data.email}</p>}
        {taken ? (
          <Settling subscriptionId={taken.subscriptionId} onSettled={on.onPaid} />
        ) : error ? (
          <Stopped error={error} comeBackTo={comeBackTo} onRetry={retry} isRetrying={isRetrying} />
        ) : (
          <Card
            {...{ request, before, returnPath }}
            begun={begun.data}
            provider={provider.data}
            onBusy={on.onBusy}
            onTaken={take}
          />
        )}
      </div>
    </div>
  )
}

type CardProps = Pick<Props, 'request' | 'before' | 'returnPath' | 'onBusy'> & {
  begun: BegunPayment | undefined
  provider: Provider | undefined
  onTaken: (payment: BegunPayment) => void
}

/** The form comes only once the provider waits for the payment. */
function Card({ begun, provider, request, before, returnPath, onBusy, onTaken }: CardProps) {
  if (!begun || !provider) return <FormSkeleton />
  const [net, vat, total] = [begun.net, begun.vat, begun.total].map(formatPoundsAndPence)
  return (
    <Suspense fallback={<FormSkeleton />}>
      <CardForm
        provider={provider}
        clientSecret={begun.clientSecret}
        holder={request.name}
        consent={`Take ${total} today and ${total} a month until I cancel.`}
        action={`PAY ${total}`}
        second={`${net} + ${vat} VAT`}
        before={before}
        returnPath={returnPath}
        onBusy={onBusy}
        onPaid={() => onTaken(begun)}
      />
    </Suspense>
  )
}

/** These have a screen of their own that says it all. */
const saidOnScreen = new Set<unknown>(['account_exists', 'already_subscribed', 'access_revoked', 'offline'])

function useBeginFailure(error: Error | null, onPriceChanged: () => void) {
  const toast = useToast()
  const tell = useEffectEvent((failure: Error) => {
    const { code, text } = failure instanceof RequestError ? failure : {}
    if (saidOnScreen.has(code)) return
    const description = text ?? 'Failed to initialize payment. Please try again.'
    toast({ title: 'Error', description, tone: 'bad' })
    if (code === 'price_changed') onPriceChanged()
  })
  useEffect(() => {
    if (error) tell(error)
  }, [error])
}
