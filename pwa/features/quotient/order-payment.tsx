import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { CardFormSkeleton, LazyCardForm } from '#pwa/features/payment/card/lazy-card-form.tsx'
import type { PaymentTexts } from '#pwa/features/payment/card/use-card-payment.ts'
import { useWithProvider } from '#pwa/features/payment/queries.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import type { BillingAddress } from '#shared/contract/billing.ts'
import type { CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { type OrderRequest, saveOrder } from './checkout-storage.ts'
import { problemOf, setupErrorToast } from './checkout-texts.ts'
import { createOrder, orderQuery } from './queries.ts'

const texts: PaymentTexts = {
  rejectedTitle: 'Payment Failed',
  rejectedMessage: 'Something went wrong processing your payment.',
  errorToast: { title: 'Payment Error', description: 'Something went wrong processing your payment.' },
}

type Props = {
  request: OrderRequest
  response: CreateQuotientPaymentResponse | null
  onBusy: (isBusy: boolean) => void
  /** This order can't be paid any more: back to the details. */
  onEnded: (error: RequestError) => void
  /** Stripe has the payment; only the server can say whether it's paid. */
  onConfirmed: (clientSecret: string) => void
  onPaid: (request: OrderRequest) => void
}

export function OrderPayment({ request, response, onBusy, onEnded, onConfirmed, onPaid }: Props) {
  const query = useQuery({ ...orderQuery(request), ...(response ? { initialData: response } : {}) })
  const { data: order, provider, error, isRetrying, retry } = useWithProvider(query)
  useOrderError(error, { onEnded, onPaid: () => onPaid(request) })
  useEffect(() => {
    if (order) saveOrder(order)
  }, [order])
  const [holder] = useState(request.body.name)
  if (error) return <OrderUnavailable error={error} onRetry={retry} isRetrying={isRetrying} />
  if (!order) return <CardFormSkeleton />
  const { clientSecret, total } = order
  const saveAddress = (address: BillingAddress) => saveOrderAddress(request, address, onEnded)
  return (
    <LazyCardForm
      provider={provider}
      clientSecret={clientSecret}
      holder={holder}
      texts={texts}
      saveAddress={saveAddress}
      onBusy={onBusy}
      action="Complete Purchase"
      busyLabel="Processing..."
      returnPath="/quotient/success"
      onConfirmed={() => onConfirmed(clientSecret)}
    >
      <p>
        We’ll take {formatPoundsAndPence(total)} once, when you press the button. For {request.body.email}.
      </p>
    </LazyCardForm>
  )
}

/** A paid order keeps its address; the confirmation at Stripe then reports that it's paid. */
async function saveOrderAddress(request: OrderRequest, address: BillingAddress, onEnded: Props['onEnded']) {
  try {
    await createOrder(request, address)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    if (error.code === 'already_paid') return
    if (error.code === 'conflict') onEnded(error)
    throw error
  }
}

const endingCodes = new Set<unknown>(['conflict', 'idempotency_conflict', 'price_changed', 'invalid'])

function useOrderError(error: Error | null, { onEnded, onPaid }: Pick<Props, 'onEnded'> & { onPaid: () => void }) {
  const toast = useToast()
  const handle = useEffectEvent((failure: Error) => {
    const code = failure instanceof RequestError ? failure.code : undefined
    if (code === 'already_paid') return onPaid()
    if (code !== 'offline') toast(setupErrorToast)
    if (failure instanceof RequestError && endingCodes.has(code)) onEnded(failure)
  })
  useEffect(() => {
    if (error) handle(error)
  }, [error])
}

type UnavailableProps = { error: Error; onRetry: () => void; isRetrying: boolean }

function OrderUnavailable({ error, onRetry, isRetrying }: UnavailableProps) {
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
