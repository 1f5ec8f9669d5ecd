import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { isOffline, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { QuotientPaymentState } from '#shared/contract/quotient.ts'
import { type PaymentReference, readPaymentReference, trackPurchase } from './checkout-storage.ts'

/** What the bank's page adds to the address. Only the secret proves anything, and only to the server. */
export type SuccessSearch = {
  payment_intent?: string | undefined
  payment_intent_client_secret?: string | undefined
}

/** How often we poll a payment Stripe hasn't settled yet. */
const maxPolls = 6
const pollEveryMs = 2_000

const paymentQuery = (clientSecret: string) =>
  queryOptions({
    queryKey: ['quotient-payment', clientSecret],
    queryFn: () => parseResponse(QuotientPaymentState, api.api['quotient-payment-state'].post({ clientSecret })),
    enabled: clientSecret !== '',
    staleTime: 0,
    refetchOnReconnect: true,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === 'confirming' && dataUpdateCount < maxPolls && pollEveryMs,
  })

/**
 * `failed`: we couldn't ask the server. `unknown`: the server doesn't know this payment. `none`: the page was opened without a
 * payment.
 */
export type PaymentOutcome = QuotientPaymentState['state'] | 'pending' | 'failed' | 'unknown' | 'none'

/** What the server says about the payment that led here. The address proves nothing; we remove what the bank added. */
export function usePaymentState(search: SuccessSearch) {
  const navigate = useNavigate()
  const toast = useToast()
  const reference = readPaymentReference(useLocation().state)
  const isKnownPaid = reference !== null && 'isPaid' in reference
  const { payment_intent_client_secret: secretInAddress } = search
  const clientSecret = secretInAddress ?? (reference && 'clientSecret' in reference ? reference.clientSecret : '')
  const { data, error, isFetching, refetch } = useQuery(paymentQuery(isKnownPaid ? '' : clientSecret))
  useEffect(() => {
    if (search.payment_intent === undefined && secretInAddress === undefined) return
    const reference: PaymentReference = { clientSecret: secretInAddress ?? '' }
    navigate({ to: '/quotient/success', search: {}, state: (last) => ({ ...last, ...reference }), replace: true })
  }, [search.payment_intent, secretInAddress, navigate])
  const paidOrder = data?.state === 'paid' ? data.orderId : null
  useEffect(() => {
    // This replaces the toast that the payment was sent.
    if (paidOrder !== null && trackPurchase({ orderId: paidOrder })) toast({ title: 'Payment received', tone: 'ok' })
  }, [paidOrder, toast])
  const hasPayment = reference !== null || secretInAddress !== undefined || search.payment_intent !== undefined
  const lookedUp = clientSecret === '' ? 'unknown' : (data?.state ?? outcomeOf(error))
  const outcome: PaymentOutcome = isKnownPaid ? 'paid' : hasPayment ? lookedUp : 'none'
  return { outcome, isOffline: isOffline(error), isFetching, refetch }
}

const isCode = (error: Error | null, code: RequestError['code']) => error instanceof RequestError && error.code === code

function outcomeOf(error: Error | null): PaymentOutcome {
  if (error === null) return 'pending'
  return isCode(error, 'not_found') ? 'unknown' : 'failed'
}
