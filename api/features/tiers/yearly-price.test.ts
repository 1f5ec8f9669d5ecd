import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { sellYear } from '#api/testing/adopting.ts'
import { beginJoin, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import type { AdminTier, PricePreview } from '#shared/contract/admin-tier.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const path = '/api/admin/tiers/standard/price'
const preview = async (price: number): Promise<PricePreview> =>
  (await owner(`${path}?every=year&price=${price}`)).json()
async function set(price: number): Promise<AdminTier> {
  const { confirmation } = await preview(price)
  const body = { every: 'year', price, movesMembers: false, confirmation }
  return (await (await owner(path, { body })).json()).tier
}
const keyed = async (key: string) => (await world.ctx.stripe.prices.list({ lookup_keys: [key] })).data
const yearOf = ({ prices }: AdminTier) => prices.find(({ every }) => every === 'year')

test('a tier gets a price by the year beside the month’s, at a price of its own at Stripe, however often it’s set', async () => {
  expect(await preview(250_000)).toMatchObject({ every: 'year', from: null, to: 250_000, members: [], notes: [] })
  const tier = await set(250_000)
  expect([tier.price, yearOf(tier)]).toMatchObject([25_000, { net: 250_000, isOffered: true, members: 0 }])
  const [made] = await keyed('standard_year_250000')
  expect(made).toMatchObject({ unit_amount: 250_000, recurring: { interval: 'year', interval_count: 1 } })
  await world.ctx.stripe.prices.update(made?.id ?? '', { active: false })
  await set(260_000)
  expect(yearOf(await set(250_000))?.id).toBe(yearOf(tier)?.id)
  expect((await keyed('standard_year_250000')).map(({ id }) => id)).toEqual([made?.id])
  expect((await world.ctx.stripe.prices.list({ limit: 100 })).data).toHaveLength(2)
  expect((await world.ctx.stripe.products.list({})).data).toMatchObject([
    { name: 'Alliance', metadata: { tier: 'standard' } },
  ])
})

test('of two owners who set another price at once, one is asked to look again, and Stripe gets one', async () => {
  const other = world.signIn(world.addOwner())
  const [ours, theirs] = await Promise.all([preview(250_000), preview(240_000)])
  const send = (call: Call, { to: price, confirmation }: PricePreview) =>
    call(path, { body: { every: 'year', price, movesMembers: false, confirmation } })
  const answers = await Promise.all([send(owner, ours), send(other, theirs)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const lost = answers.find(({ status }) => status === 409)
  expect(lost && (await readError(lost)).code).toBe('price_changed')
  expect((await world.ctx.stripe.prices.list({ limit: 100 })).data).toHaveLength(1)
})

test('what looks like a slip is said and allowed', async () => {
  expect((await preview(20_000)).notes).toEqual(['A year costs less than a month.'])
  expect((await preview(400_000)).notes).toEqual(['A year costs more than 12 months.'])
  const { status, fields } = await readError(await owner('/api/admin/tiers/standard/price?price=2000000'))
  expect([status, fields]).toEqual([422, { price: 'Check the price.' }])
})

test('a year that was taken off sale is sold again from the day it’s given, at the price it had', async () => {
  const { version } = await set(250_000)
  const stopped = await owner(`${path}/offer`, { method: 'DELETE', body: { every: 'year', version } })
  expect(yearOf(await stopped.json())).toMatchObject({ isOffered: false })
  const from = addDays(londonDay(world.ctx.billingNow()), 10)
  const { confirmation } = await (await owner(`${path}?every=year&price=250000&from=${from}`)).json()
  const body = { every: 'year', price: 250_000, from, movesMembers: false, confirmation }
  expect((await owner(path, { body })).status).toBe(200)
  const sold = async () => {
    const { tiers } = v.parse(MembershipTierList, await (await world.call('/api/membership-tiers')).json())
    return tiers.find(({ slug }) => slug === 'standard')?.prices.map(({ every }) => every)
  }
  expect(await sold()).toEqual(['month'])
  await world.advance(10)
  expect(await sold()).toEqual(['month', 'year'])
  // The next price to come leaves it on sale.
  owner = world.signIn(world.addOwner())
  const next = addDays(from, 10)
  const asked = await (await owner(`${path}?every=year&price=260000&from=${next}`)).json()
  const later = { every: 'year', price: 260_000, from: next, movesMembers: false, confirmation: asked.confirmation }
  expect((await owner(path, { body: later })).status).toBe(200)
  expect(await sold()).toEqual(['month', 'year'])
})

test('who pays by the year counts with that price, and its new price tells them and nobody who pays by the month', async () => {
  const priceId = yearOf(await set(250_000))?.id ?? ''
  const yearly = { ...sam, priceId }
  const { response } = await beginJoin(world.call, yearly)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const monthly = await beginJoin(world.call, { ...sam, email: 'kim@example.com' })
  await world.pay(monthly.response.clientSecret)
  await world.sandbox.settle()
  const [tier] = (await (await owner('/api/admin/tiers')).json()).filter((one: AdminTier) => one.slug === 'standard')
  expect(tier).toMatchObject({
    members: 2,
    prices: [
      { every: 'month', members: 1 },
      { every: 'year', members: 1 },
    ],
  })
  const { members, mail } = await preview(280_000)
  expect(members).toMatchObject([{ email: sam.email, from: 250_000, to: 280_000, stays: null }])
  expect(mail?.text).toContain('£3,360.00 a year with VAT')
})

test('who has booked a year in place of a month reads in the notice what the booked year was to cost', async () => {
  const { id } = yearOf(await set(250_000)) ?? {}
  const { response, call } = await beginJoin(world.call, sam)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const booking = { tierSlug: 'standard', tierPrice: 250_000, priceId: id }
  expect((await call('/api/billing/change-tier', { body: booking })).status).toBe(200)
  await world.sandbox.settle()
  const { members, mail } = await preview(280_000)
  expect(members).toMatchObject([{ from: 250_000, to: 280_000, stays: null }])
  expect(mail?.text).toContain('£2,500.00 + £500.00 VAT = £3,000.00 a year')
})

test('a tier’s first year counts who paid by the year before, at a price made in Stripe’s dashboard', async () => {
  await sellYear(world, { email: sam.email, tier: 'standard', amount: 200_000 })
  expect(yearOf(await set(250_000))).toMatchObject({ net: 250_000, members: 1 })
  expect(await runJob(world.ctx, 'reconcile', { all: true })).toMatchObject({ report: { mended: 0 } })
})

test('who paid by the year and has ended isn’t counted with a first year that’s sold later', async () => {
  await sellYear(world, { email: sam.email, tier: 'standard', amount: 200_000 })
  const { stripe } = world.ctx
  const [year] = (await stripe.subscriptions.list({})).data
  await stripe.subscriptions.cancel(year?.id ?? '')
  await world.sandbox.settle()
  expect(yearOf(await set(250_000))).toMatchObject({ members: 0 })
  expect(await runJob(world.ctx, 'reconcile', { all: true })).toMatchObject({ report: { mended: 0 } })
})
