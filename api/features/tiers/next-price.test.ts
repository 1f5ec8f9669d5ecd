import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#api/app.ts'
import { act, acted, becomeMember, providerInvoices } from '#api/testing/billing.ts'
import { siteIn } from '#api/testing/built-site.ts'
import { beginJoin, billingOf, countRows, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { beginDelayed, linkTo } from '#api/testing/reactivating.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import { AdminTierList, PriceChange, PricePreview } from '#shared/contract/admin-tier.ts'
import { formatPounds } from '#shared/rules/money.ts'

let world: PaymentWorld
async function open(startsAt: string) {
  world = await startPaymentWorld({ startsAt: new Date(startsAt) })
}
beforeEach(() => open('2026-12-20T10:00:00.000Z'))
afterEach(() => world.stop())

const path = '/api/admin/tiers/standard/price'
/** Signs in for each call, since a password's proof runs out. */
const owner: Call = (address, options) => world.signIn(owned())(address, options)
const owned = () => {
  const id = world.ctx.sqlite.prepare<[], { id: string }>('select id from users where isAdmin = 1').get()?.id
  return id === undefined ? world.addOwner() : { id, email: '' }
}
const forwardTo = (at: string) => world.forward(Date.parse(at) - world.ctx.now().getTime())
const ask = (price: number, from?: string) =>
  owner(`${path}?price=${price}${from === undefined ? '' : `&from=${from}`}`)
const preview = async (price: number, from?: string) => v.parse(PricePreview, await (await ask(price, from)).json())
const post = (price: number, more: { from?: string; confirmation: string; movesMembers?: boolean }) =>
  owner(path, { body: { price, movesMembers: false, ...more } })
async function set(price: number, from?: string) {
  const { confirmation } = await preview(price, from)
  const day = from === undefined ? {} : { from }
  return v.parse(PriceChange, await (await post(price, { ...day, confirmation })).json())
}
const cancel = (price: number, from: string) => owner(path, { method: 'DELETE', body: { price, from } })
async function tierRow() {
  const tiers = v.parse(AdminTierList, await (await owner('/api/admin/tiers')).json())
  return tiers.find(({ slug }) => slug === 'standard')
}
async function publicPrice() {
  const { tiers } = await (await world.call('/api/membership-tiers')).json()
  return tiers[1].price
}
const audited = () =>
  world.ctx.sqlite
    .prepare<[], { action: string; detail: string }>(
      `select action, detail from audit_entries where action like 'tier.%' order by id`,
    )
    .all()
    .map(({ action, detail }) => [action, JSON.parse(detail)])

describe('a price from a day', () => {
  test.each([
    ['in winter', '2026-12-20T10:00:00.000Z', '2027-01-01', '2026-12-31T23:59:59.000Z', '2027-01-01T00:00:00.000Z'],
    ['in summer', '2026-06-12T07:40:00.000Z', '2026-07-01', '2026-06-30T22:59:59.000Z', '2026-06-30T23:00:00.000Z'],
  ])(
    'starts at midnight in London %s, by the clock alone: read, quoted and charged',
    async (_, now, day, before, at) => {
      await world.stop()
      await open(now)
      const shown = await preview(35_000, day)
      expect(shown).toMatchObject({ from: 25_000, to: 35_000, startsOn: day, nextPrice: null, mail: null })
      await set(35_000, day)
      expect(await tierRow()).toMatchObject({ price: 25_000, nextPrice: { price: 35_000, from: day } })
      const prices = await world.ctx.stripe.prices.list({ lookup_keys: ['standard_35000'] })
      expect(prices.data).toHaveLength(1)
      forwardTo(before)
      expect(await publicPrice()).toBe(25_000)
      const late = await readError(
        await world.call('/api/create-subscription', { body: { ...sam, tierPrice: 35_000 } }),
      )
      expect(late.code).toBe('price_changed')
      forwardTo(at)
      expect(await publicPrice()).toBe(35_000)
      expect(await tierRow()).toMatchObject({ price: 35_000, nextPrice: null })
      const old = await readError(await world.call('/api/create-subscription', { body: { ...sam, tierPrice: 25_000 } }))
      expect(old).toMatchObject({
        code: 'price_changed',
        message: 'The price has changed. Please choose your tier again.',
      })
      await becomeMember(world, cards.pays, { ...sam, tierPrice: 35_000 })
      expect(await providerInvoices(world)).toEqual(['paid 42000'])
    },
  )

  test('is rendered into the public pages the moment it starts, with what search engines are told', async () => {
    await set(35_000, '2027-01-01')
    const app = createApp(world.ctx, { site: siteIn(world.ctx.settings.dataDir) })
    const page = async () => (await app.handle(new Request('http://localhost:3000/membership-tiers'))).text()
    const shown = (html: string) =>
      ['£250', '£350', '"250.00"', '"350.00"', '35000'].map((words) => html.includes(words))
    forwardTo('2026-12-31T23:59:59.000Z')
    const before = await page()
    expect(shown(before)).toEqual([true, false, true, false, false])
    forwardTo('2027-01-01T00:00:00.000Z')
    expect(shown(await page())).toEqual([false, true, false, true, true])
  })

  test('is in the public words the moment it starts', { tags: ['full'] }, async () => {
    const lowest = async () => (await (await world.call('/api/site-content')).json()).site.prices.lowest
    world.ctx.sqlite.exec(`update tier_prices set net = 90000 where tierSlug <> 'standard'`)
    await set(35_000, '2027-01-01')
    forwardTo('2026-12-31T23:59:59.000Z')
    expect(await lowest()).toContain(formatPounds(25_000))
    forwardTo('2027-01-01T00:00:00.000Z')
    expect(await lowest()).toContain(formatPounds(35_000))
  })

  test('comes when the sandbox’s clock is moved', async () => {
    await set(35_000, '2027-01-01')
    expect(await publicPrice()).toBe(25_000)
    await world.advance(14)
    expect(await publicPrice()).toBe(35_000)
  })

  test('has started where the server was off over its day, or a backup from before was restored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'next-price-'))
    await set(35_000, '2027-01-01')
    await world.ctx.sqlite.backup(join(folder, 'copy.db'))
    const restored = startWorld({ file: join(folder, 'copy.db'), startsAt: new Date('2027-02-03T09:00:00.000Z') })
    const { tiers } = await (await restored.call('/api/membership-tiers')).json()
    expect(tiers[1]).toMatchObject({ slug: 'standard', price: 35_000, stripePriceId: expect.stringMatching(/^price_/) })
    restored.ctx.sqlite.close()
    rmSync(folder, { recursive: true })
  })

  test('leaves members at what they pay, and can be told to them once it has started', async () => {
    const call = await becomeMember(world)
    expect((await preview(35_000, '2027-01-01')).members).toMatchObject([{ from: 25_000, stays: 'later', on: null }])
    const { confirmation } = await preview(35_000, '2027-01-01')
    const asked = await post(35_000, { from: '2027-01-01', confirmation, movesMembers: true })
    expect(await asked.json()).toMatchObject({ told: 0 })
    forwardTo('2027-01-02T09:00:00.000Z')
    expect((await preview(35_000)).members).toMatchObject([{ stays: null, on: '2027-02-20' }])
    expect((await billingOf(call)).plan).toMatchObject({ net: 25_000 })
    expect(countRows(world, 'mail_outbox', `cause like 'price-move:%'`)).toBe(0)
  })

  test('gives an upgrade and a tier change the price of the moment, and keeps a quote already made', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world, cards.pays, { ...sam, tierSlug: 'lite', tierPrice: 12_500 })
    await set(35_000, '2027-01-01')
    forwardTo('2026-12-31T23:55:00.000Z')
    const quoted = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'standard' })
    expect(quoted.nextBill.net).toBe(25_000)
    forwardTo('2027-01-01T00:00:00.000Z')
    expect(await acted(call, '/api/billing/upgrade', { attemptId: quoted.attemptId })).toMatchObject({
      status: 'upgraded',
      subscription: { plan: { slug: 'standard', net: 25_000 } },
    })
    const ann = { email: 'ann@example.com', name: 'Ann Marsh', tierSlug: 'lite', tierPrice: 12_500 }
    const other = await becomeMember(world, cards.pays, ann)
    const stale = await act(other, '/api/billing/upgrade/preview', { tierSlug: 'standard', tierPrice: 25_000 })
    expect((await readError(stale)).code).toBe('price_changed')
    expect((await acted(other, '/api/billing/upgrade/preview', { tierSlug: 'standard' })).nextBill.net).toBe(35_000)
    const booked = await acted(other, '/api/billing/change-tier', { tierSlug: 'standard', tierPrice: 35_000 })
    expect(booked.nextPlan).toMatchObject({ net: 35_000 })
  })
})

describe('someone who started paying before', () => {
  test('keeps the price until that attempt closes, however often the page is opened', async () => {
    await set(35_000, '2027-01-01')
    forwardTo('2026-12-31T23:50:00.000Z')
    const { call, response } = await beginJoin(world.call, { ...sam, tierPrice: 25_000 })
    forwardTo('2027-01-01T00:10:00.000Z')
    for (const tierPrice of [25_000, 35_000]) {
      const again = (await beginJoin(call, { ...sam, tierPrice })).response
      expect(again).toMatchObject({ subscriptionId: response.subscriptionId, net: 25_000, total: 30_000 })
    }
    const other = await readError(await call('/api/create-subscription', { body: { ...sam, tierPrice: 24_000 } }))
    expect(other.code).toBe('price_changed')
    await world.pay(response.clientSecret)
    await world.sandbox.settle()
    expect((await billingOf(call)).plan).toMatchObject({ net: 25_000 })
    expect(await providerInvoices(world)).toEqual(['paid 30000'])
  })

  test('pays the new one once it has closed, and so does someone who left it for another tier', {
    tags: ['full'],
  }, async () => {
    await set(35_000, '2027-01-01')
    forwardTo('2026-12-31T23:50:00.000Z')
    const { call } = await beginJoin(world.call, { ...sam, tierPrice: 25_000 })
    forwardTo('2027-01-01T00:10:00.000Z')
    await beginJoin(call, { ...sam, tierSlug: 'lite', tierPrice: 12_500 })
    const old = await readError(await call('/api/create-subscription', { body: { ...sam, tierPrice: 25_000 } }))
    expect(old.code).toBe('price_changed')
    expect((await beginJoin(call, { ...sam, tierPrice: 35_000 })).response.net).toBe(35_000)
  })

  test('by a link for delayed billing keeps it too', async () => {
    await set(35_000, '2027-01-01')
    forwardTo('2026-12-31T23:50:00.000Z')
    const { carried } = await linkTo(world, { email: sam.email, name: sam.name, lastPayment: '2026-12-20' })
    const first = (await beginDelayed(world, carried)).response
    forwardTo('2027-01-01T00:10:00.000Z')
    const again = (await beginDelayed(world, carried)).response
    expect([first.net, again.net, again.subscriptionId]).toEqual([25_000, 25_000, first.subscriptionId])
  })
})

describe('one price can wait', () => {
  test('it is taken back before its day, once, and not after', async () => {
    await set(35_000, '2027-01-01')
    expect((await readError(await cancel(36_000, '2027-01-01'))).code).toBe('price_changed')
    for (const _ of [1, 2]) expect(await (await cancel(35_000, '2027-01-01')).json()).toMatchObject({ nextPrice: null })
    expect(audited()).toEqual([
      ['tier.price', { tier: 'standard', from: 25_000, to: 35_000, on: '2027-01-01', told: 0 }],
      ['tier.price_cancelled', { tier: 'standard', from: 25_000, to: 35_000, on: '2027-01-01' }],
    ])
    const never = await readError(await cancel(36_000, '2027-01-01'))
    expect([never.status, never.message]).toEqual([404, 'Alliance has no price waiting.'])
    await set(35_000, '2027-01-01')
    forwardTo('2027-01-01T00:00:00.000Z')
    expect(await readError(await cancel(35_000, '2027-01-01'))).toMatchObject({ status: 409, code: 'conflict' })
    expect(await publicPrice()).toBe(35_000)
  })

  test('another takes its place, which the preview says first; one from now leaves it waiting', async () => {
    await set(35_000, '2027-01-01')
    const first = { price: 35_000, from: '2027-01-01' }
    const shown = await preview(36_000, '2027-02-01')
    expect(shown).toMatchObject({ nextPrice: first, replacesNext: true })
    expect((await preview(30_000)).replacesNext).toBe(false)
    expect((await set(30_000)).tier).toMatchObject({ price: 30_000, nextPrice: first })
    // What was shown is no longer so.
    const { confirmation } = shown
    expect((await readError(await post(36_000, { from: '2027-02-01', confirmation }))).code).toBe('price_changed')
    expect((await set(36_000, '2027-02-01')).tier.nextPrice).toEqual({ price: 36_000, from: '2027-02-01' })
    expect((await set(36_000)).tier).toMatchObject({ price: 36_000, nextPrice: null })
  })

  test('sent twice it is done once; a preview from before midnight is not carried out after', async () => {
    const { confirmation } = await preview(35_000, '2027-01-01')
    for (const _ of [1, 2]) expect((await post(35_000, { from: '2027-01-01', confirmation })).status).toBe(200)
    expect(await tierRow()).toMatchObject({ version: 2 })
    forwardTo('2026-12-31T23:59:00.000Z')
    const { confirmation: late } = await preview(40_000)
    forwardTo('2027-01-01T00:00:00.000Z')
    expect((await readError(await post(40_000, { confirmation: late }))).code).toBe('price_changed')
    // The next change writes down what has started.
    expect((await set(41_000, '2027-03-01')).tier).toMatchObject({ price: 35_000 })
    const row = world.ctx.sqlite
      .prepare(`select net as price from tier_prices where every = 'month' and tierSlug = 'standard'`)
      .pluck()
      .get()
    expect(row).toBe(35_000)
  })

  test('needs a day to come and another price, each said at its field', async () => {
    for (const from of ['2026-12-20', '2026-12-19']) {
      expect(await readError(await ask(35_000, from))).toMatchObject({
        status: 422,
        fields: { from: 'Choose a day after today.' },
      })
    }
    expect(await readError(await ask(25_000, '2027-01-01'))).toMatchObject({
      status: 422,
      fields: { price: expect.any(String) },
    })
    expect((await readError(await ask(35_000, '2026-02-30'))).fields).toHaveProperty('from')
  })
})
