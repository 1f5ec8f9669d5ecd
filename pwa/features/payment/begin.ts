import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { ask } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { type CreateSubscriptionRequest, CreateSubscriptionResponse } from '#shared/contract/billing.ts'
import { ownApi } from './own-api.ts'

/** A payment that the provider waits for. Amounts are pence; without a subscription there is nothing to poll. */
export type BegunPayment = {
  clientSecret: string
  subscriptionId: string | null
  net: number
  vat: number
  total: number
  /** A day. */
  nextPaymentOn: string
  /** Of the account that buys. */
  email: string
}

/** Looked at first, so that a missing secret has its own sentence whatever else is missing. */
const Secret = v.looseObject({ clientSecret: v.nullish(v.string()) })

/** Without a subscription id there is nothing to poll. */
const Begun = v.object({ ...CreateSubscriptionResponse.entries, subscriptionId: v.nullish(v.string(), null) })

const noClientSecret = 'No client secret received from server'

/** Begins the payment of a subscription, or finds the one that was begun: the same tier gets the same secret again. */
async function beginSubscription(client: QueryClient, request: CreateSubscriptionRequest): Promise<BegunPayment> {
  const { api } = await ownApi(client)
  const answer = await ask(Secret, api.api['create-subscription'].post(request))
  if (!answer.clientSecret) {
    throw new RequestError({ status: 200, code: 'unreadable', message: noClientSecret, text: noClientSecret })
  }
  return v.parse(Begun, answer)
}

/** Asked anew at each visit of the payment step, and when the signal returns; never kept. */
export const begunQuery = (request: CreateSubscriptionRequest) =>
  queryOptions({
    queryKey: ['begun-payment', request],
    queryFn: ({ client }) => beginSubscription(client, request),
    gcTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
  })
