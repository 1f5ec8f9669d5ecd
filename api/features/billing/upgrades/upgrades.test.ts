import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import {
  act,
  acted,
  becomeMember,
  beginTrial,
  personCalled,
  providerInvoices,
  timesCharged,
} from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, consent, type PaymentWorld, paypal, startPaymentWorld } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import { type Call, readError } from '#api/testing/world.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { UpgradePreview, UpgradeResult } from '#shared/contract/upgrade.ts'

let world: PaymentWorld
beforeEach(async () => {
  // In a month of 28 days, half a month is 14.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
})
afterEach(() => world.stop())

const preview = async (call: Call, tierSlug = 'xl') =>
  v.parse(UpgradePreview, await acted(call, '/api/billing/upgrade/preview', { tierSlug }))
const start = async (call: Call, attemptId: string) =>
  v.parse(UpgradeResult, await acted(call, '/api/billing/upgrade', { attemptId }))
const settle = async (call: Call, attemptId: string) =>
  v.parse(UpgradeResult, await acted(call, '/api/billing/upgrade/settle', { attemptId }))
const refusedPreview = async (call: Call, tierSlug = 'xl') =>
  readError(await act(call, '/api/billing/upgrade/preview', { tierSlug }))
const refusedStart = async (call: Call, attemptId: string) =>
  readError(await act(call, '/api/billing/upgrade', { attemptId }))

const nameOf = (slug: TierSlug) => tierBySlug(world.ctx, slug)?.name

async function halfway(card?: string): Promise<Call> {
  const call = await becomeMember(world, card)
  await world.advance(14)
  return call
}

async function changeCard(call: Call, card: string): Promise<void> {
  const { clientSecret } = await acted(call, '/api/billing/card')
  await consent(await world.pay(clientSecret, card), 'complete')
  await acted(call, '/api/billing/card/settle')
}

const openInvoices = async () =>
  (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world), status: 'open' })).data.length

/** Only the first payment, for Standard, and nothing open at the provider. */
async function expectUnchanged(call: Call): Promise<void> {
  const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  expect(subscription).toMatchObject({ status: 'active', pending_update: null })
  expect(subscription?.items.data[0]?.price.unit_amount).toBe(25_000)
  expect([await openInvoices(), await timesCharged(world)]).toEqual([0, 1])
  expect(await billingOf(call)).toMatchObject({
    status: 'active',
    plan: { slug: 'standard', total: 30_000 },
    openInvoice: null,
    showsBanner: false,
  })
  expect((await (await call('/api/billing/invoices')).json()).length).toBe(1)
}

describe('an upgrade today', () => {
  test('is shown to the penny with VAT, taken as shown, and gives the tier straight away', async () => {
    const call = await halfway()
    const shown = await preview(call)
    expect(shown).toMatchObject({
      from: { name: nameOf('standard') },
      to: { slug: 'xl', name: nameOf('xl') },
      charge: { net: 22_500, vat: 4_500, total: 27_000 },
      credit: { net: 12_500, vat: 2_500, total: 15_000 },
      net: 10_000,
      vat: 2_000,
      total: 12_000,
      nextBill: { on: '2027-03-01', net: 45_000, vat: 9_000, total: 54_000 },
      card: { brand: 'visa', last4: '4242' },
      expiresAt: '2027-02-15T10:10:00.000Z',
    })
    const result = await start(call, shown.attemptId)
    expect(result).toMatchObject({
      status: 'upgraded',
      clientSecret: null,
      subscription: { status: 'active', plan: { slug: 'xl', net: 45_000, total: 54_000 } },
    })
    expect(await providerInvoices(world)).toEqual(['paid 12000', 'paid 30000'])
    expect(countRows(world, 'audit_entries', `action = 'subscription.upgrade'`)).toBe(1)
    expect(countRows(world, 'users', `membershipTier = 'xl' and isMember = 1`)).toBe(1)
    await world.advance(14)
    expect(await providerInvoices(world)).toEqual(['paid 54000', 'paid 12000', 'paid 30000'])
  })

  test('takes nothing but the attempt from the browser, and only from its member', { tags: ['full'] }, async () => {
    const call = await halfway()
    const { attemptId } = await preview(call)
    const stranger = await becomeMember(world, undefined, { ...sam, email: 'kim@example.com' })
    expect((await act(stranger, '/api/billing/upgrade', { attemptId })).status).toBe(404)
    const meddled = { attemptId, tierSlug: 'xl', total: 1, prorationDate: 1 }
    expect((await act(call, '/api/billing/upgrade', meddled)).status).toBe(422)
    expect(await acted(call, '/api/billing/upgrade', { attemptId })).toMatchObject({ status: 'upgraded' })
    const isShown = `isUpgrade and tierSlug = 'xl' and net = 10000 and vat = 2000 and amountPaid = 12000`
    expect(countRows(world, 'provider_invoices', isShown)).toBe(1)
  })

  test('asked for twice at once, and again after that, is charged once', async () => {
    const call = await halfway()
    const { attemptId } = await preview(call)
    const tabs = await Promise.all([start(call, attemptId), start(call, attemptId)])
    expect(tabs.map(({ status }) => status)).toEqual(['upgraded', 'upgraded'])
    expect((await start(call, attemptId)).status).toBe('upgraded')
    expect(await timesCharged(world)).toBe(2)
  })

  test('whose response was lost is looked for, told as it ended, and charged once', { tags: ['full'] }, async () => {
    const call = await halfway()
    const { attemptId } = await preview(call)
    await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/subscriptions/', times: 3 })
    for (const _twice of [1, 2]) expect((await start(call, attemptId)).status).toBe('upgraded')
    expect(await timesCharged(world)).toBe(2)
  })

  test('shown ten minutes ago, or replaced by a newer look, is not started', async () => {
    const call = await halfway()
    const first = await preview(call)
    const second = await preview(call)
    expect((await refusedStart(call, first.attemptId)).code).toBe('price_changed')
    await world.advance(10 / (24 * 60))
    expect((await refusedStart(call, second.attemptId)).code).toBe('price_changed')
    expect(await runJob(world.ctx, 'upgrades')).toMatchObject({ report: { ended: 1 } })
    await expectUnchanged(call)
  })

  test('is not started where what it costs has changed since it was shown', { tags: ['full'] }, async () => {
    const call = await halfway()
    const { attemptId } = await preview(call)
    const coupon = await world.ctx.stripe.coupons.create({ percent_off: 10, duration: 'forever' })
    const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: coupon.id }] })
    expect(await refusedStart(call, attemptId)).toMatchObject({ status: 409, code: 'price_changed' })
    expect(await timesCharged(world)).toBe(1)
    expect((await preview(call)).nextBill.net).toBe(40_500)
  })
})

describe('a payment that does not go through', () => {
  test('declined: the bank’s sentence, and nothing has changed', async () => {
    const call = await halfway(cards.failsLater)
    const { attemptId } = await preview(call)
    expect(await refusedStart(call, attemptId)).toMatchObject({
      status: 402,
      code: 'payment_declined',
      message: 'Your card was declined. Nothing has changed.',
    })
    expect(await providerInvoices(world)).toEqual(['void 12000', 'paid 30000'])
    await world.sandbox.settle()
    await expectUnchanged(call)
    expect((await refusedStart(call, attemptId)).code).toBe('price_changed')
    await changeCard(call, cards.pays)
    expect((await start(call, (await preview(call)).attemptId)).status).toBe('upgraded')
  })

  test.each(['complete', 'fail'] as const)(
    'the bank asks: %s on its page decides',
    { tags: ['full'] },
    async (button) => {
      const call = await halfway()
      await changeCard(call, cards.asks3ds)
      const { attemptId } = await preview(call)
      const asked = await start(call, attemptId)
      expect(asked).toMatchObject({ status: 'action_required', subscription: { plan: { slug: 'standard' } } })
      expect(await billingOf(call)).toMatchObject({ openInvoice: null, showsBanner: false, status: 'active' })
      expect((await (await call('/api/billing/invoices')).json()).length).toBe(1)
      expect((await start(call, attemptId)).clientSecret).toBe(asked.clientSecret)
      const intent = await world.ctx.stripe.paymentIntents.retrieve(asked.clientSecret?.split('_secret')[0] ?? '')
      await consent({ body: JSON.stringify(intent) }, button)
      const settled = await settle(call, attemptId)
      expect(settled.status).toBe(button === 'complete' ? 'upgraded' : 'unchanged')
      expect(await settle(call, attemptId)).toEqual(settled)
      expect(await acted(call, '/api/billing/upgrade/settle', {})).toEqual(settled)
      if (button === 'complete') return expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl' } })
      await expectUnchanged(call)
      // Another tab asks about the old one.
      const next = await preview(call)
      expect((await settle(call, attemptId)).status).toBe('unchanged')
      expect((await start(call, next.attemptId)).status).toBe('action_required')
    },
  )

  test('the bank has asked, and the member has answered and closed the page: the webhook brings the tier', {
    tags: ['full'],
  }, async () => {
    const call = await halfway()
    await changeCard(call, cards.asks3ds)
    const asked = await start(call, (await preview(call)).attemptId)
    const intent = await world.ctx.stripe.paymentIntents.retrieve(asked.clientSecret?.split('_secret')[0] ?? '')
    await consent({ body: JSON.stringify(intent) }, 'complete')
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl' } })
    expect(countRows(world, 'tier_upgrades', `outcome = 'upgraded'`)).toBe(1)
  })

  test('left at the bank’s question, it ends after ten minutes, and nothing has changed', {
    tags: ['full'],
  }, async () => {
    const call = await halfway()
    await changeCard(call, cards.asks3ds)
    await start(call, (await preview(call)).attemptId)
    expect(await runJob(world.ctx, 'upgrades')).toMatchObject({ report: { ended: 0 } })
    await world.advance(11 / (24 * 60))
    await runJob(world.ctx, 'upgrades')
    await expectUnchanged(call)
    expect(countRows(world, 'tier_upgrades', `outcome = 'expired'`)).toBe(1)
  })

  test('waiting for the bank, anything else done in Billing ends it first', { tags: ['full'] }, async () => {
    const call = await halfway()
    await changeCard(call, cards.asks3ds)
    await start(call, (await preview(call)).attemptId)
    await acted(call, '/api/billing/cancel')
    await acted(call, '/api/billing/resume')
    await expectUnchanged(call)
  })

  test('refused, it is followed by an ordinary renewal, and no mail says that a payment failed', {
    tags: ['full'],
  }, async () => {
    const call = await halfway(cards.failsLater)
    await refusedStart(call, (await preview(call)).attemptId)
    await changeCard(call, cards.pays)
    await world.advance(14)
    expect(await providerInvoices(world)).toEqual(['paid 30000', 'void 12000', 'paid 30000'])
    expect(countRows(world, 'mail_outbox', `cause like 'payment-failed:%'`)).toBe(0)
  })
})

describe('where a tier cannot start today, the reason is given', () => {
  test('a cheaper tier, the same one, one that is booked', { tags: ['full'] }, async () => {
    const call = await halfway()
    expect((await refusedPreview(call, 'lite')).message).toMatch(/^Only an upgrade can start today\. .* next payment/)
    expect((await refusedPreview(call, 'standard')).message).toBe(`You’re already on ${nameOf('standard')}.`)
    await acted(call, '/api/billing/change-tier', { tierSlug: 'lite' })
    expect((await refusedPreview(call)).message).toMatch(/^Your change to .+ is already booked\. Undo it first/)
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    expect((await preview(call)).total).toBe(12_000)
  })

  test('an ending membership, one in arrears, a trial, access that the owners ended', { tags: ['full'] }, async () => {
    const call = await halfway(cards.failsLater)
    await acted(call, '/api/billing/cancel')
    expect((await refusedPreview(call)).message).toMatch(/set to end/)
    await acted(call, '/api/billing/resume')
    await world.advance(15)
    expect((await refusedPreview(call)).message).toMatch(/^Pay your unpaid invoice first/)
    world.ctx.sqlite.exec(`update users set accessOverride = 'revoked' where isAdmin = 0`)
    expect((await refusedPreview(call)).code).toBe('access_revoked')
  })

  test('a trial', async () => {
    const call = await beginTrial(world, cards.pays)
    expect((await refusedPreview(call)).message).toBe(
      'You haven’t made your first payment yet. Another tier starts with it.',
    )
  })

  test('PayPal', async () => {
    const { carried } = await linkTo(world, { email: sam.email, name: sam.name, lastPayment: '2027-01-20' })
    const { response } = await beginDelayed(world, carried)
    await consent(await world.pay(response.clientSecret, paypal), 'complete')
    const call = world.signIn(personCalled(world, sam.email))
    await world.advance(25)
    expect((await refusedPreview(call)).message).toMatch(/^You can only upgrade today if you pay by card/)
  })

  test('a discount that comes off the next bill alone; one that stays is taken into account', {
    tags: ['full'],
  }, async () => {
    const call = await halfway()
    const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    const give = async (duration: 'once' | 'forever') => {
      const coupon = await world.ctx.stripe.coupons.create({ percent_off: 50, duration })
      await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: coupon.id }] })
    }
    await give('once')
    expect((await refusedPreview(call)).message).toMatch(/^You’ve got a discount on your next payment\./)
    await give('forever')
    expect((await refusedPreview(call)).message).toMatch(/less than £1\.00/)
  })

  test('less than £1.00 for what is left of the month', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    await world.advance(27.95)
    expect((await refusedPreview(call)).message).toMatch(/less than £1\.00/)
  })

  test('a price that has changed since the page was shown', async () => {
    const call = await halfway()
    const told = await act(call, '/api/billing/upgrade/preview', { tierSlug: 'xl', tierPrice: 1 })
    expect(await readError(told)).toMatchObject({ status: 409, code: 'price_changed' })
  })
})

test('an upgrade that the end of the membership has overtaken says so', { tags: ['full'] }, async () => {
  const call = await becomeMember(world)
  const { attemptId } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({})).data
  const { createPreview } = stripe.invoices
  // Like an edit in the provider's dashboard, between the sync and what follows from it.
  Object.assign(stripe.invoices, {
    createPreview: async (...given: Parameters<typeof createPreview>) => {
      await stripe.subscriptions.cancel(subscription?.id ?? '')
      return createPreview.apply(stripe.invoices, given)
    },
  })
  expect(await readError(await act(call, '/api/billing/upgrade', { attemptId }))).toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'Your membership has ended, so we haven’t changed it. You haven’t been charged.',
  })
})
