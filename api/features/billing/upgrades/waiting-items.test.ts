import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { act, acted, personCalled, sellAtProvider } from '#api/testing/billing.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { UpgradePreview } from '#shared/contract/upgrade.ts'

let world: PaymentWorld
beforeEach(async () => {
  // In a month of 28 days, half a month is 14.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
})
afterEach(() => world.stop())

const rateOf = async (percentage: number) =>
  (await world.ctx.stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive: false, country: 'GB' })).id

/** A member halfway through a month that an owner sold in the dashboard. */
async function halfway(type: 'classic' | 'flexible', rate = 20): Promise<Call> {
  const { ctx } = world
  const person = world.addMember({ email: sam.email })
  const { id: customer } = await ctx.stripe.customers.create({ email: sam.email, metadata: { userId: person.id } })
  ctx.sqlite.prepare('update customers set stripeCustomerId = ? where userId = ?').run(customer, person.id)
  await sellAtProvider(world, sam.email, {
    customer,
    billing_mode: { type },
    ...(rate === 20 ? {} : { default_tax_rates: [await rateOf(rate)] }),
  })
  await world.advance(14)
  return world.signIn(personCalled(world, sam.email))
}

/** What waits for the next invoice: two printed books. */
const sellBooks = async () =>
  world.ctx.stripe.invoiceItems.create({
    customer: onlyCustomer(world),
    currency: 'gbp',
    amount: 4_000,
    description: 'Two books',
    tax_rates: [await rateOf(0)],
  })

const preview = async (call: Call) =>
  v.parse(UpgradePreview, await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' }))

const charged = async () =>
  (await world.ctx.stripe.charges.list({ customer: onlyCustomer(world) })).data.map(({ amount }) => amount)

const [half, halfOfXl] = [
  { net: 12_500, vat: 2_500, total: 15_000 },
  { net: 22_500, vat: 4_500, total: 27_000 },
]

test('where Stripe would take waiting items straight away, nothing starts today: a declined card would lose that', async () => {
  const call = await halfway('classic')
  await sellBooks()
  expect(await readError(await act(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' }))).toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'There’s something else on your next payment. You can change your tier with your next payment.',
  })
  await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  await world.advance(14)
  expect(await charged()).toEqual([58_000, 30_000])
})

test('nor where it began to wait since the price was shown', { tags: ['full'] }, async () => {
  const call = await halfway('classic')
  const { attemptId } = await preview(call)
  await sellBooks()
  expect(await readError(await act(call, '/api/billing/upgrade', { attemptId }))).toMatchObject({
    code: 'price_changed',
  })
  expect(await charged()).toEqual([30_000])
})

test('where Stripe leaves what waits, it comes with the next payment', { tags: ['full'] }, async () => {
  const call = await halfway('flexible')
  await sellBooks()
  const { attemptId, ...told } = await preview(call)
  expect(told).toMatchObject({ charge: halfOfXl, credit: half, vatRate: 20, total: 12_000 })
  expect(told.nextBill).toMatchObject({ total: 58_000, due: 58_000 })
  await acted(call, '/api/billing/upgrade', { attemptId })
  await world.advance(14)
  expect(await charged()).toEqual([58_000, 12_000, 30_000])
})

test.each([
  { rate: 5, charge: 23_625, credit: 13_125 },
  { rate: 12.5, charge: 25_313, credit: 14_063 },
])('at $rate% the price is told with that rate', { tags: ['full'] }, async ({ rate, charge, credit }) => {
  expect(await preview(await halfway('flexible', rate))).toMatchObject({
    vatRate: rate,
    charge: { total: charge },
    credit: { total: credit },
    total: charge - credit,
  })
})

test('where no rate is named, the VAT within the price is told, as on the invoice', { tags: ['full'] }, async () => {
  const call = await halfway('flexible')
  const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { default_tax_rates: '' })
  const { attemptId, ...told } = await preview(call)
  expect(told).toMatchObject({ vatRate: 20, charge: { net: 18_750, vat: 3_750, total: 22_500 } })
  await acted(call, '/api/billing/upgrade', { attemptId })
  const { net, vat, total } = told
  expect(issuedInvoices(world).at(-1)).toMatchObject({ net, vat, gross: total })
})
