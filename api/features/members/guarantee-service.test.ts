import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'

let world: PaymentWorld
let asOwner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  asOwner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const refund = (who = sam.email) => asOwner(`/api/admin/members/${who}/refund`, { method: 'POST' })

const refundsAudited = () =>
  countRows(world, 'audit_entries', `action = 'member.guarantee_refund' and actor like 'user:%'`)

async function joined() {
  const { call, response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  return call
}

test('CONST-02 within 14 days an owner refunds a new membership in full, and its access ends', async () => {
  const call = await joined()
  await world.advance(13)
  const response = await refund()
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ refunded: 30_000 })
  expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([30_000])
  expect(refundsAudited()).toBe(1)
  expect(await readError(await refund())).toMatchObject({
    status: 409,
    message: 'You’ve already refunded this payment.',
  })
})

test('CONST-02 after 14 days nothing is refunded, and the day is named', async () => {
  const call = await joined()
  await world.advance(14)
  expect(await readError(await refund())).toMatchObject({
    status: 409,
    message: expect.stringMatching(/^The 14-day guarantee ended on \d+ \w+ \d{4}\.$/),
  })
  expect((await world.ctx.stripe.refunds.list({})).data).toEqual([])
  expect((await billingOf(call)).hasAccess).toBe(true)
})

test('a member who never paid has nothing to be refunded, and an unknown member is not found', async () => {
  await beginJoin(world.call)
  expect(await readError(await refund())).toMatchObject({ status: 409, message: expect.stringMatching(/hasn’t paid/) })
  expect((await refund('nobody@example.com')).status).toBe(404)
})

test('a refund that was cut short before the membership ended is finished by the next', {
  tags: ['full'],
}, async () => {
  await joined()
  await world.control('faults', { kind: 'error', method: 'DELETE', path: '/v1/subscriptions', times: 6 })
  expect([(await refund()).status, refundsAudited()]).toEqual([502, 1])
  await world.sandbox.settle()
  expect(await providerSubscriptions(world)).toEqual(['active'])
  expect([(await refund()).status, refundsAudited()]).toEqual([200, 1])
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([30_000])
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
})

test('CONST-02 a refund that the provider refuses cancels nothing, and can be repeated the same day', async () => {
  const call = await joined()
  await world.control('faults', { kind: 'refuse', code: 'balance_insufficient', method: 'POST', path: '/v1/refunds' })
  const told = await readError(await refund())
  expect(told).toMatchObject({ status: 502, code: 'payment_provider_refused' })
  expect(refundsAudited()).toBe(0)
  expect(told.message).not.toMatch(/can’t take payments|haven’t been charged/)
  expect(await providerSubscriptions(world)).toEqual(['active'])
  expect((await billingOf(call)).hasAccess).toBe(true)
  const logged = world.logged.filter((line) => line.includes('payment provider failed'))
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    {
      message: 'payment provider failed',
      type: 'StripeInvalidRequestError',
      code: 'balance_insufficient',
      requestId: expect.stringMatching(/^req_/),
      statusCode: 400,
    },
  ])
  expect((await refund()).status).toBe(200)
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([30_000])
  expect((await billingOf(call)).hasAccess).toBe(false)
})

test('CONST-02 an earlier refund by hand does not prevent it', { tags: ['full'] }, async () => {
  await joined()
  const [charge] = (await world.ctx.stripe.charges.list({})).data
  await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '' })
  await world.sandbox.settle()
  expect((await refund()).status).toBe(200)
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
})

test('CONST-02 what an owner refunded before is not refunded again', { tags: ['full'] }, async () => {
  await joined()
  const [charge] = (await world.ctx.stripe.charges.list({})).data
  await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '', amount: 10_000 })
  await world.sandbox.settle()
  const record = await (await asOwner(`/api/admin/members/${sam.email}/record`)).json()
  expect(record.guarantee).toMatchObject({ refundable: 20_000 })
  expect((await refund()).status).toBe(200)
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([20_000, 10_000])
})

test('CONST-02 a duplicate that was paid later and refunded is not covered by the guarantee', {
  tags: ['full'],
}, async () => {
  const call = await joined()
  await world.advance(1)
  const { stripe } = world.ctx
  const [first] = (await stripe.subscriptions.list({})).data
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  await stripe.subscriptions.create({
    customer: onlyCustomer(world),
    items: [{ price: first?.items.data[0]?.price.id ?? '' }],
    default_payment_method: card.id,
  })
  await world.sandbox.settle()
  expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
  const response = await refund()
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ refunded: 30_000, subscriptionId: first?.id })
  expect((await billingOf(call)).hasAccess).toBe(false)
})

test('CALLS-26 revoking can cancel the membership too; where that fails nothing has changed, and again it is done once', async () => {
  const call = await joined()
  const id = String(world.ctx.sqlite.prepare('select id from users where email = ?').pluck().get(sam.email))
  const revoke = (body: object) => asOwner(`/api/admin/members/${id}/revoke-access`, { method: 'PATCH', body })
  expect((await readError(await revoke({ isMember: true, cancels: true }))).fields).toHaveProperty('cancels')
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/subscriptions', times: 6 })
  expect([(await revoke({ isMember: false, cancels: true })).status, (await billingOf(call)).isRevoked]).toEqual([
    502,
    false,
  ])
  for (const _twice of [1, 2]) expect((await revoke({ isMember: false, cancels: true })).status).toBe(200)
  const again = world.signIn({ id, email: sam.email })
  expect(await billingOf(again)).toMatchObject({ isRevoked: true, hasAccess: false, endsOn: expect.any(String) })
  expect(countRows(world, 'audit_entries', `action = 'subscription.cancel'`)).toBe(1)
})
