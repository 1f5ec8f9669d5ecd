import { afterEach, beforeEach, expect, test } from 'vitest'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

/** Delivers a dispute event like the provider, with a charge but no customer. */
async function deliverDispute(charge: string): Promise<Response> {
  const { stripe, settings, now } = world.ctx
  const object = { id: 'dp_1', object: 'dispute', charge, payment_intent: 'pi_1', status: 'needs_response' }
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.dispute.created', data: { object } })
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: settings.stripe.webhookSecret,
    timestamp: Math.floor(now().getTime() / 1000),
  })
  const headers = { 'stripe-signature': signature }
  return world.handle(new Request('http://localhost/api/stripe/webhook', { method: 'POST', body: payload, headers }))
}

test('a payment that a bank asks back is reported to the owners once, and changes nothing else', async () => {
  const call = await becomeMember(world)
  const owner = world.signIn(world.addOwner())
  const findings = async () => (await (await owner('/api/admin/today')).json()).findings
  const ledger = countRows(world, 'commission_ledger')
  const [charge] = (await world.ctx.stripe.charges.list({ customer: onlyCustomer(world) })).data
  await world.control('disputes', { charge: charge?.id })
  expect((await deliverDispute(charge?.id ?? '')).status).toBe(200)
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(countRows(world, 'audit_entries', `action = 'invoice.disputed'`)).toBe(1)
  expect(await findings()).toContainEqual({
    check: 'disputes',
    state: 'warning',
    message: `1 payment was disputed: £300.00 of Sam Field (${charge?.id}). Answer in Stripe. If you lose: alliance payments lost <charge>`,
  })
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
  expect(countRows(world, 'commission_ledger')).toBe(ledger)
})

test('a dispute of a charge that is nobody’s, or that the provider does not have, is taken and left', async () => {
  await becomeMember(world)
  expect((await deliverDispute('ch_gone')).status).toBe(200)
  expect(countRows(world, 'audit_entries', `action = 'invoice.disputed'`)).toBe(0)
})

const chargesOfSam = async () =>
  (await world.ctx.stripe.charges.list({ customer: onlyCustomer(world), limit: 100 })).data.map(({ id }) => id)

async function disputesFound() {
  const { findings } = await acted(world.signIn(world.addOwner()), '/api/admin/today', undefined, 'GET')
  return findings.find(({ check }: { check: string }) => check === 'disputes')?.message
}

test('a dispute is one payment still once its member is removed, and where it was reported twice before', {
  tags: ['full'],
}, async () => {
  await becomeMember(world)
  const [charge = ''] = await chargesOfSam()
  await world.control('disputes', { charge })
  expect((await deliverDispute(charge)).status).toBe(200)
  const owner = world.signIn(world.addOwner())
  await acted(owner, `/api/admin/members/${personCalled(world, sam.email).id}`, undefined, 'DELETE')
  await world.sandbox.settle()
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(countRows(world, 'audit_entries', `action = 'invoice.disputed'`)).toBe(1)
  world.ctx.sqlite.exec(
    `insert into audit_entries select 'again', actor, action, 'customer', detail, at from audit_entries
     where action = 'invoice.disputed'`,
  )
  expect(await disputesFound()).toMatch(/^1 payment was disputed: .* without an account \(ch_\w+\)\. Answer/)
})

test.each(['won', 'lost'])(
  'the sandbox plays a dispute that is %s: the owners hear of it, and nothing else changes by itself',
  { tags: ['full'] },
  async (outcome) => {
    const call = await becomeMember(world)
    const [charge = ''] = await chargesOfSam()
    await world.control('disputes', { charge, outcome })
    await world.sandbox.settle()
    expect(countRows(world, 'audit_entries', `action = 'invoice.disputed'`)).toBe(1)
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
    expect(countRows(world, 'credit_notes')).toBe(0)
  },
)

test('one that is lost credits the invoice, claws the commission back and ends the membership, once', async () => {
  const call = await becomeMember(world)
  const owner = world.signIn(world.addOwner())
  const [charge = ''] = await chargesOfSam()
  const lose = (query = '') => owner(`/api/admin/payments/${charge}/lost${query}`, { method: 'POST' })
  expect((await lose()).status).toBe(404)
  await world.control('disputes', { charge, outcome: 'lost' })
  await world.sandbox.settle()
  const plan = await lose('?dryRun=true')
  expect([plan.status, await plan.json()]).toEqual([
    200,
    { charge, name: 'Sam Field', taken: 30_000, ends: true, dryRun: true },
  ])
  expect(countRows(world, 'credit_notes')).toBe(0)
  expect((await lose('?dryrun=true')).status).toBe(422)
  for (const _twice of [1, 2]) {
    expect((await lose()).status).toBe(200)
    await syncCustomer(world.ctx, onlyCustomer(world))
  }
  const rows = (sql: string) => world.ctx.sqlite.prepare(sql).raw().all()
  expect(rows('select kind, gross from credit_notes')).toEqual([['refund', 30_000]])
  expect(rows('select kind, amount from commission_ledger order by rowid')).toEqual([
    ['invoice', 2_500],
    ['clawback', -2_500],
  ])
  expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
  expect((await acted(owner, '/api/admin/mrr', undefined, 'GET')).totalMRR).toBe(0)
  expect(countRows(world, 'mail_outbox', `cause like 'refund:%'`)).toBe(0)
  expect((await world.ctx.stripe.refunds.list({})).data).toEqual([])
  expect([countRows(world, 'audit_entries', `action = 'invoice.dispute_lost'`), await disputesFound()]).toEqual([
    1,
    undefined,
  ])
})

test('Stripe’s answer to ending the membership gets lost: we look again, and say what it took', async () => {
  await becomeMember(world)
  const [charge = ''] = await chargesOfSam()
  await world.control('disputes', { charge, outcome: 'lost' })
  await world.sandbox.settle()
  await world.control('faults', { kind: 'lost', method: 'DELETE', path: '/v1/subscriptions/', times: 20 })
  const owner = world.signIn(world.addOwner())
  const lost = await acted(owner, `/api/admin/payments/${charge}/lost`)
  expect(lost).toMatchObject({ taken: 30_000, ends: true })
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
})
