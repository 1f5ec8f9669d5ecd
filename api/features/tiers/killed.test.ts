// @module-tag full
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sam } from '#api/testing/joining.ts'
import { askAndDie, copyFolder, startAgainOn } from '#api/testing/killed-servers.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, toRequest } from '#api/testing/world.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'

let root = ''
let world: PaymentWorld
let owner: Call & { cookie: string }
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-killed-'))
})
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())
afterAll(() => rmSync(root, { recursive: true, force: true }))

const path = '/api/admin/tiers/standard/price'
const keyed = async (key: string) => (await world.ctx.stripe.prices.list({ lookup_keys: [key] })).data
const pricesAtStripe = async () => (await world.ctx.stripe.prices.list({ limit: 100 })).data.length

async function changeOf(call: Call, every: PricePeriod, price: number) {
  const { confirmation } = await (await call(`${path}?every=${every}&price=${price}`)).json()
  return { every, price, movesMembers: false, confirmation }
}

const rows = (ctx: PaymentWorld['ctx']) =>
  ctx.sqlite.prepare(`select every, net, stripePriceId, isOffered from tier_prices where tierSlug = 'standard'`).all()

// Steps 1 and 2 are before and after Stripe’s product, 3 before its price, 4 after it and before our row.
test.each([
  ['month', 'standard_27500', 27_500, 2],
  ['month', 'standard_27500', 27_500, 4],
  ['year', 'standard_year_250000', 250_000, 1],
  ['year', 'standard_year_250000', 250_000, 3],
  ['year', 'standard_year_250000', 250_000, 4],
] as const)('killed while setting a price by the %s (%s), the same again finds Stripe’s price', async (...given) => {
  const [every, key, price, at] = given
  const dataDir = copyFolder(world, join(root, `${every}-${at}`))
  const headers = { cookie: owner.cookie }
  const body = await changeOf(owner, every, price)
  const before = rows(world.ctx)
  const sent = (url: string) => toRequest(path, { body, headers }, url)
  expect(await askAndDie(world, dataDir, sent, { at, counts: 'writes' })).toBeNull()
  expect(await pricesAtStripe()).toBe(at === 4 ? 1 : 0)
  const { ctx, call, stop } = startAgainOn(world, dataDir)
  expect(rows(ctx)).toEqual(before)
  const again = { body: await changeOf((to) => call(to, { headers }), every, price), headers }
  for (const _twice of [1, 2]) expect((await call(path, again)).status).toBe(200)
  const made = await keyed(key)
  const products = (await world.ctx.stripe.products.list()).data.length
  expect([made.length, await pricesAtStripe(), products]).toEqual([1, 1, 1])
  expect(rows(ctx)).toContainEqual({ every, net: price, stripePriceId: made[0]?.id, isOffered: 1 })
  stop()
})

// A customer, a product, a price, a rate of VAT and a subscription: each is asked of Stripe once.
test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'a new tier’s first sale, killed at step %i of what’s made at Stripe, ends with one of each',
  async (at) => {
    const tier = { name: 'Crew', description: 'For firms of five', features: ['Videos'] }
    const added = await owner('/api/admin/tiers', { body: { ...tier, prices: [{ every: 'year', net: 199_000 }] } })
    const { slug, prices } = await added.json()
    const { cookie } = world.signIn(world.addUser({ email: sam.email }))
    const sale = { body: { ...sam, tierSlug: slug, priceId: prices[0].id }, headers: { cookie } }
    const dataDir = copyFolder(world, join(root, `sold-${at}`))
    const sent = (url: string) => toRequest('/api/create-subscription', sale, url)
    expect(await askAndDie(world, dataDir, sent, { at, counts: 'writes' })).toBeNull()
    const { call, stop } = startAgainOn(world, dataDir)
    for (const _twice of [1, 2]) expect((await call('/api/create-subscription', sale)).status).toBe(200)
    const { customers, products, subscriptions, taxRates } = world.ctx.stripe
    const made = await Promise.all([
      customers.list(),
      products.list(),
      subscriptions.list({ status: 'all' }),
      taxRates.list(),
    ])
    expect([await pricesAtStripe(), ...made.map(({ data }) => data.length)]).toEqual([1, 1, 1, 1, 1])
    stop()
  },
)
