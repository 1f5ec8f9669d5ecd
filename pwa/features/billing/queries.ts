import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { pollUntil } from '#pwa/features/payment/queries.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { untilKnown } from '#pwa/lib/until-known.ts'
import { saveResponse } from '#pwa/sync/progress/snapshots.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import {
  BillingAddressResponse,
  BillingSubscription,
  CardSetup,
  InvoiceList,
  type NextPayment,
  NextPaymentPreview,
  type NextPaymentQuery,
  type PaymentMethod,
  PaymentMethodResponse,
} from '#shared/contract/billing.ts'
import { type Billing, useBillingContext } from './use-billing-context.tsx'
import { focusSection } from './use-section-focus.ts'

type Member = Pick<Billing, 'session' | 'memberId'>

const keyOf = ({ memberId }: Pick<Member, 'memberId'>) => ['billing', memberId] as const

/** Refetched whenever the tab opens and when the signal returns. Cached in memory only, until the logout. */
const alwaysFresh = { staleTime: 0, refetchOnReconnect: true } as const

export const invoicesQuery = (member: Member) =>
  queryOptions({
    queryKey: [...keyOf(member), 'invoices'],
    queryFn: () => parseResponse(InvoiceList, member.session.api.api.billing.invoices.get()),
    ...alwaysFresh,
  })

export const paymentMethodQuery = (member: Member) =>
  queryOptions({
    queryKey: [...keyOf(member), 'method'],
    queryFn: async () =>
      (await parseResponse(PaymentMethodResponse, member.session.api.api.billing['payment-method'].get()))
        .paymentMethod,
    ...alwaysFresh,
  })

export const addressQuery = (member: Member) =>
  queryOptions({
    queryKey: [...keyOf(member), 'address'],
    queryFn: async () =>
      (await parseResponse(BillingAddressResponse, member.session.api.api.billing.address.get())).address,
    ...alwaysFresh,
  })

/** What the next payment would be after a change, for the dialog that asks about it. Null while we don't know. */
export const useNextPayment = (query: NextPaymentQuery | null): NextPayment | null =>
  useNextPaymentPreview(query)?.nextPayment ?? null

/** The same. Undefined while we don't know. */
export function useNextPaymentPreview(query: NextPaymentQuery | null): NextPaymentPreview | undefined {
  const { session, memberId, hasSignal } = useBillingContext()
  const { data } = useQuery({
    queryKey: [...keyOf({ memberId }), 'next', query],
    queryFn: () => {
      if (query === null) throw new Error('Nothing is asked.')
      return parseResponse(NextPaymentPreview, session.api.api.billing['next-payment'].get({ query }))
    },
    enabled: query !== null && hasSignal,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return data
}

/** Its own key, because refetching would start another SetupIntent while a card is being typed. */
export const cardSetupQuery = (member: Member) =>
  queryOptions({
    queryKey: ['billing-card', member.memberId],
    queryFn: () => parseResponse(CardSetup, member.session.api.api.billing.card.post()),
    gcTime: 0,
    refetchOnReconnect: true,
  })

export const invalidateBilling = (queryClient: QueryClient, member: Pick<Member, 'memberId'>): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(member) })

export function useSaveSubscription() {
  const { session, onChange } = useBillingContext()
  return async (billing: BillingSubscription) => {
    const engine = session.sync.engine()
    if (engine) await saveResponse(engine.store, 'billing', { value: billing, savedAt: Date.now() })
    onChange?.(billing)
  }
}

type BillingApi = AuthSession['api']['api']['billing']

export function useBillingAction<Sent = void>(
  send: (api: BillingApi, sent: Sent) => Parameters<typeof parseResponse>[1],
  onDone: (billing: BillingSubscription) => void,
) {
  const context = useBillingContext()
  const api = context.session.api.api.billing
  const queryClient = useQueryClient()
  const saveSubscription = useSaveSubscription()
  const toast = useToast()
  const mutation = useMutation({
    mutationFn: async (sent: Sent) => {
      const ask = () => parseResponse(BillingSubscription, send(api, sent))
      const billing = await untilKnown(ask, (description) => toast({ title: 'We’re checking', description }))
      await saveSubscription(billing)
      return billing
    },
    onSuccess: (billing) => {
      invalidateBilling(queryClient, context).catch(reportError)
      onDone(billing)
    },
  })
  const { error, reset } = mutation
  const reloadSubscription = async () => {
    await saveSubscription(await parseResponse(BillingSubscription, api.subscription.get()))
    focusSection('status')
  }
  return {
    ...mutation,
    reset: () => {
      // A conflict means another tab has changed the membership, and this page doesn't show that yet.
      if (error instanceof RequestError && error.code === 'conflict') reloadSubscription().catch(() => {})
      reset()
    },
  }
}

export type SettledBilling = { billing: BillingSubscription; method: PaymentMethod | null }

/** When to poll a payment Stripe hasn't settled yet, in ms. */
const settleDelays = [0, 1000, 1000, 1000, 1000] as const

export function useSettlePayment() {
  const context = useBillingContext()
  const api = context.session.api.api.billing
  const queryClient = useQueryClient()
  const saveSubscription = useSaveSubscription()
  const request = async (): Promise<SettledBilling> => {
    const { paymentMethod: method } = await parseResponse(PaymentMethodResponse, api.card.settle.post())
    const billing = await parseResponse(BillingSubscription, api.subscription.get())
    await saveSubscription(billing)
    queryClient.setQueryData(paymentMethodQuery(context).queryKey, method)
    return { billing, method }
  }
  return async (isSettled: (billing: BillingSubscription) => boolean = () => true): Promise<SettledBilling> => {
    const settled = await pollUntil({ request, isDone: ({ billing }) => isSettled(billing), delays: settleDelays })
    invalidateBilling(queryClient, context).catch(reportError)
    return settled
  }
}

export const isPaidUp = ({ status, openInvoice }: BillingSubscription): boolean =>
  openInvoice === null && status !== 'past_due' && status !== 'unpaid'
