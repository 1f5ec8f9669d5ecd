import * as v from 'valibot'
import { BillingSubscription, CreateSubscriptionResponse } from '#shared/contract/billing.ts'
import type { PaymentWorld } from './payments.ts'
import type { Call, World } from './world.ts'

export const sam = { email: 'sam@example.com', name: 'Sam Field' }

export const cookieFrom = (response: Response) => response.headers.get('set-cookie')?.split(';')[0] ?? ''

export type Joined = { call: Call; cookie: string; response: v.InferOutput<typeof CreateSubscriptionResponse> }

/** Starts a membership as `call`. The result calls as the buyer. */
export async function beginJoin(call: Call, body: object = sam): Promise<Joined> {
  const response = await call('/api/create-subscription', { body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Not begun: ${response.status} ${text}`)
  const cookie = cookieFrom(response)
  const asBuyer: Call = (path, options = {}) =>
    call(path, { ...options, headers: { ...(cookie ? { cookie } : {}), ...options.headers } })
  return { call: asBuyer, cookie, response: v.parse(CreateSubscriptionResponse, JSON.parse(text)) }
}

export const billingOf = async (call: Call) =>
  v.parse(BillingSubscription, await (await call('/api/billing/subscription')).json())

export const countRows = ({ ctx }: World, table: string, where = '1 = 1') =>
  ctx.sqlite.prepare<[], { count: number }>(`select count(*) as count from ${table} where ${where}`).get()?.count

export const onlyCustomer = ({ ctx }: World) =>
  ctx.sqlite.prepare<[], { stripeCustomerId: string }>('select stripeCustomerId from customers').get()
    ?.stripeCustomerId ?? ''

export async function providerSubscriptions(world: PaymentWorld) {
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world), status: 'all' })
  return data.map(({ status }) => status).sort()
}
