// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { act, acted, becomeMember, timesCharged } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer, providerSubscriptions } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
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
  body?: object
  method?: string
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
  { name: 'card', fails: 'POST /v1/setup_intents', path: 'card', ends: { status: 'active' } },
  {
    name: 'pay a draft',
    isQuick: true,
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
// `lost`: done, but the response is cut off; `error_after`: done, but answered 500; `error`: not done.
const cases = process.env.FULL
  ? actions.flatMap((action) => (['lost', 'error_after', 'error'] as const).map((kind) => ({ ...action, kind })))
  : actions.filter(({ isQuick }) => isQuick).map((action) => ({ ...action, kind: 'lost' as const }))

test.each(cases)(
  '$name: requested again after $kind, it ends as if requested once',
  async ({ fails, kind, path, body, method, before, ends }) => {
    const call = await becomeMember(world, cards.pays)
    await before?.(call)
    const charged = await timesCharged(world)
    const [failing, at] = fails.split(' ')
    await world.control('faults', { kind, method: failing, path: at, times: 3 })
    // The provider refuses the SDK's own retry because the membership has ended, which is what we wanted.
    const told = path === 'end' && kind !== 'error' ? [200, 502] : [502]
    expect(told).toContain((await act(call, `/api/billing/${path}`, body, method)).status)
    await acted(call, `/api/billing/${path}`, body, method)
    expect(await billingOf(call)).toMatchObject(ends)
    await acted(call, `/api/billing/${path}`, body, method)
    expect(await billingOf(call)).toMatchObject(ends)
    expect(await timesCharged(world)).toBe(charged)
    expect((await providerSubscriptions(world)).length).toBe(1)
  },
)
