import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { joinAndPay, millLane } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { formatLongDate } from '#shared/rules/london.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
  // Delivers each event twice, newest first.
  await world.control('settings', { webhooks: { copies: 2, order: 'reversed' } })
})
afterEach(() => world.stop())

const mails = () =>
  world.ctx.sqlite
    .prepare<[], { cause: string; subject: string; text: string }>(
      'select cause, subject, text from mail_outbox order by id',
    )
    .all()
const kinds = () => mails().map(({ cause }) => cause.split(':')[0])
const about = (kind: string) => mails().filter(({ cause }) => cause.startsWith(`${kind}:`))
const last = (kind: string) => about(kind).at(-1)
/** One day at a time, so that events arrive as promptly as in production. */
async function live(days: number) {
  for (let day = 0; day < days; day += 1) await world.advance(1)
  await world.sandbox.settle()
}
async function joinAndOwe() {
  const { call } = await joinAndPay(world, { ...sam, billingAddress: millLane }, cards.failsLater)
  await live(27)
  while (!kinds().includes('payment-failed')) await live(1)
  return call
}

test('a renewal that fails is mailed on day 0, at each later attempt, three days before access ends, and when it has', async () => {
  const call = await joinAndOwe()
  const told = () => ['payment-failed', 'access-ending', 'access-ended'].map((kind) => about(kind).length)
  const daysLater = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      await world.advance(1)
      // The webhook and the hourly job both see it, but only one mail goes out.
      for (const _twice of [1, 2]) await runJob(world.ctx, 'access-ends')
      await syncCustomer(world.ctx, onlyCustomer(world))
    }
    return told()
  }
  const ends = formatLongDate((await billingOf(call)).graceEndsOn ?? '')
  expect(told()).toEqual([1, 0, 0])
  expect([await daysLater(2), await daysLater(2)]).toEqual([
    [1, 0, 0],
    [2, 0, 0],
  ])
  expect(about('payment-failed').at(-1)?.subject).toBe('Your payment didn’t go through again')
  expect([await daysLater(4), await daysLater(3)]).toEqual([
    [3, 0, 0],
    [3, 1, 0],
  ])
  expect(last('access-ending')).toMatchObject({ subject: `Your access ends on ${ends}` })
  expect(last('access-ending')?.text).toContain(`Payment due: £300.00. You keep your access until ${ends}.`)
  expect(await daysLater(4)).toEqual([4, 1, 1])
  expect(about('payment-failed').at(-1)?.text).toContain('We won’t try your saved card again.')
  expect(last('access-ended')?.text).toContain(
    `Your access ended on ${ends}. Pay it and your access comes straight back.`,
  )
  expect(last('access-ended')?.text).toContain('Pay £300.00:\nhttp://localhost:3000/reactivate')
  const { clientSecret } = await (await call('/api/billing/pay', { method: 'POST' })).json()
  await world.pay(clientSecret)
  expect(await daysLater(10)).toEqual([4, 1, 1])
})

test('a renewal that fails for want of a card promises no new try of one', async () => {
  const { call } = await joinAndPay(world)
  const { stripe } = world.ctx
  for (const { id } of (await stripe.customers.listPaymentMethods(onlyCustomer(world))).data)
    await stripe.paymentMethods.detach(id)
  await live(35)
  expect(about('payment-failed').length).toBeGreaterThan(1)
  for (const { text } of about('payment-failed')) {
    expect(text).toContain('You’ve no card saved, so we can’t try again. Pay with any card.')
    expect(text).not.toMatch(/tried your card|saved card/)
  }
  expect((await call('/api/billing/cancel', { method: 'POST' })).status).toBe(200)
  await live(0)
  expect(last('ending')?.text).toContain(
    'We won’t take any more payments, but you can pay what you owe until then. After that we’ll write it off.',
  )
})

test('a renewal that is paid in time brings no reminder, and what a member tries is no attempt of ours', {
  tags: ['full'],
}, async () => {
  const call = await joinAndOwe()
  const { clientSecret } = await (await call('/api/billing/pay', { method: 'POST' })).json()
  const before = kinds()
  expect((await world.pay(clientSecret, cards.declined)).status).toBe(402)
  await world.sandbox.settle()
  expect(kinds()).toEqual(before)
  await world.pay(clientSecret)
  await live(14)
  await runJob(world.ctx, 'access-ends')
  expect(kinds().filter((kind) => kind?.startsWith('access'))).toEqual([])
})
