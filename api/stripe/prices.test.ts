import type Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acted, becomeMember } from '#api/testing/billing.ts'
import { beginJoin, billingOf, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { tierSeeds } from '#data/seed/tiers.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const standard = {
  currency: 'gbp',
  unit_amount: 25_000,
  recurring: { interval: 'month' },
  tax_behavior: 'exclusive',
  lookup_key: 'standard_25000',
  metadata: { tier: 'standard' },
  product_data: { name: 'Somebody else’s' },
} as const

const holder = async () => (await world.ctx.stripe.prices.list({ lookup_keys: [standard.lookup_key] })).data[0]

/** Only FULL runs try all of them. Each differs in one field. */
const foreignPrices = [
  ['another amount', { unit_amount: 100 }],
  ['another currency', { currency: 'eur' }],
  ['a year', { recurring: { interval: 'year' as const } }],
  ['three months', { recurring: { interval: 'month' as const, interval_count: 3 } }],
  ['VAT included', { tax_behavior: 'inclusive' as const }],
  ['no tier', { metadata: {} }],
  ['another tier', { metadata: { tier: 'lite' } }],
] as const

test.each(process.env.FULL ? foreignPrices : foreignPrices.slice(0, 3))(
  'a price under the tier’s key that is not the tier’s is not sold: %s',
  { tags: ['full'] },
  async (_name, wrong) => {
    const { id } = await world.ctx.stripe.prices.create({ ...standard, ...wrong })
    const call = await becomeMember(world)
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'standard', total: 30_000 } })
    expect((await world.ctx.stripe.charges.list({})).data.map(({ amount }) => amount)).toEqual([30_000])
    expect((await holder())?.id).not.toBe(id)
  },
)

test.each([true, false])('the price that’s there is the one that’s sold, active before: %s', async (active) => {
  const { id } = await world.ctx.stripe.prices.create({ ...standard, active })
  await becomeMember(world)
  expect((await world.ctx.stripe.subscriptions.list({})).data[0]?.items.data[0]?.price.id).toBe(id)
  expect((await holder())?.active).toBe(true)
})

async function archivePrice(price: Stripe.Price | undefined) {
  await world.ctx.stripe.prices.update(price?.id ?? '', { active: false })
}
async function archiveProduct(price: Stripe.Price | undefined) {
  await world.ctx.stripe.products.update(String(price?.product), { active: false })
}

test('a price of a product that was archived is not sold either', { tags: ['full'] }, async () => {
  const price = await world.ctx.stripe.prices.create(standard)
  await archiveProduct(price)
  await becomeMember(world)
  expect((await world.ctx.stripe.subscriptions.list({})).data[0]?.items.data[0]?.price.id).not.toBe(price.id)
})

test.each([
  ['price', archivePrice],
  ['product', archiveProduct],
])(
  'a %s that was archived in the dashboard while the server ran keeps nobody from joining',
  { tags: ['full'] },
  async (_what, archive) => {
    await beginJoin(world.call)
    for (const email of ['one@example.com', 'two@example.com']) {
      await archive(await holder())
      const call = world.signIn(world.addUser({ email }))
      const { response } = await beginJoin(call, { ...sam, email })
      expect((await world.pay(response.clientSecret)).status).toBe(200)
      await world.sandbox.settle()
      expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'standard', total: 30_000 } })
    }
    expect((await world.ctx.stripe.subscriptions.list({ status: 'active' })).data).toHaveLength(2)
  },
)

test.each([
  ['price', archivePrice],
  ['product', archiveProduct],
])('nor from changing to it: an archived %s', { tags: ['full'] }, async (_what, archive) => {
  const call = await becomeMember(world)
  const other = await becomeMember(world, undefined, { ...sam, email: 'other@example.com' })
  const { slug, price } = tierSeeds.find((tier) => tier.slug === 'xl') ?? { slug: 'xl', price: 0 }
  await acted(call, '/api/billing/change-tier', { tierSlug: slug })
  const [found] = (await world.ctx.stripe.prices.list({ lookup_keys: [`${slug}_${price}`] })).data
  await archive(found)
  // The member's current price may be archived too: only the next one has to be on sale.
  await archive(await holder())
  await acted(other, '/api/billing/change-tier', { tierSlug: slug })
})
