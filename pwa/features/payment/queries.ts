import type { Stripe } from '@stripe/stripe-js'
import { type QueryClient, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import {
  BillingSubscription,
  type CreateSubscriptionRequest,
  CreateSubscriptionResponse,
  PaymentConfig,
  type SubscriptionStatus,
} from '#shared/contract/billing.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'

export type Provider = { stripe: Stripe; isSandbox: boolean }

/** Stripe's library, loaded at the first payment step and not before. */
export const providerQuery = queryOptions({
  queryKey: ['payment-provider'],
  queryFn: async (): Promise<Provider> => {
    const { publishableKey, isSandbox } = await parseResponse(PaymentConfig, api.api['payment-config'].get())
    return { stripe: await (isSandbox ? loadSandbox : loadStripeJs)(publishableKey), isSandbox }
  },
  structuralSharing: false,
  refetchOnReconnect: true,
})

async function loadStripeJs(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await loadFile(() => import('@stripe/stripe-js/pure'))
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('The payment form didn’t load')
  return stripe
}

async function loadSandbox(publishableKey: string): Promise<Stripe> {
  const { createSandboxStripe } = await loadFile(() => import('./sandbox/sandbox-stripe.tsx'))
  const sandbox: unknown = createSandboxStripe(publishableKey)
  // The only cast to the real type: the sandbox has the part of Stripe.js this site calls.
  return sandbox as Stripe
}

/** A card form needs both Stripe's library and an intent. A retry repeats whichever failed. */
export function useWithProvider<Intent>(intent: UseQueryResult<Intent>) {
  const provider = useQuery(providerQuery)
  return {
    data: intent.data,
    provider: provider.data,
    error: intent.error ?? provider.error,
    isRetrying: intent.isFetching || provider.isFetching,
    retry: () => {
      if (intent.error) intent.refetch()
      if (provider.error) provider.refetch()
    },
  }
}

/**
 * The API as the logged-in person may call it; loads that code at the first call. Returns the client inside an object: it's a
 * proxy, and awaiting it directly would send a request.
 */
export async function loadOwnApi(queryClient: QueryClient) {
  const { openSession } = await loadFile(() => import('#pwa/features/auth/session-store.ts'))
  const { api } = await openSession(queryClient)
  return { api }
}

/** A first payment Stripe is waiting for. Amounts are pence. */
export type PendingPayment = {
  clientSecret: string
  subscriptionId: string | null
  net: number
  vat: number
  total: number
  nextPaymentOn: string
  every: PricePeriod
  /** False if the first months are free. */
  isDue: boolean
  /** The buying account's address. */
  email: string
}

/** Checked first, so that a missing secret gets its own message whatever else is missing. */
const ResponseSecret = v.looseObject({ clientSecret: v.nullish(v.string()) })

const ResponsePayment = v.object({
  ...CreateSubscriptionResponse.entries,
  subscriptionId: v.nullish(v.string(), null),
})

const noClientSecret = 'No client secret received from server'

/** Creates the subscription, or finds the one created before: the same tier gets the same secret again. */
async function createSubscription(client: QueryClient, request: CreateSubscriptionRequest): Promise<PendingPayment> {
  const { api } = await loadOwnApi(client)
  const response = await parseResponse(ResponseSecret, api.api['create-subscription'].post(request))
  if (!response.clientSecret) {
    throw new RequestError({ status: 200, code: 'unreadable', message: noClientSecret, text: noClientSecret })
  }
  return v.parse(ResponsePayment, response)
}

/** Requested at each visit of the payment step, and when the signal returns; never cached. */
export const pendingPaymentQuery = (request: CreateSubscriptionRequest) =>
  queryOptions({
    queryKey: ['pending-payment', request],
    queryFn: ({ client }) => createSubscription(client, request),
    gcTime: 0,
    refetchOnReconnect: true,
  })

const statusTimeoutMs = 5_000

export async function fetchSubscriptionStatus(queryClient: QueryClient): Promise<SubscriptionStatus> {
  const { api } = await loadOwnApi(queryClient)
  const fetch = { signal: AbortSignal.timeout(statusTimeoutMs) }
  const { status } = await parseResponse(BillingSubscription, api.api.billing.subscription.get({ fetch }))
  return status
}

type Poll<Found> = {
  request: () => Promise<Found>
  isDone: (found: Found) => boolean
  /** How long to wait before each request, in ms. */
  delays: readonly [number, ...number[]]
  /** Rejects when the person has left the page, which ends the polling. */
  wait?: (ms: number) => Promise<void>
}

/** Repeats a request until its response is enough, or there are no more delays; resolves with the last response. */
export async function pollUntil<Found>({ request, isDone, delays, wait = pause }: Poll<Found>): Promise<Found> {
  const [first, ...later] = delays
  if (first > 0) await wait(first)
  let found = await request()
  for (const ms of later) {
    if (isDone(found)) break
    await wait(ms)
    found = await request()
  }
  return found
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** When we first poll a new subscription after its payment. */
const firstPollMs = 2_000
const pollEveryMs = 1_000
const maxPolls = 30

type ActivationPoll = Required<Pick<Poll<SubscriptionStatus>, 'wait'>> & {
  fetchStatus: () => Promise<SubscriptionStatus>
  /** `trialing` where the first months are free. Otherwise a trial is no payment. */
  wanted?: 'active' | 'trialing'
}

/** `slow` after 30 requests without an active subscription. A failed request counts as one. */
export async function waitUntilActive({
  fetchStatus,
  wait,
  wanted = 'active',
}: ActivationPoll): Promise<'active' | 'slow'> {
  const status = await pollUntil({
    request: () => fetchStatus().catch((): SubscriptionStatus => 'none'),
    isDone: (found) => found === wanted,
    delays: [firstPollMs, ...Array<number>(maxPolls - 1).fill(pollEveryMs)],
    wait,
  })
  return status === wanted ? 'active' : 'slow'
}
