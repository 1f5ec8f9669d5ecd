// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { act, acted, becomeMember, personCalled, timesCharged } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

type Action = {
  name: string
  fails: `${'POST' | 'DELETE'} /v1/${string}`
  path: string
  body?: object | ((call: Call) => Promise<object>)
  method?: string
  by?: 'member' | 'owner'
  charges?: number
  /** In pence. */
  refunds?: number
  /** What sending it again says, once it's known to be done. */
  repeated?: string
  /** The payer still has to confirm it, so they haven't been charged whatever became of it. */
  isOffer?: true
  before?: (call: Call) => Promise<unknown>
  ends: Partial<Record<keyof BillingSubscription, unknown>>
  /** Runs outside the full suite too. The provider's client is slow on each. */
  isQuick?: true
}

const booked = (call: Call) => acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
const ending = (call: Call) => acted(call, '/api/billing/cancel')
async function givenUp(): Promise<void> {
  const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const card = await world.ctx.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: onlyCustomer(world),
  })
  await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card.id })
  await world.control('settings', { retryDays: [3], afterRetries: 'unpaid' })
  await world.advance(70)
}

const newestPayment = async () =>
  (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world), limit: 1 })).data[0]?.id

const xl = { tierSlug: 'xl' }
const nextXl = expect.objectContaining({ slug: 'xl' })
const actions: Action[] = [
  { name: 'cancel', isQuick: true, fails: 'POST /v1/subscriptions/', path: 'cancel', ends: { offer: 'resume' } },
  {
    name: 'resume',
    fails: 'POST /v1/subscriptions/',
    path: 'resume',
    before: ending,
    ends: { offer: 'already_active' },
  },
  {
    name: 'the schedule',
    fails: 'POST /v1/subscription_schedules',
    path: 'change-tier',
    body: xl,
    ends: { nextPlan: nextXl },
  },
  {
    name: 'its phases',
    isQuick: true,
    fails: 'POST /v1/subscription_schedules/',
    path: 'change-tier',
    body: xl,
    ends: { nextPlan: nextXl },
  },
  {
    name: 'undo',
    fails: 'POST /v1/subscription_schedules/',
    path: 'change-tier',
    method: 'DELETE',
    before: booked,
    ends: { nextPlan: null },
  },
  {
    name: 'cancel with a change booked',
    fails: 'POST /v1/subscription_schedules/',
    path: 'cancel',
    before: booked,
    ends: { offer: 'resume', nextPlan: null },
  },
  { name: 'card', isOffer: true, fails: 'POST /v1/setup_intents', path: 'card', ends: { status: 'active' } },
  {
    name: 'upgrade',
    isQuick: true,
    fails: 'POST /v1/subscriptions/',
    path: 'upgrade',
    body: async (call) => ({ attemptId: (await acted(call, '/api/billing/upgrade/preview', xl)).attemptId }),
    ends: { plan: nextXl },
    charges: 1,
  },
  {
    name: 'an owner’s cancellation',
    by: 'owner',
    fails: 'POST /v1/subscriptions/',
    path: 'subscription/cancel',
    ends: { offer: 'resume' },
  },
  {
    name: 'an owner’s free month',
    by: 'owner',
    isQuick: true,
    fails: 'POST /v1/subscriptions/',
    path: 'free-month',
    method: 'PUT',
    body: { isFree: true },
    ends: { status: 'active', isNextFree: true },
  },
  {
    name: 'an owner’s tier change',
    by: 'owner',
    fails: 'POST /v1/subscription_schedules/',
    path: 'subscription/tier',
    body: xl,
    ends: { nextPlan: nextXl },
  },
  {
    name: 'an owner’s refund',
    by: 'owner',
    isQuick: true,
    fails: 'POST /v1/refunds',
    path: 'refund',
    body: async () => ({ id: world.ctx.newId(), paymentId: await newestPayment(), amount: 5_000, reason: 'A mistake' }),
    ends: { status: 'active' },
    refunds: 5_000,
  },
  ...(['POST /v1/refunds', 'DELETE /v1/subscriptions/'] as const).map((fails) => ({
    name: `the guarantee, at ${fails}`,
    by: 'owner' as const,
    fails,
    path: 'refund',
    body: { reason: 'Not for him' },
    ends: { status: 'canceled' },
    refunds: 30_000,
    repeated: 'You’ve already refunded this payment.',
  })),
  {
    name: 'an owner’s word on an address at Stripe',
    by: 'owner',
    isQuick: true,
    fails: 'POST /v1/customers/',
    path: 'stripe-address',
    body: { counts: 'ours', address: 'other@example.com' },
    before: async () => {
      await world.ctx.stripe.customers.update(onlyCustomer(world), { email: 'other@example.com' })
      await world.sandbox.settle()
    },
    ends: { status: 'active' },
    repeated: 'Stripe has the same address as we do.',
  },
  {
    name: 'access that an owner takes, and the payments with it',
    by: 'owner',
    fails: 'POST /v1/subscriptions/',
    path: 'revoke-access',
    method: 'PATCH',
    body: { isMember: false, cancels: true },
    ends: { isRevoked: true },
  },
  {
    name: 'pay a draft',
    isQuick: true,
    isOffer: true,
    fails: 'POST /v1/invoices/',
    path: 'pay',
    before: givenUp,
    ends: { status: 'unpaid' },
  },
  {
    name: 'end',
    fails: 'DELETE /v1/subscriptions/',
    path: 'end',
    before: givenUp,
    ends: { status: 'canceled', openInvoice: null },
  },
]
const cases = process.env.FULL ? actions : actions.filter(({ isQuick }) => isQuick)

// `lost`: done, but the response is cut off; `error_after`: done, but answered 500; `error`: not done.
test.each(cases.flatMap((action) => (['lost', 'error_after', 'error'] as const).map((kind) => ({ ...action, kind }))))(
  '$name: after $kind we look again, and it ends as if requested once',
  async ({ fails, kind, before, path, method, ends, body, by = 'member', charges = 0, refunds = 0, repeated }) => {
    const call = await becomeMember(world, cards.pays)
    const caller = await callerOf(by, call)
    const sent = await (typeof body === 'function' ? body(call) : body)
    await before?.(call)
    const charged = await timesCharged(world)
    const [failing, at] = fails.split(' ')
    await world.control('faults', { kind, method: failing, path: at, times: 3 })
    const address = addressOf(by, path)
    await acted(caller, address, sent, method)
    expect(await billingOf(memberAgain())).toMatchObject(ends)
    if (repeated === undefined) await acted(caller, address, sent, method)
    else expect((await readError(await act(caller, address, sent, method))).message).toBe(repeated)
    expect(await billingOf(memberAgain())).toMatchObject(ends)
    expect(await timesCharged(world)).toBe(charged + charges)
    expect(await refunded()).toBe(refunds)
    expect((await providerSubscriptions(world)).length).toBe(1)
  },
)

test.each(cases.filter(({ isOffer }) => !isOffer))(
  '$name: while Stripe gives no answer at all we say that we don’t know, and then what came of it',
  async ({ fails, before, path, method, ends, body, by = 'member', charges = 0, refunds = 0 }) => {
    const call = await becomeMember(world, cards.pays)
    const caller = await callerOf(by, call)
    const sent = await (typeof body === 'function' ? body(call) : body)
    await before?.(call)
    const charged = await timesCharged(world)
    const [failing, at = ''] = fails.split(' ')
    await world.control('faults', { kind: 'lost', method: failing, path: at, times: 3 })
    const goesAway = (request: { method: string; path: string }) => {
      if (request.method !== failing || !request.path.startsWith(at)) return
      world.ctx.stripe.off('request', goesAway)
      void world.control('faults', { kind: 'error', method: 'GET', path: '/v1/', times: 99 })
    }
    world.ctx.stripe.on('request', goesAway)
    const address = addressOf(by, path)
    const told = await readError(await act(caller, address, sent, method))
    expect(told).toMatchObject({ status: 502, code: 'unanswered' })
    expect(told.message).toMatch(/^We don’t know yet whether /)
    await world.clearFaults()
    await acted(caller, address, sent, method)
    expect(await billingOf(memberAgain())).toMatchObject(ends)
    expect(await timesCharged(world)).toBe(charged + charges)
    expect(await refunded()).toBe(refunds)
  },
)

test('Stripe away before anything was sent: nothing has changed, in words of what was asked', async () => {
  const call = await becomeMember(world, cards.pays)
  await world.control('faults', { kind: 'error', method: 'GET', path: '/v1/', times: 99 })
  const told = async (path: string, body?: object) => (await readError(await act(call, path, body))).message
  expect(await told('/api/billing/cancel')).toBe(
    'We can’t reach our payment company, so nothing has changed. Try again in a few minutes.',
  )
  expect(await told('/api/billing/pay')).toBe(
    'We can’t take payments right now. You haven’t been charged. Try again in a few minutes.',
  )
  const owner = await callerOf('owner', call)
  const free = await readError(await act(owner, addressOf('owner', 'free-month'), { isFree: true }, 'PUT'))
  expect(free.message).toBe('We can’t reach Stripe, so nothing has changed. Try again in a few minutes.')
})

/** Whose access was taken is logged out. */
const memberAgain = () => world.signIn(personCalled(world, sam.email))

const callerOf = async (by: 'member' | 'owner', call: Call) => (by === 'member' ? call : world.signIn(world.addOwner()))

const addressOf = (by: 'member' | 'owner', path: string) =>
  by === 'member' ? `/api/billing/${path}` : `/api/admin/members/${personCalled(world, sam.email).id}/${path}`

async function refunded(): Promise<number> {
  const { data } = await world.ctx.stripe.charges.list({ customer: onlyCustomer(world), limit: 100 })
  return data.reduce((sum, charge) => sum + charge.amount_refunded, 0)
}
