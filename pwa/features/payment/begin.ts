import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { api, ask } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { CreateSubscriptionAnswer, type CreateSubscriptionRequest } from '#shared/contract/billing.ts'

/** A payment that the provider waits for. Amounts are pence; without a subscription there is nothing to poll. */
export type BegunPayment = {
  clientSecret: string
  subscriptionId: string | null
  net: number
  vat: number
  total: number
}

/** The contract's answer, read so that a missing secret has its own sentence. */
const Begun = v.object({
  ...CreateSubscriptionAnswer.entries,
  clientSecret: v.nullish(v.string()),
  subscriptionId: v.nullish(v.string()),
})

export const noClientSecret = 'No client secret received from server'

/** Begins the payment of a subscription, or finds the one that was begun: the same tier gets the same secret again. */
export async function beginSubscription(request: CreateSubscriptionRequest): Promise<BegunPayment> {
  const { clientSecret, subscriptionId, ...amounts } = await ask(Begun, api.api['create-subscription'].post(request))
  if (!clientSecret) {
    throw new RequestError({ status: 200, code: 'unreadable', message: noClientSecret, text: noClientSecret })
  }
  return { clientSecret, subscriptionId: subscriptionId ?? null, ...amounts }
}

/** Asked anew at each visit of the payment step, and when the signal returns; never kept. */
export const begunQuery = (request: CreateSubscriptionRequest) =>
  queryOptions({
    queryKey: ['begun-payment', request],
    queryFn: () => beginSubscription(request),
    gcTime: 0,
    networkMode: 'always',
    refetchOnReconnect: true,
  })
