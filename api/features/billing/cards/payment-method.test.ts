import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { act, acted, becomeMember, beginTrial } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, providerSubscriptions } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const mastercard = '5555555555554444'
const onFile = async (call: Call) => (await (await call('/api/billing/payment-method')).json()).paymentMethod
const beginChange = async (call: Call): Promise<string> => (await acted(call, '/api/billing/card')).clientSecret
const changes = (outcome: string | null) =>
  countRows(world, 'card_changes', outcome === null ? 'closedAt is null' : `outcome = '${outcome}'`)

describe('another card', () => {
  test('becomes the one that is charged though the browser closed: the webhook alone sees to it', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world, cards.failsLater)
    expect(await onFile(call)).toMatchObject({
      type: 'card',
      brand: 'visa',
      last4: '0341',
      expMonth: 12,
      expYear: 2040,
    })
    await world.pay(await beginChange(call), mastercard)
    await world.sandbox.settle()
    expect(await onFile(call)).toMatchObject({ brand: 'mastercard', last4: '4444', id: expect.stringMatching(/^pm_/) })
    expect(changes('succeeded')).toBe(1)
    await world.advance(32)
    expect((await billingOf(call)).status).toBe('active')
  })

  test('one that was taken off the customer at the provider is on file no more', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    const { id } = await onFile(call)
    await world.ctx.stripe.paymentMethods.detach(id)
    await world.sandbox.settle()
    expect(await onFile(call)).toBeNull()
  })

  test('the browser’s return reads the provider, whose webhook has not arrived', async () => {
    const call = await becomeMember(world)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(await beginChange(call), mastercard)
    expect(await onFile(call)).toMatchObject({ last4: '4242' })
    expect((await acted(call, '/api/billing/card/settle')).paymentMethod).toMatchObject({ last4: '4444' })
    expect((await acted(call, '/api/billing/card/settle')).paymentMethod).toMatchObject({ last4: '4444' })
  })

  test('a change begun twice is one set-up; a declined card changes nothing and may be tried again', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    const clientSecret = await beginChange(call)
    expect(await beginChange(call)).toBe(clientSecret)
    expect((await world.pay(clientSecret, cards.declined)).status).toBe(402)
    await world.sandbox.settle()
    expect(await onFile(call)).toMatchObject({ last4: '4242' })
    await world.pay(clientSecret, mastercard)
    await world.sandbox.settle()
    expect(await onFile(call)).toMatchObject({ last4: '4444' })
    expect(changes(null)).toBe(0)
  })

  test('of two changes the later counts, whatever failed in between', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(await beginChange(call), cards.failsLater)
    await world.pay(await beginChange(call), mastercard)
    for (const path of ['/v1/subscriptions/', '/v1/customers/']) {
      await world.control('faults', { kind: 'error', method: 'POST', path, times: 6 })
      expect([path, (await act(call, '/api/billing/card/settle')).status]).toEqual([path, 502])
    }
    await acted(call, '/api/billing/card/settle')
    expect(await onFile(call)).toMatchObject({ last4: '4444' })
    const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    const customer = await world.ctx.stripe.customers.retrieve(onlyCustomer(world))
    if (customer.deleted) throw new Error('no customer')
    expect(customer.invoice_settings.default_payment_method).toBe(subscription?.default_payment_method)
    // Where the membership names no card, the customer's pays.
    await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: '' })
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await onFile(call)).toMatchObject({ last4: '4444' })
  })

  test('one that was taken off the customer before its news came changes nothing, and holds nothing up', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await world.control('settings', { webhooks: { hold: true } })
    const clientSecret = await beginChange(call)
    const { payment_method: card } = JSON.parse((await world.pay(clientSecret, mastercard)).body)
    await world.ctx.stripe.paymentMethods.detach(card)
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await onFile(call)).toMatchObject({ last4: '4242' })
    expect([changes(null), changes('canceled')]).toEqual([0, 1])
    expect(countRows(world, 'audit_entries', `action = 'card.change'`)).toBe(0)
    await world.pay(await beginChange(call), mastercard)
    expect((await acted(call, '/api/billing/card/settle')).paymentMethod).toMatchObject({ last4: '4444' })
  })

  test('one that the provider takes for the membership and then refuses is read as it is there', async () => {
    const call = await becomeMember(world)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(await beginChange(call), mastercard)
    await world.control('faults', { kind: 'refuse', method: 'POST', path: '/v1/customers/' })
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await onFile(call)).toMatchObject({ last4: '4444' })
    expect([changes(null), changes('canceled')]).toEqual([0, 1])
    expect(countRows(world, 'audit_entries', `action = 'card.change'`)).toBe(1)
  })

  test('with nothing on file there is nothing to show, and nobody without a customer changes a card', async () => {
    const call = world.signIn(world.addUser())
    expect(await onFile(call)).toBeNull()
    expect((await readError(await act(call, '/api/billing/card'))).status).toBe(409)
  })
})

describe('what was begun and never finished', () => {
  const run = async () => {
    const outcome = await runJob(world.ctx, 'unfinished')
    return outcome.skipped ? null : outcome.report
  }

  test('a set-up is cancelled at the provider after a day, not before', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    const clientSecret = await beginChange(call)
    expect(await run()).toEqual({ cards: 0, trials: 0, failed: 0 })
    await world.advance(1.01)
    expect(await run()).toEqual({ cards: 1, trials: 0, failed: 0 })
    expect(changes('abandoned')).toBe(1)
    expect((await world.pay(clientSecret)).status).toBe(400)
    const next = await beginChange(call)
    expect(next).not.toBe(clientSecret)
    // As if our process had ended before it wrote that down.
    await world.ctx.stripe.setupIntents.cancel(next.split('_secret')[0] ?? '')
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect([changes(null), changes('canceled')]).toEqual([0, 1])
  })

  test('one whose card did come is kept', async () => {
    const call = await becomeMember(world)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(await beginChange(call), mastercard)
    await world.advance(1.01)
    expect(await run()).toEqual({ cards: 0, trials: 0, failed: 0 })
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(await onFile(call)).toMatchObject({ last4: '4444' })
  })

  test('a trial without a card is cancelled after a day; one whose card came unheard is not', {
    tags: ['full'],
  }, async () => {
    const call = await beginTrial(world)
    expect((await billingOf(call)).status).toBe('incomplete')
    await world.advance(1.01)
    expect(await run()).toEqual({ cards: 0, trials: 1, failed: 0 })
    expect(await providerSubscriptions(world)).toEqual(['canceled'])
    expect((await billingOf(call)).status).toBe('canceled')

    await world.control('settings', { webhooks: { hold: true } })
    const again = await beginTrial(world, cards.pays)
    await world.advance(1.01)
    expect(await run()).toEqual({ cards: 0, trials: 0, failed: 0 })
    expect((await billingOf(again)).status).toBe('trialing')
  })
})

test('the billing address is read as it was given', async () => {
  const call = await becomeMember(world)
  const address = { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }
  expect(await (await call('/api/billing/address')).json()).toEqual({ address: null })
  await acted(call, '/api/billing/address', address, 'PUT')
  expect(await (await call('/api/billing/address')).json()).toEqual({ address })
  await acted(call, '/api/billing/address', { ...address, line2: 'Upper floor' }, 'PUT')
  expect(await (await call('/api/billing/address')).json()).toEqual({ address: { ...address, line2: 'Upper floor' } })
})
