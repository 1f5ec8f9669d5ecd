// @module-tag full
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribe,
  subscribeAndPay,
  typesOf,
} from '#api/sandbox/testing/world.ts'

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

test('an item costs an amount, a unit amount times its quantity, or a price created for it', async () => {
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

test('a subscription can have a price of its own, which must be recurring', async () => {
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

test("the customer's printed fields are on each invoice that has none of its own", async () => {
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

test('an invoice that is sent has a due date, and is not charged', async () => {
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

test('new default tax rates of a draft apply to its lines without rates of their own', async () => {
  const { stripe, customer } = await start()
  const rate = (percentage: number) => stripe.taxRates.create({ display_name: 'VAT', inclusive: false, percentage })
  const [vat, half] = [await rate(20), await rate(10)]
  const { id: invoice } = await stripe.invoices.create({ customer, default_tax_rates: [half.id] })
  await stripe.invoiceItems.create({ customer, invoice, amount: 1_000 })
  await stripe.invoiceItems.create({ customer, invoice, amount: 1_000, tax_rates: [half.id] })
  expect((await stripe.invoices.retrieve(invoice)).total).toBe(2_200)
  expect((await stripe.invoices.update(invoice, { default_tax_rates: [vat.id] })).total).toBe(2_300)
})

test('paying an invoice out of band cancels its PaymentIntent', async () => {
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

test('a charge can be refunded in part, and then the rest', async () => {
  const world = await createWorld()
  const { intent } = await subscribeAndPay(world, await createCatalogue(world))
  const part = await world.stripe.refunds.create({ payment_intent: intent, amount: 10_000 })
  expect(part).toMatchObject({ amount: 10_000, status: 'succeeded' })
  await expect(world.stripe.refunds.create({ payment_intent: intent, amount: 50_000 })).rejects.toMatchObject({
    param: 'amount',
  })
  await world.stripe.refunds.create({ payment_intent: intent, reason: 'requested_by_customer' })
  const [charge] = (await world.stripe.charges.list({ payment_intent: intent, expand: ['data.refunds'] })).data
  expect(charge).toMatchObject({ amount_refunded: 54_000, refunded: true })
  expect(charge?.refunds?.data.map(({ amount }) => amount)).toEqual([44_000, 10_000])
  await expect(world.stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  })
  await world.sandbox.settle()
  expect(typesOf(world.events).filter((type) => type === 'charge.refunded')).toHaveLength(2)
})

test('VAT is rounded half up on each line', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const vat = await stripe.taxRates.create({ display_name: 'VAT', inclusive: false, percentage: 17.5 })
  const within = await stripe.taxRates.create({ display_name: 'VAT', inclusive: true, percentage: 20 })
  const draft = await stripe.invoices.create({ customer: customer.id, default_tax_rates: [vat.id] })
  expect(draft).toMatchObject({ status: 'draft', number: null })
  for (const amount of [10, 11, 1]) {
    await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount, description: 'x' })
  }
  await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 120, tax_rates: [within.id] })
  const open = await stripe.invoices.finalizeInvoice(draft.id)
  expect(open.lines.data.map(({ taxes }) => taxes?.[0]?.amount)).toEqual([2, 2, 0, 20])
  expect(open).toMatchObject({ status: 'open', subtotal: 142, total: 146, total_excluding_tax: 122 })
  expect(open.total_taxes?.map(({ amount }) => amount)).toEqual([4, 20])
  await expect(stripe.invoices.del(draft.id)).rejects.toMatchObject({ statusCode: 400 })
})

test('invoices can be paid, paid out of band, marked uncollectible and deleted', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const make = async () => {
    const draft = await stripe.invoices.create({ customer: customer.id })
    await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 5_000 })
    return draft.id
  }
  await expect(stripe.invoices.pay(await make())).rejects.toMatchObject({ param: 'payment_method' })
  const declined = stripe.invoices.pay(await make(), { payment_method: 'pm_card_chargeDeclined' })
  await expect(declined).rejects.toMatchObject({ code: 'card_declined', statusCode: 402 })
  const paid = await stripe.invoices.pay(await make(), { payment_method: 'pm_card_visa', expand: ['payments'] })
  expect(paid).toMatchObject({ status: 'paid', payments: { data: [{ status: 'paid', amount_paid: 5_000 }] } })
  await expect(stripe.invoices.pay(paid.id)).rejects.toMatchObject({
    message: 'Invoice is already paid',
    code: undefined,
  })
  const outside = await stripe.invoices.pay(await make(), { paid_out_of_band: true })
  expect(outside).toMatchObject({ status: 'paid', amount_paid_off_stripe: 5_000 })
  const id = await make()
  await stripe.invoices.finalizeInvoice(id)
  expect((await stripe.invoices.markUncollectible(id)).status).toBe('uncollectible')
  expect(await stripe.invoices.del(await make())).toMatchObject({ deleted: true })
  const records = await fetch((await stripe.invoices.retrieve(paid.id)).hosted_invoice_url ?? '')
  expect(await records.text()).toContain('£50.00')
})

test('credit notes refund a paid invoice, and lower an open one', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue)
  const invoice = invoiceOf(subscription)
  const line = { type: 'invoice_line_item' as const, invoice_line_item: invoice.lines.data[0]?.id ?? '' }
  await expect(
    world.stripe.creditNotes.create({ invoice: invoice.id, lines: [{ ...line, amount: 45_000 }] }),
  ).rejects.toMatchObject({ statusCode: 400 })
  const note = await world.stripe.creditNotes.create({
    invoice: invoice.id,
    lines: [{ ...line, amount: 10_000 }],
    refund_amount: 12_000,
  })
  expect(note).toMatchObject({ total: 12_000, subtotal: 10_000, type: 'post_payment', status: 'issued' })
  expect(note.total_taxes?.[0]?.amount).toBe(2_000)
  const other = await subscribeAndPay(world, catalogue)
  const foreign = await world.stripe.refunds.create({ payment_intent: other.intent, amount: 100 })
  await expect(
    world.stripe.creditNotes.create({ invoice: invoice.id, amount: 100, refunds: [{ refund: foreign.id }] }),
  ).rejects.toMatchObject({ param: 'refunds[0][refund]' })
  const rest = await world.stripe.creditNotes.create({
    invoice: invoice.id,
    amount: 42_000,
    out_of_band_amount: 42_000,
  })
  expect(rest).toMatchObject({ total: 42_000, total_excluding_tax: 35_000 })
  expect((await world.stripe.creditNotes.list({ invoice: invoice.id })).data).toHaveLength(2)
  expect((await world.stripe.invoices.retrieve(invoice.id)).post_payment_credit_notes_amount).toBe(54_000)
  const open = invoiceOf((await subscribe(world, catalogue)).subscription)
  const custom = { type: 'custom_line_item' as const, description: 'Sorry', quantity: 2, unit_amount: 500 }
  const sorry = await world.stripe.creditNotes.create({
    invoice: open.id,
    lines: [{ ...custom, tax_rates: [catalogue.vat.id] }],
  })
  expect(sorry).toMatchObject({
    subtotal: 1_000,
    total: 1_200,
    lines: { data: [{ description: 'Sorry', quantity: 2 }] },
  })
  await world.stripe.creditNotes.voidCreditNote(sorry.id)
  await world.stripe.creditNotes.create({ invoice: open.id, amount: 4_000 })
  expect(await world.stripe.invoices.retrieve(open.id)).toMatchObject({ amount_due: 50_000, status: 'open' })
})

test('a credit note of an open invoice can be voided, one of a paid invoice cannot', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { stripe } = world
  const open = invoiceOf((await subscribe(world, catalogue)).subscription)
  const note = await stripe.creditNotes.create({ invoice: open.id, amount: 4_000 })
  expect(await stripe.creditNotes.update(note.id, { memo: 'Sorry' })).toMatchObject({ memo: 'Sorry' })
  expect(await stripe.creditNotes.voidCreditNote(note.id)).toMatchObject({ status: 'void' })
  expect(await stripe.invoices.retrieve(open.id)).toMatchObject({
    amount_due: 54_000,
    pre_payment_credit_notes_amount: 0,
  })
  await expect(stripe.creditNotes.voidCreditNote(note.id)).rejects.toMatchObject({ statusCode: 400 })
  const paid = invoiceOf((await subscribeAndPay(world, catalogue)).subscription)
  const final = await stripe.creditNotes.create({ invoice: paid.id, amount: 100, out_of_band_amount: 100 })
  await expect(stripe.creditNotes.voidCreditNote(final.id)).rejects.toThrow('open invoices')
  await world.sandbox.settle()
  expect(typesOf(world.events)).toContain('credit_note.voided')
})

test('the items of a draft can be changed and deleted', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const vat = await stripe.taxRates.create({ display_name: 'VAT', inclusive: false, percentage: 20 })
  const draft = await stripe.invoices.create({ customer: customer.id, default_tax_rates: [vat.id] })
  const add = (amount: number) => stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount })
  const [first, second] = [await add(1_000), await add(500)]
  await stripe.invoiceItems.update(first.id, { amount: 2_000, description: 'Twice' })
  const changed = await stripe.invoices.retrieve(draft.id)
  expect(changed).toMatchObject({ subtotal: 2_500, total: 3_000 })
  expect(changed.lines.data[0]).toMatchObject({ description: 'Twice', amount: 2_000 })
  expect(await stripe.invoiceItems.del(second.id)).toMatchObject({ deleted: true })
  expect((await stripe.invoices.finalizeInvoice(draft.id)).total).toBe(2_400)
  await expect(stripe.invoiceItems.update(first.id, { amount: 1 })).rejects.toMatchObject({
    code: 'invoice_not_editable',
  })
  await expect(stripe.invoiceItems.del(first.id)).rejects.toMatchObject({ code: 'invoice_not_editable' })
})

test('an item without an invoice is billed with the next one', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { subscription, customer } = await subscribeAndPay(world, await createCatalogue(world))
  const wait = (amount: number) => stripe.invoiceItems.create({ customer: customer.id, amount, currency: 'gbp' })
  const first = await wait(1_000)
  expect((await stripe.invoiceItems.update(first.id, { amount: 2_000 })).invoice).toBeNull()
  const deletedItem = await wait(7)
  await stripe.invoiceItems.del(deletedItem.id)
  expect((await stripe.invoiceItems.list({ customer: customer.id, pending: true })).data).toHaveLength(1)
  const apart = await stripe.invoices.create({ customer: customer.id })
  expect(apart.lines.data).toEqual([])
  const own = await stripe.invoices.create({ customer: customer.id, pending_invoice_items_behavior: 'include' })
  expect(own).toMatchObject({ subtotal: 2_000, lines: { data: [{ amount: 2_000 }] } })
  await wait(500)
  await world.advanceDays(28)
  const [renewal] = (await stripe.invoices.list({ subscription: subscription.id })).data
  expect(renewal?.lines.data.map(({ amount }) => amount)).toEqual([500, 45_000])
  expect(renewal).toMatchObject({ total: 54_600, status: 'paid' })
  const other = await stripe.customers.create()
  await expect(stripe.invoiceItems.create({ customer: other.id, invoice: apart.id, amount: 5 })).rejects.toMatchObject({
    param: 'customer',
  })
})
