import { expect, test } from 'vitest'
import { runJob } from '#api/jobs/run.ts'
import { getOrCreateVatRate } from '#api/stripe/prices.ts'
import { act, acted, becomeMember, beginTrial, personCalled, sellAtProvider } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld } from '#api/testing/payments.ts'
import { startBackedUp } from '#api/testing/restoring.ts'
import { readError } from '#api/testing/world.ts'

const sold = async ({ ctx }: PaymentWorld) => (await ctx.stripe.subscriptions.list({ status: 'all' })).data.length
const alreadyPaid = { status: 409, code: 'unknown_membership' }

test('a trial that never got a card is no membership of who joins after a restored backup; one with a card is', async () => {
  for (const card of [undefined, cards.pays]) {
    const { world, backUp, restore } = await startBackedUp()
    world.addUser({ email: sam.email })
    backUp()
    await beginTrial(world, card)
    const restored = restore()
    const call = restored.signIn(personCalled(restored, sam.email))
    const response = await act(call, '/api/create-subscription', sam)
    if (card === undefined) expect(response.status).toBe(200)
    else expect(await readError(response)).toMatchObject(alreadyPaid)
  }
})

test('who joined again through a newer customer than the restored backup knows is sold no third', async () => {
  const { world, backUp, restore } = await startBackedUp()
  const before = await becomeMember(world)
  backUp()
  await world.ctx.stripe.customers.del(onlyCustomer(world))
  await world.sandbox.settle()
  const { response } = await beginJoin(before)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const restored = restore()
  await runJob(restored.ctx, 'reconcile')
  const call = restored.signIn(personCalled(restored, sam.email))
  expect((await billingOf(call)).hasAccess).toBe(false)
  const count = await sold(world)
  expect(await readError(await act(call, '/api/create-subscription', sam))).toMatchObject(alreadyPaid)
  expect([await sold(world), countRows(restored, 'customers')]).toEqual([count, 1])
})

test('what keeps somebody from being linked is named to the owners until it is put right at the provider', async () => {
  const { world, backUp, restore } = await startBackedUp()
  const { stripe } = world.ctx
  world.addUser({ email: sam.email })
  backUp()
  const restored = restore()
  const owner = restored.signIn(restored.addOwner())
  const found = async () => {
    const { findings } = await acted(owner, '/api/admin/today', undefined, 'GET')
    return findings.find(({ check }: { check: string }) => check === 'customers')?.message
  }
  await world.control('settings', { webhooks: { hold: true } })
  const { id, customer } = await sellAtProvider(world, sam.email, { default_tax_rates: [] })
  const link = `1 customer pays for a tier without an account here: ${customer}. "alliance subscriptions link ${customer} EMAIL" links them to one.`
  const refused = `${link} It is refused until this is put right at Stripe: ${id} carries no VAT of 20%.`
  const call = restored.signIn(personCalled(restored, sam.email))
  for (const _ of [1, 2])
    expect(await readError(await act(call, '/api/create-subscription', sam))).toMatchObject(alreadyPaid)
  expect(await found()).toBe(refused)
  await runJob(restored.ctx, 'reconcile')
  await world.control('settings', { webhooks: { hold: false } })
  await world.control('webhooks/release')
  await world.sandbox.settle()
  expect([await found(), countRows(restored, 'audit_entries', `action = 'customer.unknown'`)]).toEqual([refused, 1])
  await stripe.subscriptions.update(id, { default_tax_rates: [await getOrCreateVatRate(world.ctx)] })
  await world.sandbox.settle()
  expect(await found()).toBe(link)
  await stripe.subscriptions.update(id, { default_tax_rates: '' })
  await runJob(restored.ctx, 'reconcile')
  expect(await found()).toBe(refused)
})
