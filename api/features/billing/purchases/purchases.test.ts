import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, personCalled, sellAtProvider } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

test('who has begun to pay finishes, though the tier is retired meanwhile; nobody begins then', async () => {
  const begun = await beginJoin(world.call, { ...sam, tierSlug: 'xl' })
  world.ctx.sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'xl'`)
  const again = await beginJoin(begun.call, { ...sam, tierSlug: 'xl' })
  expect(again.response.subscriptionId).toBe(begun.response.subscriptionId)
  const other = { ...sam, email: 'kim@example.com', tierSlug: 'xl' }
  expect((await readError(await world.call('/api/create-subscription', { body: other }))).status).toBe(422)
  await world.pay(again.response.clientSecret)
  expect((await billingOf(begun.call)).plan?.slug).toBe('xl')
})

const attempts = (where: string) => countRows(world, 'purchase_attempts', where)

test('a purchase that got no further than its start is of the tier that is asked for next', {
  tags: ['full'],
}, async () => {
  const call = world.signIn(world.addUser({ email: sam.email }))
  await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/customers', times: 3 })
  expect((await call('/api/create-subscription', { body: { ...sam, tierSlug: 'lite' } })).status).toBe(502)
  expect(attempts(`tierSlug = 'lite' and closedAt is null`)).toBe(1)
  const { response } = await beginJoin(call, { ...sam, tierSlug: 'xl' })
  expect([attempts(`tierSlug = 'xl' and kind = 'subscription'`), attempts('1 = 1')]).toEqual([1, 1])
  const again = await beginJoin(call, { ...sam, tierSlug: 'xl' })
  expect(again.response.subscriptionId).toBe(response.subscriptionId)
  await world.pay(again.response.clientSecret)
  expect((await billingOf(call)).plan?.slug).toBe('xl')
  expect(await providerSubscriptions(world)).toEqual(['active'])
})

test('a purchase that never got as far as an order keeps nobody from being linked, nor their account for good', {
  tags: ['full'],
}, async () => {
  const kim = { ...sam, email: 'kim@example.com' }
  for (const person of [sam, kim]) {
    await world.control('faults', { kind: 'error', method: 'GET', path: '/v1/customers', times: 3 })
    expect((await act(world.call, '/api/create-subscription', person)).status).toBe(502)
  }
  expect(attempts('closedAt is null')).toBe(2)
  const { customer } = await sellAtProvider(world, sam.email)
  const owner = world.signIn(world.addOwner())
  const link = { reference: customer, email: sam.email, providerEmail: sam.email }
  expect(await acted(owner, '/api/admin/subscription-links', link)).toMatchObject({ wasLinked: false, hasAccess: true })
  expect([attempts('closedAt is null'), attempts(`outcome = 'replaced'`)]).toEqual([1, 1])
  world.forward(31 * 86_400_000)
  expect(await runJob(world.ctx, 'abandoned')).toMatchObject({ report: { removed: 1 } })
  expect([personCalled(world, sam.email).id, personCalled(world, kim.email).id]).toEqual([
    expect.stringMatching(/./),
    '',
  ])
  expect(attempts('closedAt is null')).toBe(0)
})

test('who got a membership at the provider while they were joining here is given nothing to pay', async () => {
  const { call } = await beginJoin(world.call)
  await world.control('settings', { webhooks: { hold: true } })
  await sellAtProvider(world, sam.email, { customer: onlyCustomer(world) })
  const refused = await readError(await call('/api/create-subscription', { body: sam }))
  expect(refused).toMatchObject({ status: 409, code: 'already_subscribed' })
  expect((await billingOf(call)).status).toBe('active')
})

test('where an unpaid one was begun at the provider before, what is given to pay can be paid', {
  tags: ['full'],
}, async () => {
  const call = world.signIn(world.addUser({ email: sam.email }))
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/subscriptions', times: 3 })
  expect((await call('/api/create-subscription', { body: sam })).status).toBe(502)
  await world.control('settings', { webhooks: { hold: true } })
  const payment_behavior = 'default_incomplete'
  await sellAtProvider(world, sam.email, { customer: onlyCustomer(world), payment_behavior })
  const { response } = await beginJoin(call)
  expect((await world.pay(response.clientSecret)).status).toBe(200)
  expect((await billingOf(call)).status).toBe('active')
})
