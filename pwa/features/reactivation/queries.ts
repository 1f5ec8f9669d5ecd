import { queryOptions } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  type CreateDelayedSubscriptionRequest,
  CreateDelayedSubscriptionResponse,
  DelayedOffers,
} from '#shared/contract/reactivation.ts'
import { type LinkSearch, toQuery } from './link-search.ts'

/** What a link offers today; asked anew at each visit, since the date may have moved. */
export const offersQuery = (link: LinkSearch) =>
  queryOptions({
    queryKey: ['delayed-offers', link],
    queryFn: () => parseResponse(DelayedOffers, api.api['delayed-subscription'].get({ query: toQuery(link) })),
    staleTime: 0,
    gcTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
  })

export type BegunDelayed = CreateDelayedSubscriptionResponse

/** Begins a delayed membership, or finds the one that was begun: the same tier gets the same secret again. */
export const beginDelayed = (request: CreateDelayedSubscriptionRequest): Promise<BegunDelayed> =>
  parseResponse(CreateDelayedSubscriptionResponse, api.api['create-delayed-subscription'].post(request))

export const delayedQuery = (request: CreateDelayedSubscriptionRequest) =>
  queryOptions({
    queryKey: ['begun-delayed', request],
    queryFn: () => beginDelayed(request),
    gcTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
  })
