import { afterEach, beforeEach, expect, test } from 'vitest'
import { acted, becomeMember, beginTrial, sellAtProvider, timesCharged } from '#api/testing/billing.ts'
import { beginJoin, billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { stateAction, stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

async function told(call: Call) {
  const billing = await billingOf(call)
  const withoutDays = (text: string) => text.replaceAll(/\d+ [A-Z][a-z]+ \d{4}/g, '{day}')
  return [billing.label, stateLine(billing), stateAction(billing)?.label ?? null].map(
    (text) => text && withoutDays(text),
  )
}

async function overdue(days: number, settings: object): Promise<Call> {
  const call = await becomeMember(world, cards.failsLater)
  await world.control('settings', settings)
  await world.advance(days)
  return call
}

const none = 'No Active Subscription'
const back = 'Start again and pick up where you left off.'

test('REAC-15 BILL-03 never a member: joining, and no word of coming back; an owner is sold nothing', async () => {
  expect(await told(world.signIn(world.addUser()))).toEqual([
    none,
    'You don’t have a membership yet. Join to get the videos and the community.',
    'Join',
  ])
  expect(await told(world.signIn(world.addOwner()))).toEqual([
    'Owner',
    'You’re an owner, so everything’s open to you.',
    null,
  ])
})

test('REAC-15 a first payment that was begun', async () => {
  const { call } = await beginJoin(world.call)
  expect(await told(call)).toEqual([
    none,
    'Your first payment of £300.00 isn’t finished. You haven’t been charged.',
    'Finish paying',
  ])
})

test('REAC-15 a trial that is set up', async () => {
  expect(await told(await beginTrial(world, cards.pays))).toEqual([
    'Set up – first payment on {day}',
    'You have access. Your first payment of £300.00 is on {day}.',
    null,
  ])
})

test('BILL-02 running, then cancelled, then over: what was paid is kept to its end, and the way back is named', async () => {
  const call = await becomeMember(world)
  expect(await told(call)).toEqual(['Active', 'Paid until {day}. Then we’ll take £300.00 for the next month.', null])
  await acted(call, '/api/billing/cancel')
  expect(await told(call)).toEqual([
    'Active, ends on {day}',
    'Paid until {day}. You keep your access until then. We won’t take another payment.',
    'Resume membership',
  ])
  await world.advance(32)
  expect(await told(call)).toEqual([none, `Your membership ended on {day}. ${back}`, 'Reactivate'])
  expect(await (await call('/api/auth/user')).json()).toMatchObject({ membershipStartDate: expect.any(String) })
})

test('BILL-03 a renewal that failed: what is due, and until when access lasts or lasted', async () => {
  const call = await overdue(32, { retryDays: [3, 20] })
  expect(await told(call)).toEqual([none, 'Payment due: £300.00. You keep your access until {day}.', 'Pay £300.00'])
  await world.advance(16)
  expect(await told(call)).toEqual([
    none,
    'Payment due: £300.00. Your access ended on {day}. Pay it and your access comes straight back.',
    'Pay £300.00',
  ])
})

test('a membership that the provider ended unpaid is started again: its invoice is asked for no more', {
  tags: ['full'],
}, async () => {
  const call = await overdue(60, { retryDays: [3], afterRetries: 'canceled' })
  expect((await billingOf(call)).status).toBe('canceled')
  expect(await told(call)).toEqual([none, `Your membership ended on {day}. ${back}`, 'Reactivate'])
})

test('shut out by the owners: what still runs is told, and nothing is sold', async () => {
  const call = await becomeMember(world)
  world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked'`).run()
  const shutOut = 'Your access was ended by the owners. Please contact us.'
  const runs = 'You still have a subscription: your next payment of £300.00 is on {day}.'
  expect((await told(call)).slice(1)).toEqual([`${shutOut} ${runs}`, 'Contact us'])
})

test('one made in the dashboard beside an ending one is refunded, and the line keeps the day on which that one ended', async () => {
  const call = await becomeMember(world)
  const { endsOn } = await acted(call, '/api/billing/cancel')
  await world.advance(5)
  await sellAtProvider(world, '', { customer: onlyCustomer(world) })
  expect(stateLine(await billingOf(call))).toMatch(`Paid until ${formatLongDate(endsOn)}. You keep your access`)
  expect(await timesCharged(world)).toBe(2)
  await world.advance(30)
  expect(await told(call)).toEqual([none, `Your membership ended on {day}. ${back}`, 'Reactivate'])
  expect(stateLine(await billingOf(call))).toContain(`ended on ${formatLongDate(endsOn)}.`)
})

test('a card detached in the dashboard: the line says that there’s none before it fails, and the owners see a risk', async () => {
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  await stripe.paymentMethods.detach(String(subscription?.default_payment_method))
  await world.sandbox.settle()
  expect(await told(call)).toEqual([
    'Active',
    'Paid until {day}. You’ve no card saved for the next £300.00. Add one by {day}.',
    null,
  ])
  const owner = world.signIn(world.addOwner())
  expect(await (await owner('/api/admin/members-at-risk')).json()).toMatchObject([
    { reasons: ['card'], cardWorksUntil: null },
  ])
  const pauseUntil = async (seconds: number) => {
    const pause_collection = { behavior: 'void', resumes_at: seconds } as const
    await stripe.subscriptions.update(subscription?.id ?? '', { pause_collection })
    await world.sandbox.settle()
    return [(await told(call))[1], (await (await owner('/api/admin/members-at-risk')).json()).length]
  }
  const due = subscription?.items.data[0]?.current_period_end ?? 0
  expect(await pauseUntil(due - 86_400)).toEqual([expect.stringContaining('You’ve no card saved'), 1])
  expect(await pauseUntil(due)).toEqual([expect.stringContaining('You’ve no card saved'), 1])
  expect(await pauseUntil(due + 86_400)).toEqual([expect.not.stringContaining('card'), 0])
  await stripe.subscriptions.update(subscription?.id ?? '', { pause_collection: '' })
  await world.sandbox.settle()
  // A tier can be booked without one.
  await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  expect((await told(call))[1]).toBe('Paid until {day}. You’ve no card saved for the next £540.00. Add one by {day}.')
  await acted(call, '/api/billing/change-tier', { tierSlug: 'standard' })
  const setup = await acted(call, '/api/billing/card')
  await world.pay(setup.clientSecret)
  await world.sandbox.settle()
  expect((await told(call))[1]).toBe('Paid until {day}. Then we’ll take £300.00 for the next month.')
  expect(await (await owner('/api/admin/members-at-risk')).json()).toEqual([])
})
