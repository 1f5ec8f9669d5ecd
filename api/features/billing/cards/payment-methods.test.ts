import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginJoin, onlyCustomer } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { quotientOrder } from '#api/testing/quotient.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const intentTypes = async () =>
  (await world.ctx.stripe.paymentIntents.list({})).data.map(({ payment_method_types }) => payment_method_types)
async function trialTypes() {
  const { data } = await world.ctx.stripe.setupIntents.list({ customer: onlyCustomer(world) })
  return data.map(({ payment_method_types }) => payment_method_types)
}
async function delayed() {
  const lastPayment = addDays(londonDay(world.ctx.billingNow()), -10)
  return beginDelayed(
    world,
    (await linkTo(world, { email: 'sam@example.com', name: 'Sam Field', lastPayment })).carried,
  )
}

test('a membership is paid by card alone: what settles days later is not offered, whatever the account has', async () => {
  await beginJoin(world.call)
  expect(await intentTypes()).toEqual([['card']])
})

test('an order is paid by card alone', async () => {
  expect((await world.call('/api/create-quotient-payment', { body: quotientOrder })).status).toBe(200)
  expect(await intentTypes()).toEqual([['card']])
})

test('DELY-6 a delayed membership takes a card or PayPal', async () => {
  await delayed()
  expect(await trialTypes()).toEqual([['card', 'paypal']])
})

test('DELY-6 where the account has no PayPal, a delayed membership takes a card', async () => {
  const param = 'payment_settings[payment_method_types][1]'
  await world.control('faults', { kind: 'refuse', method: 'POST', path: '/v1/subscriptions', param })
  await delayed()
  expect(await trialTypes()).toEqual([['card']])
})
