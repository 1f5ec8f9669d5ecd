import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import { contentOf } from '#api/site/content.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { atProvider, begunOrder, leastOrder, newKey, order, ordersOf, quotientOrder } from '#api/testing/quotient.ts'
import { readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ env: { OWNER_EMAILS: 'one@alliance.test,two@alliance.test' } })
})
afterEach(() => world.stop())

const address = { line1: '12 Joist Lane', town: 'Leeds', postcode: 'LS1 4AP', country: 'GB' }
const forgetFaults = () =>
  fetch(`${world.sandbox.url}/_sandbox/faults`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${sandboxSecretKey}` },
  })
const mails = () => waitingMail(world).filter(({ cause }) => cause.startsWith('quotient-order:'))

describe('beginning', () => {
  test('CALLS-44 PERM-2 LIMIT-3 an order, its invoice with VAT, and the secret to pay it, for somebody without an account', async () => {
    const response = await begunOrder(world)
    expect(response).toMatchObject({ net: 45_000, vat: 9_000, total: 54_000 })
    expect(response.clientSecret).toMatch(/^pi_.+_secret_.+/)
    const { packageType: _, name: _name, ...kept } = quotientOrder
    expect(ordersOf(world)).toEqual([
      expect.objectContaining({
        ...kept,
        id: response.orderId,
        status: 'pending',
        firstName: 'Sam',
        lastName: 'Field',
        termsVersion: contentOf(world.ctx).read().site.terms,
      }),
    ])
    expect(await atProvider(world)).toEqual({ invoices: [['open', 54_000]], taken: [] })
    const [invoice] = (await world.ctx.stripe.invoices.list({})).data
    expect(invoice?.metadata).toEqual({ quotientOrder: response.orderId })
    expect(invoice?.lines.data.map(({ description, amount }) => [description, amount])).toEqual([
      ['Quotient Professional Setup', 45_000],
    ])
    expect(mails()).toEqual([])
  })

  test('LIMIT-3 Master costs £900 with VAT', async () => {
    const response = await begunOrder(world, { ...quotientOrder, packageType: 'master', packagePrice: 75_000 })
    expect(response).toMatchObject({ net: 75_000, vat: 15_000, total: 90_000 })
    expect(await atProvider(world)).toEqual({ invoices: [['open', 90_000]], taken: [] })
  })

  test('QUOT-11 QUOT-12 only name, email and package are needed; names sent apart are kept as they are', async () => {
    await begunOrder(world, leastOrder)
    const apart = { name: 'Mary Ann Field', firstName: 'Mary Ann', lastName: 'Field', agreeToTerms: true }
    await begunOrder(world, { ...leastOrder, ...apart, tradeType: '', vatRegistered: '', generalDayRate: '' })
    expect(ordersOf(world)).toEqual([
      expect.objectContaining({ firstName: 'Sam', lastName: 'Field', businessName: '', tradeType: null }),
      expect.objectContaining({ firstName: 'Mary Ann', lastName: 'Field', vatRegistered: null, generalDayRate: null }),
    ])
  })

  test('QUOT-10 QUOT-11 what is wrong is reported at its field, and nothing is stored or sent to the provider', async () => {
    const wrong: [change: object, field: string, sentence: string][] = [
      [{ email: 'sam' }, 'email', 'Please enter a valid email address'],
      [{ name: ' ' }, 'name', 'Name is required'],
      [{ agreeToTerms: false }, 'agreeToTerms', 'Agree to the terms'],
      [{ packageType: 'gold' }, 'packageType', 'Choose one of the two packages.'],
      [{ tradeType: 'roofing' }, 'tradeType', 'Choose one of the trades.'],
      [{ vatRegistered: 'maybe' }, 'vatRegistered', 'Choose yes or no.'],
      [{ generalDayRate: '9'.repeat(41) }, 'generalDayRate', 'Use up to 40 characters.'],
    ]
    for (const [change, field, sentence] of wrong) {
      const response = await readError(await order(world, { ...quotientOrder, ...change }))
      expect([change, response.status, response.fields]).toEqual([change, 422, { [field]: sentence }])
    }
    expect(ordersOf(world)).toEqual([])
    expect(await atProvider(world)).toEqual({ invoices: [], taken: [] })
  })

  test('prices of the browser are never charged: another one is refused, and so is any other amount', async () => {
    const other = await readError(await order(world, { ...quotientOrder, packagePrice: 100 }))
    expect([other.status, other.code]).toEqual([409, 'price_changed'])
    expect(ordersOf(world)).toEqual([])
    const meddled = await readError(await order(world, { ...quotientOrder, amount: 1, price: '£1' }))
    expect([meddled.status, Object.keys(meddled.fields ?? {})]).toEqual([422, ['amount']])
    await begunOrder(world, quotientOrder)
    expect(await atProvider(world)).toEqual({ invoices: [['open', 54_000]], taken: [] })
  })

  test('60 an hour from one address', { tags: ['full'] }, async () => {
    const key = newKey()
    for (let count = 0; count < 60; count += 1) await begunOrder(world, quotientOrder, key)
    expect((await readError(await order(world, quotientOrder, key))).status).toBe(429)
    world.forward(60 * 60_000)
    expect((await order(world, quotientOrder, key)).status).toBe(200)
  })
})

describe('one order, one charge', () => {
  test('the same key gives the same order and secret, also five times at once; other details are refused', async () => {
    const key = newKey()
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => begunOrder(world, quotientOrder, key)))
    responses.push(await begunOrder(world, quotientOrder, key))
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(ordersOf(world)).toHaveLength(1)
    expect(await atProvider(world)).toEqual({ invoices: [['open', 54_000]], taken: [] })
    const changed = await readError(await order(world, { ...quotientOrder, packageType: 'master' }, key))
    expect([changed.status, changed.code]).toEqual([409, 'idempotency_conflict'])
  })

  test('a name on two lines is refused', async () => {
    for (const field of ['firstName', 'lastName', 'businessName']) {
      const body = { ...quotientOrder, [field]: 'Sam\rField' }
      const refused = await world.call('/api/create-quotient-payment', { body })
      expect([field, refused.status]).toEqual([field, 422])
    }
  })

  const calls = ['/v1/customers', '/v1/invoices', '/v1/invoiceitems', '/v1/invoices/in_']
  const kinds = process.env.FULL ? (['lost', 'error_after', 'error'] as const) : (['lost', 'error_after'] as const)
  for (const kind of kinds) {
    test(`a failed response of the provider (${kind}): the order is stored, and trying again continues it`, {
      tags: ['full'],
    }, async () => {
      for (const [index, path] of calls.entries()) {
        const key = newKey()
        const body = { ...quotientOrder, email: `sam${index}@example.com` }
        await world.control('faults', { kind, method: 'POST', path, times: 9 })
        const failed = await readError(await order(world, body, key))
        expect([path, failed.status, failed.code]).toEqual([path, 502, 'payment_provider_unavailable'])
        await forgetFaults()
        const { clientSecret } = await begunOrder(world, body, key)
        expect((await world.pay(clientSecret)).status).toBe(200)
      }
      await world.sandbox.settle()
      expect(ordersOf(world).map(({ status }) => status)).toEqual(calls.map(() => 'paid'))
      const { taken, invoices } = await atProvider(world)
      expect(taken).toEqual(calls.map(() => 54_000))
      expect(invoices).toEqual(calls.map(() => ['paid', 54_000]))
    })
  }

  test('paid: the same key says so, and a second confirmation takes nothing', async () => {
    const key = newKey()
    const { clientSecret } = await begunOrder(world, quotientOrder, key)
    await world.pay(clientSecret)
    const again = await readError(await order(world, quotientOrder, key))
    expect([again.status, again.code]).toEqual([409, 'already_paid'])
    expect((await world.pay(clientSecret)).status).toBe(400)
    expect((await atProvider(world)).taken).toEqual([54_000])
  })

  test('corrected details put a new order in the place of the one that was not paid, which then nobody can pay', async () => {
    const firstKey = newKey()
    const first = await begunOrder(world, quotientOrder, firstKey)
    const corrected = { ...quotientOrder, packageType: 'master', replaces: first.orderId }
    const second = await begunOrder(world, corrected)
    expect((await world.pay(first.clientSecret)).status).toBe(400)
    expect((await world.pay(second.clientSecret)).status).toBe(200)
    await world.sandbox.settle()
    expect(ordersOf(world).map(({ status, packageType }) => [status, packageType])).toEqual([
      ['cancelled', 'professional'],
      ['paid', 'master'],
    ])
    expect((await atProvider(world)).taken).toEqual([90_000])
    const earlier = await readError(await order(world, quotientOrder, firstKey))
    expect([earlier.status, earlier.code]).toEqual([409, 'conflict'])
  })

  test('an order that is replaced while its invoice is being created is never payable', {
    tags: ['full'],
  }, async () => {
    await world.control('faults', { kind: 'delay', method: 'POST', path: '/v1/invoices/in_', ms: 300 })
    const first = order(world)
    await expect.poll(() => ordersOf(world)[0]?.stripeInvoiceId).toBeTruthy()
    const second = await begunOrder(world, { ...quotientOrder, replaces: ordersOf(world)[0]?.id })
    expect((await first).status).not.toBe(200)
    await world.pay(second.clientSecret)
    await world.sandbox.settle()
    const { invoices, taken } = await atProvider(world)
    expect([invoices.filter(([status]) => status === 'open'), taken]).toEqual([[], [54_000]])
    expect(ordersOf(world).map(({ status }) => status)).toEqual(['cancelled', 'paid'])
  })

  test('an order that is paid is never replaced, even before its webhook arrived', async () => {
    const first = await begunOrder(world)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(first.clientSecret)
    const second = await readError(await order(world, { ...quotientOrder, replaces: first.orderId }))
    expect([second.status, second.code]).toEqual([409, 'already_paid'])
    expect(ordersOf(world).map(({ status }) => status)).toEqual(['paid', 'pending'])
    expect((await atProvider(world)).taken).toEqual([54_000])
  })

  test('declined, then paid: one charge, and no mail before it', async () => {
    const { clientSecret } = await begunOrder(world)
    expect((await world.pay(clientSecret, cards.declined)).status).toBe(402)
    await world.sandbox.settle()
    expect([ordersOf(world)[0]?.status, mails()]).toEqual(['pending', []])
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(ordersOf(world)[0]?.status).toBe('paid')
    expect((await atProvider(world)).taken).toEqual([54_000])
  })
})

describe('the billing address', () => {
  test('comes with the same key before the card is charged, and stays as it is once that is done', async () => {
    const key = newKey()
    const { clientSecret } = await begunOrder(world, quotientOrder, key)
    await begunOrder(world, { ...quotientOrder, billingAddress: { ...address, town: 'York' } }, key)
    await begunOrder(world, { ...quotientOrder, billingAddress: address }, key)
    await world.pay(clientSecret)
    await world.sandbox.settle()
    const late = await order(world, { ...quotientOrder, billingAddress: { ...address, town: 'Hull' } }, key)
    expect(late.status).toBe(409)
    expect(JSON.parse(String(ordersOf(world)[0]?.address))).toEqual(address)
  })

  test('is checked field by field', async () => {
    const response = await readError(await order(world, { ...quotientOrder, billingAddress: { ...address, town: '' } }))
    expect([response.status, response.fields]).toEqual([422, { 'billingAddress.town': 'Town is required' }])
  })
})
