import { type APIRequestContext, expect } from '@playwright/test'
import * as v from 'valibot'

const Customers = v.object({ data: v.array(v.object({ id: v.string() })) })
const Charges = v.object({ data: v.array(v.object({ amount: v.number(), paid: v.boolean() })) })
const Subscriptions = v.object({ data: v.array(v.object({ status: v.string() })) })

/** What the payment sandbox holds of the customer with this address. */
export async function atProvider(request: APIRequestContext, email: string) {
  const ask = async (path: string, params: Record<string, string>) => {
    const answer = await request.get(`http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}/v1/${path}`, {
      headers: { authorization: 'Bearer sk_test_sandbox' },
      params,
    })
    expect(answer.status()).toBe(200)
    return answer.json()
  }
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  expect(customers).toHaveLength(1)
  const customer = customers[0]?.id ?? ''
  const { data: charges } = v.parse(Charges, await ask('charges', { customer }))
  const { data: subscriptions } = v.parse(Subscriptions, await ask('subscriptions', { customer, status: 'all' }))
  return {
    /** Amounts taken, pence including VAT. */
    taken: charges.filter(({ paid }) => paid).map(({ amount }) => amount),
    subscriptions: subscriptions.map(({ status }) => status),
  }
}
