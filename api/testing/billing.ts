import type Stripe from 'stripe'
import { expect } from 'vitest'
import { byTheMonth } from '#api/features/sandbox/purchases-service.ts'
import { getOrCreatePrice, getOrCreateVatRate } from '#api/stripe/prices.ts'
import { beginJoin, billingOf, onlyCustomer, sam } from './joining.ts'
import type { PaymentWorld } from './payments.ts'
import { beginDelayed, linkTo } from './reactivating.ts'
import type { Call, World } from './world.ts'

export async function becomeMember(world: PaymentWorld, card?: string, body: object = sam): Promise<Call> {
  const { call, response } = await beginJoin(world.call, body)
  await world.pay(response.clientSecret, card)
  await billingOf(call)
  await world.sandbox.settle()
  return call
}

/** Starts a 20-day trial from a signed link, and sets up the card if one is given. */
export async function beginTrial(world: PaymentWorld, card?: string): Promise<Call> {
  const lastPayment = new Date(world.ctx.billingNow().getTime() - 10 * 86_400_000).toISOString().slice(0, 10)
  const { carried } = await linkTo(world, { email: sam.email, name: sam.name, lastPayment })
  const { response } = await beginDelayed(world, carried)
  if (card !== undefined) await world.pay(response.clientSecret, card)
  await world.sandbox.settle()
  return world.signIn(personCalled(world, sam.email))
}

export function personCalled({ ctx }: World, email: string) {
  const row = ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)
  return { id: row?.id ?? '', email }
}

export const act = (call: Call, path: string, body?: object, method = 'POST') =>
  call(path, body === undefined ? { method } : { method, body })

/** Like `act`, but expects success. Returns the body. */
export async function acted(call: Call, path: string, body?: object, method = 'POST') {
  const response = await act(call, path, body, method)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return JSON.parse(text)
}

/** The only customer's invoices at Stripe, newest first. */
export async function providerInvoices(world: PaymentWorld) {
  const { data } = await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world), limit: 100 })
  return data.map(({ status, total }) => `${status} ${total}`)
}

export async function timesCharged(world: PaymentWorld): Promise<number> {
  const { data } = await world.ctx.stripe.charges.list({ customer: onlyCustomer(world), limit: 100 })
  return data.filter(({ status }) => status === 'succeeded').length
}

/** Sells a tier as an owner might in Stripe's dashboard, to a customer without an account. */
export async function sellAtProvider(
  world: PaymentWorld,
  email: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const { ctx } = world
  const customer = more.customer ?? (await ctx.stripe.customers.create({ email })).id
  const card = await ctx.stripe.paymentMethods.attach('pm_card_visa', { customer })
  const subscription = await ctx.stripe.subscriptions.create({
    items: [{ price: await getOrCreatePrice(ctx, byTheMonth(ctx, 'standard')) }],
    default_tax_rates: [await getOrCreateVatRate(ctx)],
    default_payment_method: card.id,
    ...more,
    customer,
  })
  await world.sandbox.settle()
  return subscription
}
