import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, becomeMember, beginTrial, personCalled, providerInvoices } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const recorded = (action: string) => countRows(world, 'audit_entries', `action = '${action}'`)
const changeTier = (call: Call, tierSlug: string) => acted(call, '/api/billing/change-tier', { tierSlug })
const refusedTier = async (call: Call, body: object) => readError(await act(call, '/api/billing/change-tier', body))
const revoke = () => world.ctx.sqlite.exec(`update users set accessOverride = 'revoked' where isAdmin = 0`)
const schedules = async () =>
  (await world.ctx.stripe.subscriptionSchedules.list({ customer: onlyCustomer(world) })).data.length

describe('cancelling', () => {
  test('ends with the period: access to its end, no next payment; and it continues when resumed', async () => {
    const call = await becomeMember(world)
    const cancelled = await acted(call, '/api/billing/cancel')
    expect(cancelled).toMatchObject({ status: 'active', hasAccess: true, next_billing_date: null, offer: 'resume' })
    expect(cancelled.label).toMatch(/^Active, ends on /)
    expect(await acted(call, '/api/billing/cancel')).toEqual(cancelled)
    const resumed = await acted(call, '/api/billing/resume')
    expect(resumed).toMatchObject({ status: 'active', label: 'Active', next_billing_date: expect.any(Number) })
    expect(await acted(call, '/api/billing/resume')).toEqual(resumed)
    expect([recorded('subscription.cancel'), recorded('subscription.resume')]).toEqual([1, 1])
    await acted(call, '/api/billing/cancel')
    await world.advance(32)
    expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
    expect(await providerInvoices(world)).toEqual(['paid 30000'])
  })

  test.each([0, 29])(
    'TIER-26 on day %i: no minimum and no notice, the month that is paid, and no more',
    async (day) => {
      const call = await becomeMember(world)
      await world.advance(day)
      const { next_billing_date } = await billingOf(call)
      const cancelled = await acted(call, '/api/billing/cancel')
      const lastDay = londonDay(new Date((next_billing_date ?? 0) * 1000))
      expect(cancelled).toMatchObject({ hasAccess: true, next_billing_date: null, endsOn: lastDay })
      await world.advance(33 - day)
      expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
      expect(await providerInvoices(world)).toEqual(['paid 30000'])
    },
  )

  test('cancelling in two tabs with a tier change booked cancels once and drops the change', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await changeTier(call, 'xl')
    const tabs = await Promise.all([acted(call, '/api/billing/cancel'), acted(call, '/api/billing/cancel')])
    for (const tab of tabs) expect(tab).toMatchObject({ offer: 'resume', nextPlan: null })
    await world.advance(32)
    expect(await providerInvoices(world)).toEqual(['paid 30000'])
  })

  test.each(['/v1/subscription_schedules', '/v1/subscriptions/'])(
    'requested in two tabs beside another tier, it ends all the same, whichever waits at %s',
    { tags: ['full'] },
    async (path) => {
      const call = await becomeMember(world)
      await world.control('faults', { kind: 'delay', ms: 150, method: 'POST', path })
      const asked = [act(call, '/api/billing/cancel'), act(call, '/api/billing/change-tier', { tierSlug: 'xl' })]
      const [cancelled, changed] = await Promise.all(asked)
      expect([cancelled?.status, changed?.status]).toEqual([200, 409])
      await world.sandbox.settle()
      expect(await billingOf(call)).toMatchObject({ offer: 'resume', nextPlan: null, next_billing_date: null })
    },
  )

  test('a trial ends with the trial, and nothing is taken', async () => {
    const call = await beginTrial(world, cards.pays)
    const cancelled = await acted(call, '/api/billing/cancel')
    expect(cancelled).toMatchObject({ status: 'trialing', hasAccess: true, firstPaymentOn: null, offer: 'resume' })
    expect((await acted(call, '/api/billing/resume')).firstPaymentOn).not.toBeNull()
    await acted(call, '/api/billing/cancel')
    await world.advance(25)
    expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
    expect(await providerInvoices(world)).toEqual(['paid 0'])
  })

  test('a membership that gives nothing yet ends straight away', { tags: ['full'] }, async () => {
    const { call } = await beginJoin(world.call)
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ status: 'incomplete_expired', hasAccess: false })
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ status: 'incomplete_expired' })
    expect(await providerInvoices(world)).toEqual(['void 30000'])
  })

  test('a lost response is looked for, and cancels once', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/subscriptions/', times: 3 })
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ offer: 'resume' })
    expect(await acted(call, '/api/billing/resume')).toMatchObject({ offer: 'already_active' })
  })

  test('somebody who never joined has nothing to cancel, and nobody cancels without a session', async () => {
    const call = world.signIn(world.addUser())
    expect(await readError(await act(call, '/api/billing/cancel'))).toMatchObject({ status: 409, code: 'conflict' })
    expect((await act(world.call, '/api/billing/cancel')).status).toBe(401)
  })
})

describe('changing tier', () => {
  test('takes effect with the next payment, in full, with nothing charged for the days before', async () => {
    const call = await becomeMember(world)
    const booked = await acted(call, '/api/billing/change-tier', { tierSlug: 'xl', tierPrice: 45_000 })
    const { next_billing_date: next, ...rest } = booked
    expect(rest).toMatchObject({
      plan: { slug: 'standard' },
      nextPlan: { slug: 'xl', net: 45_000, vat: 9_000, total: 54_000 },
    })
    expect(Date.parse(booked.nextPlan.from)).toBeLessThanOrEqual(next * 1000)
    expect(await providerInvoices(world)).toEqual(['paid 30000'])
    await world.advance(32)
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl', net: 45_000 }, nextPlan: null })
    expect(await providerInvoices(world)).toEqual(['paid 54000', 'paid 30000'])
    await world.advance(31)
    expect(await providerInvoices(world)).toEqual(['paid 54000', 'paid 54000', 'paid 30000'])
  })

  test('what is charged by the change is taken from the same card, also where only the customer’s counts', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    const { stripe } = world.ctx
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    expect(await stripe.customers.retrieve(onlyCustomer(world))).toMatchObject({
      invoice_settings: { default_payment_method: subscription?.default_payment_method },
    })
    expect(subscription?.default_payment_method).toMatch(/^pm_/)
  })

  test('a second choice replaces the first; the present tier takes it back, as Undo does', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await changeTier(call, 'xl')
    expect((await changeTier(call, 'lite')).nextPlan).toMatchObject({ slug: 'lite' })
    expect((await changeTier(call, 'standard')).nextPlan).toBeNull()
    await changeTier(call, 'xl')
    for (const _twice of [1, 2]) {
      expect((await acted(call, '/api/billing/change-tier', undefined, 'DELETE')).nextPlan).toBeNull()
    }
    expect([recorded('subscription.change_tier'), recorded('subscription.keep_tier')]).toEqual([3, 2])
    await world.advance(32)
    expect(await providerInvoices(world)).toEqual(['paid 30000', 'paid 30000'])
  })

  test('what was booked went with a membership that was ended in the provider’s dashboard: taking it back is no fault', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await changeTier(call, 'xl')
    const [subscription] = (await world.ctx.stripe.subscriptions.list({})).data
    await world.ctx.stripe.subscriptions.cancel(subscription?.id ?? '')
    const response = await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    expect(response).toMatchObject({ status: 'canceled', nextPlan: null })
    expect(recorded('subscription.keep_tier')).toBe(0)
  })

  test('what is booked is charged and shown as it was when chosen, though the row changes', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await changeTier(call, 'xl')
    world.ctx.sqlite.exec(`update tier_prices set net = 99000 where tierSlug = 'xl'`)
    expect((await billingOf(call)).nextPlan).toMatchObject({ net: 45_000, vat: 9_000, total: 54_000 })
    await world.advance(32)
    expect(await providerInvoices(world)).toEqual(['paid 54000', 'paid 30000'])
  })

  test('two tabs at once book one change', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    const [one, other] = await Promise.all([changeTier(call, 'xl'), changeTier(call, 'xl')])
    expect([one.nextPlan.slug, other.nextPlan.slug, await schedules()]).toEqual(['xl', 'xl', 1])
  })

  test('again after a change took effect, while its schedule still runs', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    await changeTier(call, 'xl')
    await world.advance(32)
    expect((await changeTier(call, 'lite')).nextPlan).toMatchObject({ slug: 'lite' })
    await world.advance(31)
    expect(await providerInvoices(world)).toEqual(['paid 15000', 'paid 54000', 'paid 30000'])
  })

  test('a declined renewal leaves the tier that was paid for, until it is paid', { tags: ['full'] }, async () => {
    const call = await becomeMember(world, cards.failsLater)
    await changeTier(call, 'xl')
    await world.advance(32)
    expect(await billingOf(call)).toMatchObject({
      status: 'past_due',
      hasAccess: true,
      plan: { slug: 'standard', total: 30_000 },
      openInvoice: { total: 54_000 },
    })
    expect((await (await call('/api/auth/user')).json()).membershipTier).toBe('standard')
    const { clientSecret } = await acted(call, '/api/billing/pay')
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl' } })
  })

  test('in a trial: the first payment is for the tier that was chosen last', { tags: ['full'] }, async () => {
    const call = await beginTrial(world, cards.pays)
    const booked = await changeTier(call, 'xl')
    expect(booked.nextPlan).toMatchObject({ slug: 'xl', from: booked.firstPaymentOn })
    await world.advance(25)
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl' } })
    expect(await providerInvoices(world)).toEqual(['paid 54000', 'paid 0'])
  })

  test('a tier that is not on sale, and another price than the row’s, are refused before the provider is called', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    world.ctx.sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'lite'`)
    expect(await refusedTier(call, { tierSlug: 'lite' })).toMatchObject({
      status: 422,
      fields: { tierSlug: 'We don’t sell this tier at the moment. Choose another.' },
    })
    expect(await refusedTier(call, { tierSlug: 'xl', tierPrice: 1 })).toMatchObject({
      status: 409,
      code: 'price_changed',
      message: 'The price has changed. Please choose your tier again.',
    })
    expect(await refusedTier(call, { tierSlug: 'gold' })).toMatchObject({ status: 422 })
    expect(await schedules()).toBe(0)
  })

  test('cancelling drops a booked change; what is set to end has to be resumed first', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    await changeTier(call, 'xl')
    expect(await acted(call, '/api/billing/cancel')).toMatchObject({ nextPlan: null, offer: 'resume' })
    const refused = await refusedTier(call, { tierSlug: 'xl' })
    expect([refused.code, refused.message]).toEqual([
      'conflict',
      'Your membership is set to end. Resume it first, then you can change tier.',
    ])
    await acted(call, '/api/billing/resume')
    expect((await changeTier(call, 'xl')).nextPlan).toMatchObject({ slug: 'xl' })
  })

  test('what is overdue has to be paid first', async () => {
    const call = await becomeMember(world, cards.failsLater)
    await world.advance(32)
    expect((await refusedTier(call, { tierSlug: 'xl' })).message).toMatch(/^Pay your unpaid invoice first/)
  })
})

test('while access is revoked nothing is sold, and cancelling stays possible', { tags: ['full'] }, async () => {
  const call = await becomeMember(world)
  revoke()
  const sold: [string, object?, string?][] = [
    ['/api/billing/resume'],
    ['/api/billing/change-tier', { tierSlug: 'xl' }],
    ['/api/billing/change-tier', undefined, 'DELETE'],
    ['/api/billing/card'],
    ['/api/billing/pay'],
  ]
  for (const [path, body, method] of sold) {
    expect([path, await readError(await act(call, path, body, method))]).toMatchObject([
      path,
      { status: 409, code: 'access_revoked', message: 'Your access was ended by the owners. Please contact us.' },
    ])
  }
  expect(await acted(call, '/api/billing/cancel')).toMatchObject({ isRevoked: true, endsOn: expect.any(String) })
  await world.advance(32)
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
})

test.each([undefined, 'A former partner reads it'])(
  'an address an owner changes (unsafe mailbox: %s) reaches Stripe straight away',
  async (unsafeMailbox) => {
    await becomeMember(world)
    await moveSam(unsafeMailbox)
    const at = await world.ctx.stripe.customers.retrieve(onlyCustomer(world))
    expect(at).toMatchObject({ email: 'safe@example.com' })
  },
)

test.each([undefined, 'A former partner reads it'])(
  'with Stripe away, the next nightly run sends it, also of a member who left long ago (unsafe mailbox: %s)',
  { tags: ['full'] },
  async (unsafeMailbox) => {
    const call = await becomeMember(world)
    await acted(call, '/api/billing/cancel')
    await world.advance(70)
    world.forward(70 * 86_400_000)
    await runJob(world.ctx, 'reconcile', {})
    await world.control('faults', { kind: 'error', method: 'GET', path: '/v1/customers', times: 9 })
    await moveSam(unsafeMailbox)
    await world.clearFaults()
    await runJob(world.ctx, 'reconcile', {})
    const at = await world.ctx.stripe.customers.retrieve(onlyCustomer(world))
    expect(at).toMatchObject({ email: 'safe@example.com' })
  },
)

async function moveSam(unsafeMailbox: string | undefined): Promise<void> {
  const { id } = personCalled(world, sam.email)
  const owner = world.signIn(world.addOwner())
  const { profile } = await (await owner(`/api/admin/members/${id}/record`)).json()
  const body = { ...profile, email: 'safe@example.com', ...(unsafeMailbox && { unsafeMailbox }) }
  const changed = await owner(`/api/admin/members/${id}/profile`, { method: 'PUT', body })
  expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('safe@example.com')])
}
