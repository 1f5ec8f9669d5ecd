import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginJoin } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { begunOrder, ordersOf, quotientOrder } from '#api/testing/quotient.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const ask = (clientSecret: unknown) => world.call('/api/quotient-payment-state', { body: { clientSecret } })
const answerTo = async (clientSecret: string) => (await ask(clientSecret)).json()
const stateOf = async (clientSecret: string) => (await answerTo(clientSecret)).state
async function refusalOf(clientSecret: unknown) {
  const response = await ask(clientSecret)
  const { error } = await response.json()
  return [response.status, error.code]
}

describe('what became of a payment', () => {
  test('QUOT-18 QUOT-19 paid is what the provider says is paid, before its webhook has arrived', async () => {
    await world.control('settings', { webhooks: { hold: true } })
    const { clientSecret, orderId } = await begunOrder(world)
    expect(await stateOf(clientSecret)).toBe('unpaid')
    await world.pay(clientSecret)
    expect(await answerTo(clientSecret)).toEqual({ state: 'paid', orderId })
    expect(ordersOf(world).map(({ status }) => status)).toEqual(['paid'])
  })

  test('a card that was refused, one that waits for its bank, and an order that gave way are not paid', async () => {
    const { clientSecret, orderId } = await begunOrder(world)
    await world.pay(clientSecret, cards.declined)
    expect(await stateOf(clientSecret)).toBe('unpaid')
    await world.pay(clientSecret, cards.asks3ds)
    expect(await stateOf(clientSecret)).toBe('unpaid')
    await begunOrder(world, { ...quotientOrder, packageType: 'master', replaces: orderId })
    expect(await stateOf(clientSecret)).toBe('unpaid')
  })

  test('money that went back is no longer called paid', async () => {
    const { clientSecret } = await begunOrder(world)
    await world.pay(clientSecret)
    const [charge] = (await world.ctx.stripe.charges.list({})).data
    await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '' })
    await world.sandbox.settle()
    expect(await stateOf(clientSecret)).toBe('refunded')
  })

  test('without the whole secret nothing is revealed, of an order or of anybody’s membership', {
    tags: ['full'],
  }, async () => {
    const { clientSecret, orderId } = await begunOrder(world)
    await world.pay(clientSecret)
    const [intent = ''] = clientSecret.split('_secret_')
    const { response: membership } = await beginJoin(world.call)
    for (const wrong of [
      intent,
      orderId,
      `${clientSecret}x`,
      clientSecret.slice(0, -1),
      'pi_1_secret_1',
      `pi_${'1'.repeat(60_000)}_secret_1`,
      '',
      membership.clientSecret,
    ])
      expect([wrong, await refusalOf(wrong)]).toEqual([wrong, [404, 'not_found']])
    expect(await refusalOf(['one', 'two'])).toEqual([404, 'not_found'])
  })

  test('a guess as long as a body may be takes no more time than another', async () => {
    // CPU time, because the machine may have other work.
    const before = process.cpuUsage()
    expect(await refusalOf(`pi_a${'_secret_a'.repeat(7_000)}!`)).toEqual([404, 'not_found'])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(2_000)
  })

  test('guesses are counted, and do not count for a buyer who polls', { tags: ['full'] }, async () => {
    const { clientSecret } = await begunOrder(world)
    for (let count = 0; count < 70; count += 1) await stateOf(clientSecret)
    for (let count = 0; count < 60; count += 1) await ask(`pi_${count}_secret_1`)
    expect(await refusalOf('pi_99_secret_1')).toEqual([429, 'rate_limited'])
    expect((await ask(clientSecret)).status).toBe(429)
    world.forward(60 * 60_000)
    expect(await stateOf(clientSecret)).toBe('unpaid')
  })

  test('nobody keeps the provider busy with the secret of their own order', { tags: ['full'] }, async () => {
    const { clientSecret } = await begunOrder(world)
    for (let count = 0; count < 240; count += 1) await stateOf(clientSecret)
    expect(await refusalOf(clientSecret)).toEqual([429, 'rate_limited'])
    world.forward(60 * 60_000)
    expect(await stateOf(clientSecret)).toBe('unpaid')
  })

  test('while the provider is away we don’t know what became of the payment', async () => {
    const { clientSecret } = await begunOrder(world)
    await world.control('faults', { kind: 'error', method: 'GET', path: '/v1/payment_intents/', times: 9 })
    expect(await refusalOf(clientSecret)).toEqual([502, 'unanswered'])
  })
})
