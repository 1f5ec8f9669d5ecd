import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { acted, becomeMember, beginTrial, personCalled } from '#api/testing/billing.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'
import { Today } from '#shared/contract/today.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-06-12T07:40:00.000Z') })
  world.addOwner()
})
afterEach(() => world.stop())

const owner = (): Call => {
  const email = world.ctx.sqlite.prepare<[], string>('select email from users where isAdmin = 1').pluck().get() ?? ''
  return world.signIn(personCalled(world, email))
}
const sellToConsumers = () =>
  acted(owner(), '/api/admin/settings/SELLS_TO_CONSUMERS', { value: 'yes', version: 0 }, 'PUT')
/** Day by day, as it would run. What’s far from any notice goes by in one step. */
async function live(days: number) {
  for (let day = 0; day < days; day += 1) {
    await world.advance(1)
    for (const _twice of [1, 2]) await runJob(world.ctx, 'renewals')
    await runJob(world.ctx, 'mail')
  }
}
const told = () =>
  world.ctx.sqlite
    .prepare<[], string>(`select kind || ' ' || renewsOn || ' ' || amount from renewal_notices order by id`)
    .pluck()
    .all()
const textOf = (kind: string) =>
  world.ctx.sqlite.prepare<[string], string>('select text from renewal_notices where kind = ?').pluck().get(kind)
const recordOf = async (id: string) =>
  v.parse(MemberRecord, await (await owner()(`/api/admin/members/${id}/record`)).json())

test('a firm’s member hears nothing of months', async () => {
  await becomeMember(world)
  await world.advance(170)
  await live(15)
  expect(told()).toEqual([])
})

test('a private member by the month is reminded at the latest every six months', async () => {
  await sellToConsumers()
  await becomeMember(world)
  for (const _halfYear of [1, 2]) {
    await world.advance(170)
    await live(15)
  }
  expect(told()).toEqual(['reminder 2027-12-12 30000', 'reminder 2028-06-12 30000'])
  expect(textOf('reminder')).toContain('You pay for Alliance every month, until you cancel.')
})

test('the first full payment after a trial is announced, and its 14 days are told of when it begins', async () => {
  await sellToConsumers()
  await beginTrial(world, cards.pays)
  await live(40)
  const [announced, begun, ...more] = told()
  expect([announced?.split(' ')[0], begun?.split(' ')[0], more]).toEqual(['full-price', 'cooling-off', []])
  expect(announced?.split(' ').slice(1)).toEqual(begun?.split(' ').slice(1))
  expect(textOf('cooling-off')).toMatch(
    /began on .* and runs to .* You paid £300\.00 for it\. You have until the end of/,
  )
})

test('so is the one after a free month', { tags: ['full'] }, async () => {
  await sellToConsumers()
  await becomeMember(world)
  await acted(owner(), `/api/admin/members/${personCalled(world, sam.email).id}/free-month`, { isFree: true }, 'PUT')
  await live(70)
  expect(told()).toEqual(['full-price 2027-08-12 30000', 'cooling-off 2027-08-12 30000'])
})

test('so is the one after a discount for some months, at what’s taken then; months of the discount itself aren’t', {
  tags: ['full'],
}, async () => {
  await sellToConsumers()
  await becomeMember(world)
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const off = await stripe.coupons.create({ percent_off: 50, duration: 'repeating', duration_in_months: 3 })
  const always = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  await stripe.subscriptions.update(subscription?.id ?? '', {
    discounts: [{ coupon: off.id }, { coupon: always.id }],
  })
  await world.sandbox.settle()
  await live(160)
  const paid = (await stripe.invoices.list({ customer: onlyCustomer(world) })).data.map(({ total }) => total)
  expect(paid.reverse()).toEqual([30_000, 13_500, 13_500, 27_000, 27_000, 27_000])
  expect(told()).toEqual(['full-price 2027-09-12 27000', 'cooling-off 2027-09-12 27000'])
})

test('as a year begins they have 14 days: cancelled in them, the unused days are proposed and asked for', async () => {
  await sellToConsumers()
  const email = 'kim@example.com'
  const tax = { percentage: 20, inclusive: false }
  const { id } = await sellElsewhere(world, { amount: 250_000, price: { recurring: { interval: 'year' } }, tax })
  world.addUser({ email, firstName: 'Kim', lastName: 'Reed' })
  const link = { reference: id, email, providerEmail: email, tier: 'standard' }
  await acted(owner(), '/api/admin/subscription-links', link)
  await world.advance(334)
  await live(3)
  await world.advance(21)
  await live(9)
  const year = '2028-06-12'
  expect(told().slice(-3)).toEqual([
    `year-first ${year} 300000`,
    `year-last ${year} 300000`,
    `cooling-off ${year} 300000`,
  ])
  const person = personCalled(world, email)
  const proposed = async () => (await recordOf(person.id)).payments.find(({ coolingOff }) => coolingOff)?.coolingOff
  const before = await proposed()
  expect(before).toMatchObject({ of: 365, until: '2028-06-26' })
  await acted(world.signIn(person), '/api/billing/cancel')
  const at = await proposed()
  const { findings } = v.parse(Today, await (await owner()('/api/admin/today')).json())
  expect(findings.find(({ check }) => check === 'unused days')).toMatchObject({ member: { id: person.id } })
  // The day they told us counts, not the one on which it's refunded.
  await live(5)
  expect(await proposed()).toEqual(at)
  const payment = (await recordOf(person.id)).payments.find(({ coolingOff }) => coolingOff)
  const refund = { paymentId: payment?.paymentId, amount: at?.amount, reason: 'Their 14 days', endsMembership: true }
  await acted(owner(), `/api/admin/members/${person.id}/refund`, { id: world.ctx.newId(), ...refund })
  await world.sandbox.settle()
  expect(await proposed()).toBeUndefined()
})

test('without a word from them the 14 days run out', async () => {
  await sellToConsumers()
  await beginTrial(world, cards.pays)
  await live(28)
  const { id } = personCalled(world, sam.email)
  expect((await recordOf(id)).payments[0]?.coolingOff).toBeDefined()
  await live(14)
  expect((await recordOf(id)).payments[0]?.coolingOff).toBeUndefined()
})
