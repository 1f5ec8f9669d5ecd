import { type APIRequestContext, expect } from '@playwright/test'
import * as v from 'valibot'

const Customers = v.object({ data: v.array(v.object({ id: v.string() })) })
const Charges = v.object({ data: v.array(v.object({ amount: v.number(), paid: v.boolean() })) })
const Subscriptions = v.object({ data: v.array(v.object({ status: v.string() })) })

type Params = Record<string, string>

const asking = (request: APIRequestContext) => async (path: string, params: Params) => {
  const response = await request.get(`http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}/v1/${path}`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
    params,
  })
  expect(response.status()).toBe(200)
  return response.json()
}

/** The payment sandbox's data on the customer with this address. */
export async function atProvider(request: APIRequestContext, email: string) {
  const ask = asking(request)
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  expect(customers).toHaveLength(1)
  const customer = customers[0]?.id ?? ''
  const { data: subscriptions } = v.parse(Subscriptions, await ask('subscriptions', { customer, status: 'all' }))
  return {
    taken: await takenFrom(request, email),
    subscriptions: subscriptions.map(({ status }) => status),
  }
}

/** Amounts charged to customers with this address, in pence including VAT. Each purchase without an account is its own customer. */
export async function takenFrom(request: APIRequestContext, email: string): Promise<number[]> {
  const ask = asking(request)
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  const charges = await Promise.all(
    customers.map(async ({ id }) => v.parse(Charges, await ask('charges', { customer: id })).data),
  )
  return charges.flat().flatMap(({ amount, paid }) => (paid ? [amount] : []))
}

const Method = v.object({ id: v.string() })

/** Switches the membership to another card, as if the member had; `card` is one of Stripe's test names. */
export async function payByAtProvider(request: APIRequestContext, email: string, card: string): Promise<void> {
  const ask = asking(request)
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  const customer = customers[0]?.id ?? ''
  const { data } = v.parse(v.object({ data: v.array(Method) }), await ask('subscriptions', { customer }))
  const change = async (path: string, form: Params) => {
    const url = `http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}/v1/${path}`
    const response = await request.post(url, { headers: { authorization: 'Bearer sk_test_sandbox' }, form })
    expect(response.status()).toBe(200)
    return v.parse(Method, await response.json())
  }
  const { id } = await change(`payment_methods/${card}/attach`, { customer })
  await change(`subscriptions/${data[0]?.id}`, { default_payment_method: id })
}
