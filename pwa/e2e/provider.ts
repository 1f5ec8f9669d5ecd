import { type APIRequestContext, expect } from '@playwright/test'
import * as v from 'valibot'

const Customers = v.object({ data: v.array(v.object({ id: v.string() })) })
const Charges = v.object({ data: v.array(v.object({ amount: v.number(), paid: v.boolean() })) })
const Subscriptions = v.object({ data: v.array(v.object({ status: v.string() })) })

type Params = Record<string, string>

const asking =
  (request: APIRequestContext, port = process.env.E2E_SANDBOX_PORT) =>
  async (path: string, params: Params) => {
    const response = await request.get(`http://127.0.0.1:${port}/v1/${path}`, {
      headers: { authorization: 'Bearer sk_test_sandbox' },
      params,
    })
    expect(response.status()).toBe(200)
    return response.json()
  }

/** The payment sandbox's data on the customer with this address; `port` is that of a server of one's own. */
export async function atProvider(request: APIRequestContext, email: string, port?: string) {
  const ask = asking(request, port)
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  expect(customers).toHaveLength(1)
  const customer = customers[0]?.id ?? ''
  const { data: subscriptions } = v.parse(Subscriptions, await ask('subscriptions', { customer, status: 'all' }))
  return {
    taken: await takenFrom(request, email, port),
    subscriptions: subscriptions.map(({ status }) => status),
  }
}

/** Amounts charged to customers with this address, in pence including VAT. Each purchase without an account is its own customer. */
export async function takenFrom(request: APIRequestContext, email: string, port?: string): Promise<number[]> {
  const ask = asking(request, port)
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  const charges = await Promise.all(
    customers.map(async ({ id }) => v.parse(Charges, await ask('charges', { customer: id })).data),
  )
  return charges.flat().flatMap(({ amount, paid }) => (paid ? [amount] : []))
}

const Made = v.object({ id: v.string() })

const changing = (request: APIRequestContext) => async (path: string, form: Params) => {
  const url = `http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}/v1/${path}`
  const response = await request.post(url, { headers: { authorization: 'Bearer sk_test_sandbox' }, form })
  expect(response.status()).toBe(200)
  return v.parse(Made, await response.json())
}

/** A subscription as another program sells it, at a price that names none of our tiers. */
export async function sellAtProvider(request: APIRequestContext, email: string, amount: string): Promise<void> {
  const make = changing(request)
  const { id: customer } = await make('customers', { email })
  const { id: card } = await make('payment_methods/pm_card_visa/attach', { customer })
  await make(`customers/${customer}`, { 'invoice_settings[default_payment_method]': card })
  const product = { currency: 'gbp', 'product_data[name]': 'The Club' }
  const price = await make('prices', { ...product, unit_amount: amount, 'recurring[interval]': 'month' })
  await make('subscriptions', { customer, 'items[0][price]': price.id })
}

/** Switches the membership to another card, as if the member had; `card` is one of Stripe's test names. */
export async function payByAtProvider(request: APIRequestContext, email: string, card: string): Promise<void> {
  const ask = asking(request)
  const { data: customers } = v.parse(Customers, await ask('customers', { email }))
  const customer = customers[0]?.id ?? ''
  const { data } = v.parse(v.object({ data: v.array(Made) }), await ask('subscriptions', { customer }))
  const change = changing(request)
  const { id } = await change(`payment_methods/${card}/attach`, { customer })
  await change(`subscriptions/${data[0]?.id}`, { default_payment_method: id })
}
