import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { CardFormSkeleton } from '#pwa/features/payment/card/lazy-card-form.tsx'
import type { PaymentTexts } from '#pwa/features/payment/card/use-card-payment.ts'
import { providerQuery } from '#pwa/features/payment/queries.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'
import type { CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { keepOrder, type OrderRequest } from './checkout-draft.ts'
import { beginOrder, orderQuery } from './order-request.ts'
import { problemOf, setupError } from './problems.ts'

const CardForm = lazy(() => import('#pwa/features/payment/card/card-form.tsx'))

const texts: PaymentTexts = {
  rejectedTitle: 'Payment Failed',
  rejectedMessage: 'Something went wrong processing your payment.',
  errorToast: { title: 'Payment Error', description: 'Something went wrong processing your payment.' },
}

export type OrderPaymentProps = {
  request: OrderRequest
  /** What step 1 was answered; after a reload it is asked for again. */
  answer: CreateQuotientPaymentResponse | null
  onBusy: (isBusy: boolean) => void
  /** This order cannot be paid: back to the details. */
  onEnded: (error: RequestError) => void
  /** The provider has the payment; whether it is paid is for the server to say. */
  onTaken: (clientSecret: string) => void
  /** The server says that it is paid. */
  onPaid: (request: OrderRequest) => void
}

/** Step 2: the card, once the provider waits for it. */
export function OrderPayment({ request, answer, onBusy, onEnded, onTaken, onPaid }: OrderPaymentProps) {
  const order = useQuery({ ...orderQuery(request), ...(answer ? { initialData: answer } : {}) })
  const provider = useQuery(providerQuery)
  const error = order.error ?? provider.error
  useFailure(error, { onEnded, onPaid: () => onPaid(request) })
  useEffect(() => {
    if (order.data) keepOrder(order.data)
  }, [order.data])
  const [holder] = useState(request.body.name)
  if (error) {
    const retry = () => {
      if (order.error) order.refetch()
      if (provider.error) provider.refetch()
    }
    return <NotBegun error={error} onRetry={retry} isRetrying={order.isFetching || provider.isFetching} />
  }
  if (!order.data || !provider.data) return <CardFormSkeleton />
  const { clientSecret, total } = order.data
  const saveAddress = (address: BillingAddress) => addAddress(request, address, onEnded)
  return (
    <Suspense fallback={<CardFormSkeleton />}>
      <p>
        {formatPoundsAndPence(total)} is taken once, when you press the button. For {request.body.email}.
      </p>
      <CardForm
        {...{ clientSecret, holder, texts, saveAddress, onBusy }}
        provider={provider.data}
        action="Complete Purchase"
        busyLabel="Processing..."
        returnPath="/quotient/success"
        onConfirmed={() => onTaken(clientSecret)}
      />
    </Suspense>
  )
}

/** The address is kept with the order. One that is paid already keeps its own, and the provider says so. */
async function addAddress(request: OrderRequest, address: BillingAddress, onEnded: OrderPaymentProps['onEnded']) {
  try {
    await beginOrder(request, address)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    if (error.code === 'already_paid') return
    if (error.code === 'conflict') onEnded(error)
    throw error
  }
}

type Ways = Pick<OrderPaymentProps, 'onEnded'> & { onPaid: () => void }

function useFailure(error: Error | null, { onEnded, onPaid }: Ways) {
  const toast = useToast()
  const tell = useEffectEvent((failure: Error) => {
    const code = failure instanceof RequestError ? failure.code : undefined
    if (code === 'already_paid') return onPaid()
    if (code !== 'offline') toast(setupError)
    const isEnded = code === 'conflict' || code === 'idempotency_conflict' || code === 'price_changed'
    if (failure instanceof RequestError && (isEnded || code === 'invalid')) onEnded(failure)
  })
  useEffect(() => {
    if (error) tell(error)
  }, [error])
}

type NotBegunProps = { error: Error; onRetry: () => void; isRetrying: boolean }

function NotBegun({ error, onRetry, isRetrying }: NotBegunProps) {
  const { title, text, icon } = problemOf(error)
  const retry = (
    <Button look="line" isSmall icon="sync" isBusy={isRetrying} busyLabel="Trying again…" onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Banner tone={icon ? 'plain' : 'bad'} icon={icon} role="alert" title={title} action={retry}>
      {text}
    </Banner>
  )
}
