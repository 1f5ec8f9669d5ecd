import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createWorld, typesOf } from '#api/sandbox/testing/world.ts'

const secondsPerDay = 86_400

async function start() {
  const world = await createWorld()
  const { stripe } = world
  const customer = await stripe.customers.create({
    invoice_settings: { footer: 'Thank you', custom_fields: [{ name: 'PO', value: '7' }] },
  })
  const product = await stripe.products.create({ name: 'Day' })
  return { world, stripe, customer: customer.id, product: product.id }
}

test('an item costs an amount, one each times its quantity, or a price made for it', async () => {
  const { stripe, customer, product } = await start()
  const { id: invoice } = await stripe.invoices.create({ customer })
  const period = { start: 1_800_000_000, end: 1_800_086_400 }
  const each = await stripe.invoiceItems.create({
    customer,
    invoice,
    unit_amount_decimal: Stripe.Decimal.from('250'),
    quantity: 2,
    period,
    discountable: false,
  })
  expect(each).toMatchObject({ amount: 500, quantity: 2, period, discountable: false })
  expect((await stripe.invoiceItems.update(each.id, { quantity: 3 })).amount).toBe(750)
  const made = await stripe.invoiceItems.create({
    customer,
    invoice,
    price_data: { currency: 'gbp', product, unit_amount: 100 },
    quantity: 4,
  })
  expect(made).toMatchObject({ amount: 400, quantity: 4 })
  const price = await stripe.prices.retrieve(made.pricing?.price_details?.price.toString() ?? '')
  expect(price).toMatchObject({ active: false, unit_amount: 100, product })
  expect((await stripe.invoices.retrieve(invoice)).total).toBe(1_150)
})

test('a subscription can have a price of its own, which must recur', async () => {
  const { stripe, product } = await start()
  const customer = await stripe.customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const price_data = { currency: 'gbp', product, unit_amount: 1_234, recurring: { interval: 'month' as const } }
  const made = await stripe.subscriptions.create({ customer: customer.id, items: [{ price_data }] })
  expect(made).toMatchObject({ status: 'active', items: { data: [{ price: { unit_amount: 1_234, active: false } }] } })
  const { recurring: _recurring, ...once } = price_data
  const refused = stripe.rawRequest('POST', '/v1/subscriptions', {
    customer: customer.id,
    items: [{ price_data: once }],
  })
  await expect(refused).rejects.toMatchObject({ param: 'items[0][price_data][recurring]' })
})

test('what the customer wants printed is on each invoice, unless it says otherwise', async () => {
  const { stripe, customer } = await start()
  expect(await stripe.invoices.create({ customer })).toMatchObject({
    footer: 'Thank you',
    custom_fields: [{ name: 'PO', value: '7' }],
  })
  const own = await stripe.invoices.create({ customer, footer: 'Bye', custom_fields: '' })
  expect([own.footer, own.custom_fields]).toEqual(['Bye', null])
  const numbered = await stripe.invoices.create({ customer, number: 'X-7', effective_at: 1_800_000_000 })
  expect(await stripe.invoices.finalizeInvoice(numbered.id)).toMatchObject({
    number: 'X-7',
    effective_at: 1_800_000_000,
  })
})

test('an invoice that is sent has a day it is due, and nobody charges it', async () => {
  const { world, stripe, customer } = await start()
  const sent = { customer, collection_method: 'send_invoice' as const }
  await expect(stripe.invoices.create(sent)).rejects.toMatchObject({ param: 'days_until_due' })
  await expect(stripe.invoices.create({ customer, days_until_due: 3 })).rejects.toMatchObject({
    param: 'days_until_due',
  })
  const draft = await stripe.invoices.create({ ...sent, days_until_due: 30, auto_advance: true })
  expect(draft.due_date).toBe(draft.created + 30 * secondsPerDay)
  await stripe.invoiceItems.create({ customer, invoice: draft.id, amount: 500 })
  const open = await stripe.invoices.sendInvoice(draft.id)
  expect(open).toMatchObject({ status: 'open', amount_due: 500, attempted: false })
  await world.sandbox.settle()
  expect(typesOf(world.events)).toContain('invoice.sent')
  expect((await stripe.invoices.pay(draft.id, { payment_method: 'pm_card_visa' })).status).toBe('paid')
  const charged = await stripe.invoices.create({ customer })
  await expect(stripe.invoices.sendInvoice(charged.id)).rejects.toMatchObject({ statusCode: 400 })
})

test('other default rates of a draft are those of its lines that have none of their own', async () => {
  const { stripe, customer } = await start()
  const rate = (percentage: number) => stripe.taxRates.create({ display_name: 'VAT', inclusive: false, percentage })
  const [vat, half] = [await rate(20), await rate(10)]
  const { id: invoice } = await stripe.invoices.create({ customer, default_tax_rates: [half.id] })
  await stripe.invoiceItems.create({ customer, invoice, amount: 1_000 })
  await stripe.invoiceItems.create({ customer, invoice, amount: 1_000, tax_rates: [half.id] })
  expect((await stripe.invoices.retrieve(invoice)).total).toBe(2_200)
  expect((await stripe.invoices.update(invoice, { default_tax_rates: [vat.id] })).total).toBe(2_300)
})

test('what was paid elsewhere is not asked for again: its PaymentIntent is cancelled', async () => {
  const { stripe, customer } = await start()
  const { id } = await stripe.invoices.create({ customer })
  await stripe.invoiceItems.create({ customer, invoice: id, amount: 500 })
  await stripe.invoices.finalizeInvoice(id)
  await stripe.invoices.pay(id, { paid_out_of_band: true })
  const [payment] = (await stripe.invoicePayments.list({ invoice: id })).data
  expect(payment).toMatchObject({ status: 'canceled', amount_paid: null })
  const intent = await stripe.paymentIntents.retrieve(String(payment?.payment.payment_intent))
  expect(intent).toMatchObject({ status: 'canceled', cancellation_reason: 'automatic' })
})
