import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { QuotientPaymentState } from '#shared/contract/quotient.ts'
import { countPurchase } from './count-purchase.ts'
import { type Ordered, readOrdered } from './ordered.ts'

/** What the bank's page adds to the address. Only the secret proves anything, and only to the server. */
export type SuccessSearch = { payment_intent?: string; payment_intent_client_secret?: string }

/** How often a payment is looked at by itself that the provider has not settled yet. */
const maxLooks = 6
const lookEveryMs = 2_000

const paymentQuery = (clientSecret: string) =>
  queryOptions({
    queryKey: ['quotient-payment', clientSecret],
    queryFn: () => parseResponse(QuotientPaymentState, api.api['quotient-payment-state'].post({ clientSecret })),
    enabled: clientSecret !== '',
    staleTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === 'confirming' && dataUpdateCount < maxLooks && lookEveryMs,
  })

/**
 * `unread`: the server could not be asked. `unknown`: a payment was named that the server does not know. `unnamed`: none
 * was, the page was opened by itself.
 */
export type PaymentOutcome = QuotientPaymentState['state'] | 'asking' | 'unread' | 'unknown' | 'unnamed'

/** What the server says of the payment that led here. The address is believed in nothing, and is the page's own again. */
export function usePaymentState(search: SuccessSearch) {
  const navigate = useNavigate()
  const toast = useToast()
  const ordered = readOrdered(useLocation().state)
  const wasTold = ordered !== null && 'isPaid' in ordered
  const { payment_intent_client_secret: brought } = search
  const clientSecret = brought ?? (ordered && 'clientSecret' in ordered ? ordered.clientSecret : '')
  const { data, error, isFetching, refetch } = useQuery(paymentQuery(wasTold ? '' : clientSecret))
  useEffect(() => {
    if (search.payment_intent === undefined && brought === undefined) return
    const ordered: Ordered = { clientSecret: brought ?? '' }
    navigate({ to: '/quotient/success', search: {}, state: (last) => ({ ...last, ...ordered }), replace: true })
  }, [search.payment_intent, brought, navigate])
  const paidOrder = data?.state === 'paid' ? data.orderId : null
  useEffect(() => {
    // In the place of what was said when it was sent.
    if (paidOrder !== null && countPurchase({ orderId: paidOrder })) toast({ title: 'Payment received', tone: 'ok' })
  }, [paidOrder, toast])
  const isNamed = ordered !== null || brought !== undefined || search.payment_intent !== undefined
  const ofSecret = clientSecret === '' ? 'unknown' : (data?.state ?? outcomeOf(error))
  const outcome: PaymentOutcome = wasTold ? 'paid' : isNamed ? ofSecret : 'unnamed'
  return { outcome, isOffline: isCode(error, 'offline'), isFetching, refetch }
}

const isCode = (error: Error | null, code: RequestError['code']) => error instanceof RequestError && error.code === code

function outcomeOf(error: Error | null): PaymentOutcome {
  if (error === null) return 'asking'
  return isCode(error, 'not_found') ? 'unknown' : 'unread'
}
