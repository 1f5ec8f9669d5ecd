import { queryOptions } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  type CreateDelayedSubscriptionRequest,
  CreateDelayedSubscriptionResponse,
  DelayedOffers,
} from '#shared/contract/reactivation.ts'
import { type LinkSearch, toLinkQuery } from './search.ts'

export const offersQuery = (link: LinkSearch) =>
  queryOptions({
    queryKey: ['delayed-offers', link],
    queryFn: () => parseResponse(DelayedOffers, api.api['delayed-subscription'].get({ query: toLinkQuery(link) })),
    staleTime: 0,
    gcTime: 0,
    refetchOnReconnect: true,
  })

export type PendingDelayedPayment = CreateDelayedSubscriptionResponse

/** Creates the subscription, or finds the one created before: the same tier gets the same secret again. */
export const createDelayedSubscription = (request: CreateDelayedSubscriptionRequest): Promise<PendingDelayedPayment> =>
  parseResponse(CreateDelayedSubscriptionResponse, api.api['create-delayed-subscription'].post(request))

export const pendingDelayedPaymentQuery = (request: CreateDelayedSubscriptionRequest) =>
  queryOptions({
    queryKey: ['pending-delayed-payment', request],
    queryFn: () => createDelayedSubscription(request),
    gcTime: 0,
    refetchOnReconnect: true,
  })
