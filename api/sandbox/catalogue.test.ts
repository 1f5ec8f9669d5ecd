import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createWorld } from '#api/sandbox/testing/world.ts'

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
