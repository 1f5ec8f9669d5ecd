import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { becomeMember, sellAtProvider } from '#api/testing/billing.ts'
import { countRows, onlyCustomer } from '#api/testing/joining.ts'
import { issuedNotes } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

// Within another object Stripe lists ten at most.
const many = 12

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

test('INV-3 an invoice is read with all its payments: the refund of an early one gets its credit note', async () => {
  await becomeMember(world)
  const { stripe } = world.ctx
  const [invoice] = (await stripe.invoices.list({ customer: onlyCustomer(world) })).data
  await world.control('payments', { invoice: invoice?.id ?? '', times: many })
  const [charge] = (await stripe.charges.list({ customer: onlyCustomer(world) })).data
  await stripe.refunds.create({ charge: charge?.id ?? '', amount: 5_000 })
  await world.sandbox.settle()
  expect(issuedNotes(world).map(({ gross }) => gross)).toEqual([5_000])
  expect(world.ctx.sqlite.prepare('select paidBy from provider_invoices').all()).toEqual([{ paidBy: 'card' }])
})

test('a charge refunded many times is read with all of them', { tags: ['full'] }, async () => {
  await becomeMember(world)
  const { stripe } = world.ctx
  const [charge] = (await stripe.charges.list({ customer: onlyCustomer(world) })).data
  for (let times = many; times > 0; times -= 1) {
    await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 })
  }
  await world.sandbox.settle()
  expect(issuedNotes(world)).toHaveLength(many)
})

test('with the tier behind many add-ons, an unknown membership is reported, and an ended one’s payment', async () => {
  const { stripe } = world.ctx
  const { items } = await sellAtProvider(world, 'first@example.com')
  const product = await stripe.products.create({ name: 'Text messages' })
  const addOns = Array.from({ length: many }, () =>
    stripe.prices.create({
      product: product.id,
      currency: 'gbp',
      unit_amount: 100,
      recurring: { interval: 'month' },
    }),
  )
  const prices = [...(await Promise.all(addOns)).map(({ id }) => id), items.data[0]?.price.id ?? '']
  const sale = { items: prices.map((price) => ({ price })) }
  await sellAtProvider(world, 'second@example.com', sale)
  const { id } = await sellAtProvider(world, 'third@example.com', sale)
  await stripe.subscriptions.cancel(id)
  await runJob(world.ctx, 'reconcile')
  const reports = (action: string) => countRows(world, 'audit_entries', `action = '${action}'`)
  expect([reports('customer.unknown'), reports('payment.unknown')]).toEqual([2, 1])
})
