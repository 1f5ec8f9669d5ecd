import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createCatalogue, createWorld } from '#api/sandbox/testing/world.ts'

test('a product has pictures, features, a label, an id of its own and a default price', async () => {
  const { stripe } = await createWorld()
  const product = await stripe.products.create({
    id: 'prod_own',
    name: 'XL',
    images: ['https://site.test/xl.png'],
    marketing_features: [{ name: 'Calls' }],
    unit_label: 'seat',
    shippable: false,
    default_price_data: { currency: 'gbp', unit_amount: 500, recurring: { interval: 'month' } },
    expand: ['default_price'],
  })
  expect(product).toMatchObject({
    id: 'prod_own',
    images: ['https://site.test/xl.png'],
    marketing_features: [{ name: 'Calls' }],
    unit_label: 'seat',
    default_price: { unit_amount: 500, product: 'prod_own' },
  })
  await expect(stripe.products.create({ id: 'prod_own', name: 'M' })).rejects.toMatchObject({
    code: 'resource_already_exists',
  })
  const other = await stripe.prices.create({ currency: 'gbp', unit_amount: 1, product_data: { name: 'S' } })
  await expect(stripe.products.update('prod_own', { default_price: other.id })).rejects.toMatchObject({
    param: 'default_price',
  })
  expect((await stripe.products.update('prod_own', { unit_label: '' })).unit_label).toBeNull()
})

test('a price may be given in decimals, as long as they are whole pence', async () => {
  const { stripe } = await createWorld()
  const made = (text: string) =>
    stripe.prices.create({
      currency: 'gbp',
      product_data: { name: 'S' },
      unit_amount_decimal: Stripe.Decimal.from(text),
    })
  expect((await made('1250')).unit_amount).toBe(1_250)
  await expect(made('12.5')).rejects.toMatchObject({ param: 'unit_amount_decimal', statusCode: 400 })
})

test('a tax rate is at most 100 per cent', async () => {
  const { stripe } = await createWorld()
  const rate = { display_name: 'VAT', inclusive: false }
  await expect(stripe.taxRates.create({ ...rate, percentage: 120 })).rejects.toMatchObject({ param: 'percentage' })
  expect((await stripe.taxRates.create({ ...rate, percentage: 20, state: 'Kent' })).state).toBe('Kent')
})

test('prices are found by lookup key, which moves only when transferred', async () => {
  const world = await createWorld()
  const { price } = await createCatalogue(world)
  const found = await world.stripe.prices.list({ lookup_keys: ['xl-45000', 'none'], active: true })
  expect(found.data.map(({ id }) => id)).toEqual([price.id])
  expect(price.unit_amount_decimal?.toString()).toBe('45000')
  const again = { currency: 'gbp', product: String(price.product), unit_amount: 1, lookup_key: 'xl-45000' }
  await expect(world.stripe.prices.create(again)).rejects.toMatchObject({ param: 'lookup_key' })
  const next = await world.stripe.prices.create({ ...again, transfer_lookup_key: true })
  expect((await world.stripe.prices.retrieve(price.id)).lookup_key).toBeNull()
  await world.stripe.prices.update(next.id, { active: false })
  expect((await world.stripe.prices.list({ active: true, product: String(price.product) })).data).toHaveLength(3)
})
