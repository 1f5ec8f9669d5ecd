// @module-tag full
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, becomeMember, providerInvoices, timesCharged } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { cards, consent, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { type Call, readError } from '#api/testing/world.ts'

let world: PaymentWorld
let byYear = { tierSlug: 'standard', priceId: '' }
beforeEach(() => startAgain())
afterEach(() => world.stop())

async function startAgain(): Promise<void> {
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
  byYear = { tierSlug: 'standard', priceId: addYearlyPrice(world, 'standard', 250_000) }
}

const minute = 1 / (24 * 60)

async function halfway(card?: string): Promise<Call> {
  const call = await becomeMember(world, card)
  await world.advance(14)
  return call
}

const preview = (call: Call) => acted(call, '/api/billing/upgrade/preview', byYear)

async function asking3ds(call: Call): Promise<void> {
  const { clientSecret } = await acted(call, '/api/billing/card')
  await consent(await world.pay(clientSecret, cards.asks3ds), 'complete')
  await acted(call, '/api/billing/card/settle')
}

async function atStripe() {
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const [subscriptions, open] = await Promise.all([
    stripe.subscriptions.list({ customer, status: 'all' }),
    stripe.invoices.list({ customer, status: 'open' }),
  ])
  const [subscription] = subscriptions.data
  return {
    subscriptions: subscriptions.data.length,
    isYearly: subscription?.items.data[0]?.price.recurring?.interval === 'year',
    isPending: subscription?.pending_update !== null,
    open: open.data.length,
    charges: await timesCharged(world),
  }
}

/** Whatever became of it: one membership, paid for once, and nothing left to pay. */
async function expectOnce(call: Call, isYearly: boolean, earlier = 1): Promise<void> {
  await world.sandbox.settle()
  const charges = earlier + (isYearly ? 1 : 0)
  expect(await atStripe()).toEqual({ subscriptions: 1, isYearly, isPending: false, open: 0, charges })
  const { plan, openInvoice, status } = await billingOf(call)
  expect([plan?.months, openInvoice, status]).toEqual([isYearly ? 12 : undefined, null, 'active'])
}

describe('a change and a renewal', () => {
  test('a renewal since it was shown: it’s shown again, and only the month is taken', async () => {
    const call = await becomeMember(world)
    await world.advance(28 - 5 * minute)
    const { attemptId } = await preview(call)
    await world.advance(6 * minute)
    const told = await readError(await act(call, '/api/billing/upgrade', { attemptId }))
    expect([told.status, told.code]).toEqual([409, 'price_changed'])
    await expectOnce(call, false, 2)
    await acted(call, '/api/billing/upgrade', { attemptId: (await preview(call)).attemptId })
    await expectOnce(call, true, 2)
  })

  test('the month ends while the bank’s question waits: the month is renewed, and the year never taken', async () => {
    const call = await halfway()
    await asking3ds(call)
    await world.advance(14 - 5 * minute)
    const asked = await acted(call, '/api/billing/upgrade', { attemptId: (await preview(call)).attemptId })
    await world.advance(6 * minute)
    const intent = await world.ctx.stripe.paymentIntents.retrieve(asked.clientSecret.split('_secret')[0])
    expect(intent.status).toBe('canceled')
    await runJob(world.ctx, 'upgrades')
    await expectOnce(call, false, 2)
    expect(await providerInvoices(world)).toEqual(['paid 30000', expect.stringMatching(/^void /), 'paid 30000'])
  })

  test('a year booked in the last minutes of a month begins once', async () => {
    const call = await becomeMember(world)
    await world.advance(28 - minute)
    await acted(call, '/api/billing/change-tier', byYear)
    await world.advance(2 * minute)
    await expectOnce(call, true)
  })
})

describe('a change and a cancellation', () => {
  test('pressed together, either the year is paid and ends with itself, or nothing is', async () => {
    const call = await halfway()
    const { attemptId } = await preview(call)
    const [started, cancelled] = await Promise.all([
      act(call, '/api/billing/upgrade', { attemptId }),
      act(call, '/api/billing/cancel'),
    ])
    expect(cancelled.status).toBe(200)
    const isYearly = started.status === 200
    expect([200, 409]).toContain(started.status)
    expect(await atStripe()).toMatchObject({ subscriptions: 1, isYearly, open: 0, charges: isYearly ? 2 : 1 })
    expect((await billingOf(call)).endsOn).toBe(isYearly ? '2028-02-15' : '2027-03-01')
  })

  test('cancelling ends a year that waits for the bank, and the month runs out', async () => {
    const call = await halfway()
    await asking3ds(call)
    await acted(call, '/api/billing/upgrade', { attemptId: (await preview(call)).attemptId })
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ endsOn: '2027-03-01' })
    await expectOnce(call, false)
  })

  test('cancelling drops a year that’s booked', async () => {
    const call = await halfway()
    await acted(call, '/api/billing/change-tier', byYear)
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ endsOn: '2027-03-01', nextPlan: null })
    await world.advance(15)
    expect(await atStripe()).toMatchObject({ subscriptions: 1, open: 0, charges: 1 })
    expect((await billingOf(call)).status).toBe('canceled')
  })
})

test('a year today and a smaller tier with the next payment, pressed together: one of them, and one charge at most', async () => {
  const call = await halfway()
  const { attemptId } = await preview(call)
  const [started, booked] = await Promise.all([
    act(call, '/api/billing/upgrade', { attemptId }),
    act(call, '/api/billing/change-tier', { tierSlug: 'lite' }),
  ])
  const isYearly = started.status === 200
  expect([started.status, booked.status].filter((status) => status === 200).length).toBeGreaterThan(0)
  expect(await atStripe()).toMatchObject({ subscriptions: 1, isYearly, open: 0, charges: isYearly ? 2 : 1 })
})

type Cut = { calls: number; isWrite: boolean }

/** Stands before the provider, and is gone from a call on: before the provider has it, or before we hear of it. */
function standBefore(at: number, when: 'before' | 'after') {
  const { stripe } = world.ctx
  const seen: Cut = { calls: 0, isWrite: false }
  const server = Bun.serve({
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      seen.calls += 1
      const own = seen.calls
      const { pathname, search } = new URL(request.url)
      if (own >= at) seen.isWrite ||= own === at && request.method !== 'GET'
      if (own > at || (own === at && when === 'before')) return gone()
      const headers = new Headers(request.headers)
      headers.delete('host')
      const body = request.method === 'GET' ? null : await request.text()
      const answer = await fetch(`${world.sandbox.url}${pathname}${search}`, { method: request.method, headers, body })
      return own === at ? gone() : new Response(await answer.text(), { status: answer.status, headers: answer.headers })
    },
  })
  function gone(): Promise<Response> {
    void server.stop(true)
    return new Promise(() => {})
  }
  Object.assign(stripe, { _api: { ...Reflect.get(stripe, '_api'), port: String(server.port) } })
  return {
    seen,
    putBack: async () => {
      Object.assign(stripe, { _api: { ...Reflect.get(stripe, '_api'), port: String(world.sandbox.port) } })
      await server.stop(true)
    },
  }
}

/** `sent` makes what comes before, and gives the body. `next`: how many months the next plan has in the end. */
type Act = {
  name: string
  path: string
  method?: string
  sent(call: Call): Promise<object | undefined>
  isYearly: boolean
  next: number | undefined
}

const changePath = '/api/billing/change-tier'
const acts: Act[] = [
  {
    name: 'a year today',
    path: '/api/billing/upgrade',
    sent: async (call) => ({ attemptId: (await preview(call)).attemptId }),
    isYearly: true,
    next: undefined,
  },
  { name: 'a year with the next payment', path: changePath, sent: async () => byYear, isYearly: false, next: 12 },
  {
    name: 'a year that’s booked, undone',
    path: changePath,
    method: 'DELETE',
    sent: async (call) => void (await acted(call, changePath, byYear)),
    isYearly: false,
    next: undefined,
  },
]

describe.each(acts)('$name, cut off at each call to Stripe', ({ path, method, sent, isYearly, next }) => {
  async function cutAt(at: number, when: 'before' | 'after') {
    const call = await halfway()
    const body = await sent(call)
    const cut = standBefore(at, when)
    await act(call, path, body, method)
    await cut.putBack()
    return { call, body, ...cut.seen }
  }

  type Done = Awaited<ReturnType<typeof cutAt>>

  /** Returns how many calls there are. */
  async function atEachCall(check: (done: Done) => Promise<void>): Promise<number> {
    for (let at = 1; ; at += 1) {
      for (const when of ['before', 'after'] as const) {
        const done = await cutAt(at, when)
        if (done.calls < at) return done.calls
        await check(done)
        await world.stop()
        await startAgain()
        // What's only read makes no difference.
        if (!done.isWrite) break
      }
    }
  }

  test('sent again, it’s there once, and paid once', async () => {
    const calls = await atEachCall(async ({ call, body }) => {
      await acted(call, path, body, method)
      await expectOnce(call, isYearly)
      expect((await billingOf(call)).nextPlan?.months).toBe(next)
    })
    expect(calls).toBeGreaterThan(8)
  })

  test('never sent again, it’s wholly there or not at all', async () => {
    await atEachCall(async ({ call }) => {
      await world.advance(11 * minute)
      for (const job of ['upgrades', 'reconcile'] as const) await runJob(world.ctx, job)
      await expectOnce(call, (await atStripe()).isYearly)
      await world.advance(14)
      const { charges, open, subscriptions } = await atStripe()
      expect({ charges, open, subscriptions }).toEqual({ charges: 2, open: 0, subscriptions: 1 })
    })
  })
})
