import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  beginJoin,
  billingOf,
  countRows,
  onlyCustomer,
  providerSubscriptions,
  refusal,
  sam,
} from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

async function joined(body: object = sam, card?: string): Promise<Call> {
  const { call, answer } = await beginJoin(world.call, body)
  await world.pay(answer.clientSecret, card)
  await billingOf(call)
  await world.sandbox.settle()
  return call
}
const post = async (call: Call, path: string, body?: object) =>
  call(path, { method: 'POST', ...(body ? { body } : {}) })
const done = async (answer: Response) => {
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, expect.any(String)])
  return JSON.parse(text)
}
const recorded = (action: string) => countRows(world, 'audit_entries', `action = '${action}'`)

describe('cancelling', () => {
  test('ends with the period: access to its end, no next payment; and it goes on when resumed', async () => {
    const call = await joined()
    const cancelled = await done(await post(call, '/api/billing/cancel'))
    expect(cancelled).toMatchObject({ status: 'active', hasAccess: true, next_billing_date: null, offer: 'resume' })
    expect(cancelled.label).toMatch(/^Active, ends on /)
    expect(await done(await post(call, '/api/billing/cancel'))).toEqual(cancelled)
    const resumed = await done(await post(call, '/api/billing/resume'))
    expect(resumed).toMatchObject({ status: 'active', label: 'Active', next_billing_date: expect.any(Number) })
    expect([recorded('subscription.cancel'), recorded('subscription.resume')]).toEqual([1, 1])
    await done(await post(call, '/api/billing/cancel'))
    await world.advance(32)
    expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
    expect(countRows(world, 'provider_invoices')).toBe(1)
  })

  test('a lost answer of the provider is asked again, and cancels once', async () => {
    const call = await joined()
    await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/subscriptions/', times: 3 })
    expect((await refusal(await post(call, '/api/billing/cancel'))).code).toBe('payment_provider_unavailable')
    expect(await done(await post(call, '/api/billing/cancel'))).toMatchObject({ offer: 'resume' })
  })
})

describe('changing tier', () => {
  test('takes effect with the next payment, without proration', async () => {
    const call = await joined()
    const booked = await done(await post(call, '/api/billing/change-tier', { tierSlug: 'xl', tierPrice: 45_000 }))
    expect(booked).toMatchObject({
      plan: { slug: 'standard' },
      nextPlan: { slug: 'xl', net: 45_000, vat: 9_000, total: 54_000 },
    })
    await world.advance(32)
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl', net: 45_000 }, nextPlan: null })
    const { data } = await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })
    expect(data.map(({ total }) => total)).toEqual([54_000, 30_000])
  })

  test('a second choice replaces the first, and the present tier, or Undo, takes it back', async () => {
    const call = await joined()
    await done(await post(call, '/api/billing/change-tier', { tierSlug: 'xl' }))
    expect((await done(await post(call, '/api/billing/change-tier', { tierSlug: 'lite' }))).nextPlan).toMatchObject({
      slug: 'lite',
    })
    expect((await done(await post(call, '/api/billing/change-tier', { tierSlug: 'standard' }))).nextPlan).toBeNull()
    await done(await post(call, '/api/billing/change-tier', { tierSlug: 'xl' }))
    expect((await done(await call('/api/billing/change-tier', { method: 'DELETE' }))).nextPlan).toBeNull()
    expect((await done(await call('/api/billing/change-tier', { method: 'DELETE' }))).nextPlan).toBeNull()
    await world.advance(32)
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ plan: { slug: 'standard' } })
  })
})

describe('another card', () => {
  test('becomes the one that is charged, with the browser closed', async () => {
    const call = await joined(sam, cards.failsLater)
    const { clientSecret } = await done(await post(call, '/api/billing/card'))
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(await done(await call('/api/billing/payment-method'))).toMatchObject({ paymentMethod: { last4: '4242' } })
    await world.advance(32)
    expect((await billingOf(call)).status).toBe('active')
  })
})

describe('an open invoice', () => {
  test('is paid once, however often it is asked for', async () => {
    const call = await joined(sam, cards.failsLater)
    await world.advance(32)
    expect((await billingOf(call)).status).toBe('past_due')
    const first = await done(await post(call, '/api/billing/pay'))
    const second = await done(await post(call, '/api/billing/pay'))
    expect(second).toEqual(first)
    await world.pay(first.clientSecret)
    expect(await done(await post(call, '/api/billing/pay'))).toMatchObject({
      clientSecret: null,
      invoiceId: first.invoiceId,
    })
    expect((await billingOf(call)).status).toBe('active')
    expect(await providerSubscriptions(world)).toEqual(['active'])
  })
})
