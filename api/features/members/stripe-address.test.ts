import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'

let world: PaymentWorld
let owner: Call
let id: string
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
  await becomeMember(world)
  id = personCalled(world, sam.email).id
})
afterEach(() => world.stop())

const other = 'New@Example.com'
const atStripe = async () => world.ctx.stripe.customers.retrieve(onlyCustomer(world))
const changeAtStripe = (email: string) => world.ctx.stripe.customers.update(onlyCustomer(world), { email })
const record = async () => (await owner(`/api/admin/members/${id}/record`)).json()
const asked = async () => {
  const { findings } = await (await owner('/api/admin/today')).json()
  return findings.filter(({ check }: { check: string }) => check === 'addresses at Stripe')
}
const decide = (counts: string, address = other) =>
  owner(`/api/admin/members/${id}/stripe-address`, { body: { counts, address } })

test('nobody is asked about a member who joined, or whose address changes here', async () => {
  expect((await record()).stripeAddress).toBeNull()
  const { profile } = await record()
  const body = { ...profile, email: 'here@example.com' }
  expect((await owner(`/api/admin/members/${id}/profile`, { method: 'PUT', body })).status).toBe(200)
  await acted(owner, `/api/admin/members/${id}/sync`)
  await world.sandbox.settle()
  expect(await record()).toMatchObject({ stripeAddress: null, member: { email: 'here@example.com' } })
  expect(await atStripe()).toMatchObject({ email: 'here@example.com' })
})

test.each(['event', 'nightly job'])(
  'an address changed in the dashboard changes nothing until an owner says: %s',
  async (by) => {
    if (by === 'nightly job') await world.control('settings', { webhooks: { hold: true } })
    await changeAtStripe(other)
    await world.sandbox.settle()
    if (by === 'nightly job') await runJob(world.ctx, 'reconcile', {})
    expect(await record()).toMatchObject({ stripeAddress: other, member: { email: sam.email } })
    expect(await asked()).toMatchObject([{ message: expect.stringContaining(other), member: { id } }])
    expect(await atStripe()).toMatchObject({ email: other })
  },
)

const audited = () =>
  world.ctx.sqlite.prepare('select action from audit_entries order by id desc limit 1').pluck().get()

test('ours goes back to Stripe', async () => {
  await changeAtStripe(other)
  await world.sandbox.settle()
  expect((await decide('ours', 'old@example.com')).status).toBe(409)
  expect((await decide('ours')).status).toBe(200)
  expect(audited()).toBe('member.email_at_stripe')
  await world.sandbox.settle()
  expect(await atStripe()).toMatchObject({ email: sam.email })
  expect(await record()).toMatchObject({ stripeAddress: null, member: { email: sam.email } })
  expect(await asked()).toEqual([])
})

test('Stripe’s becomes the login, as when an owner types it, and the old address is told', async () => {
  await changeAtStripe(other)
  await world.sandbox.settle()
  expect((await decide('stripe')).status).toBe(200)
  await world.sandbox.settle()
  expect(await record()).toMatchObject({
    stripeAddress: null,
    member: { email: 'new@example.com', isEmailProven: false },
  })
  const told = world.ctx.sqlite
    .prepare('select subject from mail_outbox where "to" = ? order by rowid')
    .pluck()
    .all(sam.email)
  expect(told.at(-1)).toContain('email')
  expect(await asked()).toEqual([])
})

test('an address that another account has can’t be taken over', async () => {
  world.addUser({ email: 'new@example.com' })
  await changeAtStripe(other)
  await world.sandbox.settle()
  const refused = await decide('stripe')
  expect((await readError(refused)).message).toBe('Another account uses this address.')
  expect((await record()).stripeAddress).toBe(other)
})
