import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { ownerOnceAsked } from '#api/identity/person.ts'
import { act, acted, becomeMember, beginTrial, personCalled, providerInvoices } from '#api/testing/billing.ts'
import { billingOf, countRows, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { AdminTierList, PriceChange, PricePreview } from '#shared/contract/admin-tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { changePrice } from './price-service.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2026-06-12T07:40:00.000Z') })
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const path = (slug: string) => `/api/admin/tiers/${slug}/price`
const preview = async (price: number, slug = 'standard') =>
  v.parse(PricePreview, await (await owner(`${path(slug)}?price=${price}`)).json())
const post = (price: number, { movesMembers = true, confirmation = '', slug = 'standard' } = {}) =>
  owner(path(slug), { body: { price, movesMembers, confirmation } })
async function setPrice(price: number, { movesMembers = true, slug = 'standard' } = {}) {
  const { confirmation } = await preview(price, slug)
  return v.parse(PriceChange, await (await post(price, { movesMembers, confirmation, slug })).json())
}
const tierRow = async (slug = 'standard') =>
  v.parse(AdminTierList, await (await owner('/api/admin/tiers')).json()).find((tier) => tier.slug === slug)
const noticesSent = () => countRows(world, 'mail_outbox', `cause like 'price-move:%'`)
const outcomes = () =>
  world.ctx.db.select({ outcome: priceMoves.outcome }).from(priceMoves).orderBy(priceMoves.id).all()
async function runMoves() {
  await runJob(world.ctx, 'mail')
  return await runJob(world.ctx, 'price-moves')
}
async function advance(days: number) {
  for (let day = 0; day < days; day += 5) {
    await world.advance(Math.min(5, days - day))
    await world.sandbox.settle()
    await runMoves()
  }
}

describe('a new price', () => {
  test('is for new members only, straight away and at a price of its own, until the others are moved', async () => {
    const call = await becomeMember(world)
    const shown = await preview(27_500)
    expect(shown).toMatchObject({
      from: 25_000,
      to: 27_500,
      members: [{ name: 'Sam Field', from: 25_000, stays: null }],
    })
    // Nothing changes without the preview's confirmation.
    expect(await readError(await post(27_500, { confirmation: 'made-up' }))).toMatchObject({ code: 'price_changed' })
    expect((await tierRow())?.price).toBe(25_000)
    const { confirmation } = shown
    expect((await post(27_500, { movesMembers: false, confirmation })).status).toBe(200)
    expect(await tierRow()).toMatchObject({ price: 27_500, version: 2, members: 1, moving: 0 })
    const { tiers } = await (await world.call('/api/membership-tiers')).json()
    expect(tiers[1]).toMatchObject({ slug: 'standard', price: 27_500, stripePriceId: expect.stringMatching(/^price_/) })
    await becomeMember(world, cards.pays, { email: 'kim@example.com', name: 'Kim Reed', tierPrice: 27_500 })
    await advance(31)
    expect(await billingOf(call)).toMatchObject({ plan: { net: 25_000 }, nextPlan: null })
    expect(noticesSent()).toBe(0)
    expect(countRows(world, 'audit_entries', `action = 'tier.price'`)).toBe(1)
  })

  test('tells a member at another rate of VAT what they pay today, and leaves who pays by the year at their price', async () => {
    await becomeMember(world)
    const { stripe } = world.ctx
    const made = async (percentage: number) =>
      (await stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive: false })).id
    const [subscription] = (await stripe.subscriptions.list({})).data
    await stripe.subscriptions.update(subscription?.id ?? '', { default_tax_rates: [await made(5)] })
    await world.sandbox.settle()
    const { mail } = await preview(27_500)
    expect(mail?.text).toContain('£250.00 + £12.50 VAT = £262.50 a month')
    expect(mail?.text).toContain('£275.00 + £55.00 VAT = £330.00 a month')
    const product = String(subscription?.items.data[0]?.price.product)
    const recurring = { interval: 'year' as const }
    const yearly = await stripe.prices.create({ currency: 'gbp', product, unit_amount: 250_000, recurring })
    world.addMember({ subscription: { stripePriceId: yearly.id, yearlyNet: 249_996 } })
    expect((await preview(27_500)).members).toMatchObject([{ name: 'Sam Field', from: 25_000 }])
  })

  test('moves a member at the first renewal 30 days after the mail, which names both prices, VAT, day and the way to cancel', async () => {
    const call = await becomeMember(world)
    await world.advance(10)
    const shown = await preview(27_500)
    // 12 July is 20 days away.
    expect(shown.members).toMatchObject([{ on: '2026-08-12', isBooked: false }])
    expect(shown.mail?.text).toMatch(/12 August 2026/)
    const { told } = await setPrice(27_500)
    expect([told, await tierRow()]).toMatchObject([1, { moving: 1 }])
    const mail = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'price-move:%'`).pluck().get()
    for (const words of ['£250.00 + £50.00 VAT = £300.00', '£275.00 + £55.00 VAT = £330.00', 'Cancel membership']) {
      expect(mail).toContain(words)
    }
    expect(mail).toBe(shown.mail?.text)
    await advance(25)
    // Booked for the named renewal, not the one before.
    expect(await billingOf(call)).toMatchObject({
      plan: { net: 25_000 },
      nextPlan: { net: 27_500, from: '2026-08-12' },
    })
    await advance(30)
    expect(await billingOf(call)).toMatchObject({ plan: { net: 27_500 }, nextPlan: null })
    expect(await providerInvoices(world)).toEqual(['paid 33000', 'paid 30000', 'paid 30000'])
    expect([outcomes(), (await tierRow())?.moving]).toEqual([[{ outcome: 'moved' }], 0])
    expect(countRows(world, 'mail_outbox', `cause like 'tier-%'`)).toBe(0)
  })

  test('is told in the words that owners gave the notice, as the preview shows them; other words are another preview', async () => {
    world.addMember({ subscription: { yearlyNet: 300_000 } })
    const word = async (opening: string, version: number): Promise<number> => {
      const value = { subject: 'Our new price', opening, closing: 'See you Tuesday.' }
      const body = { version, entry: 'price-move', value }
      return (await (await owner('/api/admin/content/mails', { method: 'PUT', body })).json()).version
    }
    const version = await word('Copper has doubled.', 0)
    const { confirmation, mail } = await preview(27_500)
    expect(mail?.text).toMatch(/Copper has doubled\..*£275\.00.*See you Tuesday\./s)
    await word('Copper has trebled.', version)
    expect((await post(27_500, { confirmation })).status).toBe(409)
    const shown = await preview(27_500)
    expect((await post(27_500, { confirmation: shown.confirmation })).status).toBe(200)
    const sent = world.ctx.sqlite.prepare(`select subject, text from mail_outbox where cause like 'price-move:%'`).get()
    expect(sent).toEqual({ subject: 'Our new price', text: shown.mail?.text })
    expect(shown.mail).toMatchObject({ subject: 'Our new price', text: expect.stringContaining('trebled') })
  })

  test('requested twice is done once, from two tabs too', async () => {
    await becomeMember(world)
    const { confirmation } = await preview(27_500)
    const tabs = await Promise.all([post(27_500, { confirmation }), post(27_500, { confirmation })])
    expect(tabs.map(({ status }) => status)).toEqual([200, 200])
    expect((await post(27_500, { confirmation })).status).toBe(200)
    expect([noticesSent(), (await tierRow())?.version]).toEqual([1, 2])
    expect((await preview(27_500)).members).toMatchObject([{ stays: 'moving', on: null }])
    expect(countRows(world, 'audit_entries', `action = 'tier.price'`)).toBe(1)
  })

  test('moved to by the server and by the terminal at once moves each member once, and says so to the other', async () => {
    world.addMember({ subscription: { yearlyNet: 300_000 } })
    await setPrice(27_500, { movesMembers: false })
    const { confirmation } = await preview(27_500)
    const change = { slug: 'standard', every: 'month', price: 27_500, movesMembers: true, confirmation } as const
    const olive = ownerOnceAsked('local:olive')
    // Each process has its own context, and locks work only within one.
    const programs = [1, 2].map(() => changePrice({ ...world.ctx }, olive, change))
    const [first, second] = await Promise.allSettled(programs)
    expect(first).toMatchObject({ value: { told: 1 } })
    expect(second).toMatchObject({ reason: { code: 'price_changed' } })
    expect(noticesSent()).toBe(1)
  })

  test.each(['lost', 'error_after'] as const)(
    'of which the answer is %s is set once, and so is its price',
    async (kind) => {
      await becomeMember(world)
      const { confirmation } = await preview(27_500)
      await world.control('faults', { kind, method: 'POST', path: '/v1/prices', times: 3 })
      expect((await post(27_500, { confirmation })).status).toBe(200)
      expect((await post(27_500, { confirmation })).status).toBe(200)
      expect([(await tierRow())?.price, noticesSent()]).toEqual([27_500, 1])
      const { data } = await world.ctx.stripe.prices.list({ limit: 100 })
      expect(
        data.filter(({ unit_amount, metadata }) => unit_amount === 27_500 && metadata.tier === 'standard').length,
      ).toBe(1)
    },
  )

  test('that the provider does not take changes nothing', { tags: ['full'] }, async () => {
    await becomeMember(world)
    const { confirmation } = await preview(27_500)
    await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/prices', times: 9 })
    expect((await post(27_500, { confirmation })).status).toBe(502)
    expect([(await tierRow())?.price, noticesSent()]).toEqual([25_000, 0])
  })
})

describe('who is told', () => {
  test('keeps the old price by cancelling, also once the move is booked', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    await setPrice(27_500)
    await advance(2)
    expect(await billingOf(call)).toMatchObject({ nextPlan: null })
    const { member } = await (await owner(`/api/admin/members/${sam.email}/record`)).json()
    const activity = await (await owner(`/api/admin/members/${member.id}/activity`)).json()
    expect(activity).toContainEqual(expect.objectContaining({ action: 'price_move.told' }))
    await advance(30)
    expect(await billingOf(call)).toMatchObject({ nextPlan: { net: 27_500 } })
    // The member didn't book it, so they have nothing to undo.
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    await acted(call, '/api/billing/change-tier', { tierSlug: 'standard' })
    expect(await billingOf(call)).toMatchObject({ nextPlan: { net: 27_500 } })
    await acted(call, '/api/billing/cancel')
    expect(outcomes()).toEqual([{ outcome: 'cancelled' }])
    await acted(call, '/api/billing/resume')
    await advance(32)
    expect(await billingOf(call)).toMatchObject({ plan: { net: 25_000 }, nextPlan: null })
  })

  test('by another tier with the next bill drops it; an upgrade today waits until it is over', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await setPrice(27_500)
    await world.sandbox.settle()
    const today = await readError(await act(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' }))
    expect(today).toMatchObject({ status: 409, message: expect.stringContaining('price change is already booked') })
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    expect(outcomes()).toEqual([{ outcome: 'tier_changed' }])
    await advance(32)
    expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl', net: 45_000 }, nextPlan: null })
  })

  test('with a change to that tier booked gets the mail, and the booked price until the 30 days are over', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await world.advance(10)
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    const { members } = await preview(50_000, 'xl')
    expect(members).toMatchObject([{ isBooked: true, from: 45_000, on: '2026-08-12' }])
    await setPrice(50_000, { slug: 'xl' })
    await advance(25)
    expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl', net: 45_000 }, nextPlan: { net: 50_000 } })
    await advance(30)
    expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl', net: 50_000 }, nextPlan: null })
    expect(outcomes()).toEqual([{ outcome: 'moved' }])
  })

  test('keeps the old price where the mail is refused, and is told again where it lay for days', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world)
    await becomeMember(world, cards.pays, { email: 'kim@example.com', name: 'Kim Reed' })
    await runJob(world.ctx, 'mail')
    world.forward(1000)
    await setPrice(27_500)
    await runJob(world.ctx, 'mail')
    const set = (email: string, change: string) =>
      world.ctx.sqlite.exec(`update mail_outbox set ${change} where cause like 'price-move:%' and "to" = '${email}'`)
    set(sam.email, `status = 'refused', "lastError" = '550 gone'`)
    set('kim@example.com', `"sentAt" = strftime('%Y-%m-%dT%H:%M:%fZ', "createdAt", '+35 days')`)
    expect(await runMoves()).toMatchObject({ report: { booked: 0, dropped: 1, toldAgain: 0, failed: 0 } })
    expect((await preview(27_500)).members).toMatchObject([
      { name: 'Kim Reed', stays: 'moving' },
      { name: 'Sam Field', stays: 'mail_refused' },
    ])
    await advance(35)
    expect(outcomes()).toEqual(expect.arrayContaining([{ outcome: 'refused' }, { outcome: null }]))
    expect(noticesSent()).toBe(3)
    expect(await billingOf(call)).toMatchObject({ nextPlan: null })
  })
})

test('whose named renewal was missed, as while the server was off, is told again with the new day, and pays the old price until then', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  await world.advance(10)
  await setPrice(27_500)
  await runJob(world.ctx, 'mail')
  const told = () =>
    world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'price-move:%' order by id`).pluck().all()
  expect(told()).toEqual([expect.stringContaining('12 August 2026')])
  await world.advance(70)
  await world.sandbox.settle()
  expect(await runMoves()).toMatchObject({ report: { booked: 0, dropped: 0, toldAgain: 1, failed: 0 } })
  expect(told()).toEqual([expect.anything(), expect.stringContaining('12 October 2026')])
  expect(await billingOf(call)).toMatchObject({ plan: { net: 25_000 }, nextPlan: null })
  await advance(45)
  expect(await billingOf(call)).toMatchObject({ plan: { net: 27_500 }, nextPlan: null })
  expect((await providerInvoices(world)).slice(0, 2)).toEqual(['paid 33000', 'paid 30000'])
  expect([outcomes(), noticesSent()]).toEqual([[{ outcome: 'moved' }], 2])
})

const priceMadeAtStripe = (tier: string, amount: number) =>
  world.ctx.stripe.prices.create({
    currency: 'gbp',
    unit_amount: amount,
    recurring: { interval: 'month' },
    metadata: { tier },
    product_data: { name: tier },
  })

async function pauseCollection(isPaused: boolean) {
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({})).data
  const pause_collection = isPaused ? ({ behavior: 'void' } as const) : ('' as const)
  await stripe.subscriptions.update(subscription?.id ?? '', { pause_collection })
  await world.sandbox.settle()
}

test('who was told and is paused before it’s booked keeps the price, and is told again once payments start again', async () => {
  const call = await becomeMember(world)
  await setPrice(27_500)
  await advance(5)
  await pauseCollection(true)
  await advance(60)
  expect([outcomes(), noticesSent(), (await billingOf(call)).nextPlan]).toEqual([[{ outcome: null }], 1, null])
  await pauseCollection(false)
  await runMoves()
  expect(noticesSent()).toBe(2)
  expect((await billingOf(call)).nextPayment).toMatchObject({ on: '2026-09-12', due: 30_000 })
  await advance(32)
  expect((await billingOf(call)).nextPayment).toMatchObject({ on: '2026-10-12', due: 33_000 })
  await advance(30)
  expect((await providerInvoices(world)).slice(0, 3)).toEqual(['paid 33000', 'paid 30000', 'void 30000'])
  expect(outcomes()).toEqual([{ outcome: 'moved' }])
})

test('who is paused once it’s booked pays the new price when payments start again, and nothing before', async () => {
  const call = await becomeMember(world)
  await setPrice(27_500)
  await advance(35)
  expect((await billingOf(call)).nextPayment).toMatchObject({ on: '2026-08-12', due: 33_000 })
  await pauseCollection(true)
  expect((await billingOf(call)).nextPayment).toBeUndefined()
  await advance(35)
  await pauseCollection(false)
  expect((await billingOf(call)).nextPayment).toMatchObject({ on: '2026-09-12', due: 33_000 })
  await advance(30)
  expect((await providerInvoices(world)).slice(0, 2)).toEqual(['paid 33000', 'void 33000'])
  expect([outcomes(), noticesSent()]).toEqual([[{ outcome: 'moved' }], 1])
})

test('whose tier an owner changes at Stripe pays what that costs, and is moved no more', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  await setPrice(27_500)
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({})).data
  const { id: price } = await priceMadeAtStripe('xl', 45_000)
  const items = [{ id: subscription?.items.data[0]?.id ?? '', price }]
  await stripe.subscriptions.update(subscription?.id ?? '', { items, proration_behavior: 'none' })
  await advance(35)
  expect(outcomes()).toEqual([{ outcome: 'tier_changed' }])
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl', net: 45_000 }, nextPlan: null })
})

test('a year that’s booked is no month to move: who books one is left out, and a move that waits for them is dropped', async () => {
  const call = await becomeMember(world)
  const byYear = { tierSlug: 'standard', priceId: addYearlyPrice(world, 'standard', 250_000) }
  await acted(call, '/api/billing/change-tier', byYear)
  expect((await preview(27_500)).members).toMatchObject([{ name: 'Sam Field', stays: 'leaving' }])
  await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
  expect((await setPrice(27_500)).told).toBe(1)
  await acted(call, '/api/billing/change-tier', byYear)
  expect(outcomes()).toEqual([{ outcome: 'tier_changed' }])
  await acted(call, '/api/billing/change-tier', { tierSlug: 'xl', priceId: addYearlyPrice(world, 'xl', 450_000) })
  expect((await preview(47_500, 'xl')).members).toEqual([])
  await advance(31)
  expect((await billingOf(call)).plan).toMatchObject({ slug: 'xl', net: 450_000, months: 12 })
})

test('who is ending, in arrears, paused, leaving or revoked is listed with the reason, and not moved; a trial moves after its first payment', async () => {
  const call = await beginTrial(world, cards.pays)
  const first = (await billingOf(call)).firstPaymentOn ?? ''
  const add = (name: string, subscription: object, more: object = {}) =>
    world.addMember({
      firstName: name,
      lastName: 'Marsh',
      subscription: { yearlyNet: 300_000, ...subscription },
      ...more,
    })
  add('Ada', { cancelAtPeriodEnd: true })
  add('Bob', { status: 'past_due' })
  add('Cid', { status: 'paused' })
  add('Cod', { collectionPause: 'keep_as_draft' })
  add('Dan', {}, { accessOverride: 'revoked' })
  add('Eva', { nextTierSlug: 'xl', nextTierNet: 45_000, nextTierAt: world.ctx.billingNow().toISOString() })
  add('Flo', { status: 'incomplete' })
  add('Gus', { yearlyNet: 330_000 })
  // While the payment for another tier is under way, only the price shows it.
  add('Hal', { stripePriceId: (await priceMadeAtStripe('xl', 45_000)).id })
  const { members } = await preview(27_500)
  expect(members.map(({ name, stays }) => [name, stays])).toEqual([
    ...[
      ['Ada Marsh', 'ending'],
      ['Bob Marsh', 'arrears'],
      ['Cid Marsh', 'paused'],
      ['Cod Marsh', 'paused'],
      ['Dan Marsh', 'revoked'],
    ],
    ...[
      ['Eva Marsh', 'leaving'],
      ['Sam Field', null],
    ],
  ])
  const { on } = members.at(-1) ?? {}
  expect(
    (on ?? '') > first && (on ?? '') >= londonDay(new Date(world.ctx.billingNow().getTime() + 30 * 86_400_000)),
  ).toBe(true)
  expect((await setPrice(27_500)).told).toBe(1)
  expect(personCalled(world, sam.email).id).toBe(members.at(-1)?.memberId)
})
