import { afterEach, beforeEach, expect, test } from 'vitest'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

/** Delivers an event about a dispute as the provider does: it names the charge, and no customer. */
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
    ...{ check: 'disputes', state: 'warning' },
    message: `1 payment was disputed at the payer’s bank: £300.00 of Sam Field (${charge?.id}). Answer it at Stripe, and look at the commission of that payment.`,
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

test('a dispute is one payment still once its member is removed, and where it was reported twice before', async () => {
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
  expect(await disputesFound()).toMatch(/^1 payment was disputed .* without an account \(ch_\w+\)\. Answer/)
})
