import { expect, test } from 'vitest'
import { createCatalogue, createWorld, invoiceOf, join, joinAndPay, typesOf } from '#api/sandbox/testing/world.ts'

test('refunds, a part and then the rest', async () => {
  const world = await createWorld()
  const { intent } = await joinAndPay(world, await createCatalogue(world))
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

test('invoices: paid by hand, outside, written off, deleted', async () => {
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
  await expect(stripe.invoices.pay(paid.id)).rejects.toMatchObject({ code: 'invoice_already_paid' })
  const outside = await stripe.invoices.pay(await make(), { paid_out_of_band: true })
  expect(outside).toMatchObject({ status: 'paid', amount_paid_off_stripe: 5_000 })
  const id = await make()
  await stripe.invoices.finalizeInvoice(id)
  expect((await stripe.invoices.markUncollectible(id)).status).toBe('uncollectible')
  expect(await stripe.invoices.del(await make())).toMatchObject({ deleted: true })
  const records = await fetch((await stripe.invoices.retrieve(paid.id)).hosted_invoice_url ?? '')
  expect(await records.text()).toContain('£50.00')
})

test('credit notes: of a paid invoice with its refund, and of an open one', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription } = await joinAndPay(world, catalogue)
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
  const other = await joinAndPay(world, catalogue)
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
  const open = invoiceOf((await join(world, catalogue)).subscription)
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

test('a credit note of an open invoice can be taken back, one of a paid invoice cannot', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { stripe } = world
  const open = invoiceOf((await join(world, catalogue)).subscription)
  const note = await stripe.creditNotes.create({ invoice: open.id, amount: 4_000 })
  expect(await stripe.creditNotes.update(note.id, { memo: 'Sorry' })).toMatchObject({ memo: 'Sorry' })
  expect(await stripe.creditNotes.voidCreditNote(note.id)).toMatchObject({ status: 'void' })
  expect(await stripe.invoices.retrieve(open.id)).toMatchObject({
    amount_due: 54_000,
    pre_payment_credit_notes_amount: 0,
  })
  await expect(stripe.creditNotes.voidCreditNote(note.id)).rejects.toMatchObject({ statusCode: 400 })
  const paid = invoiceOf((await joinAndPay(world, catalogue)).subscription)
  const final = await stripe.creditNotes.create({ invoice: paid.id, amount: 100, out_of_band_amount: 100 })
  await expect(stripe.creditNotes.voidCreditNote(final.id)).rejects.toThrow('open invoices')
  await world.sandbox.settle()
  expect(typesOf(world.events)).toContain('credit_note.voided')
})

test('what stands on a draft can be changed and taken off', async () => {
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

test('a charge without an invoice waits for the next one', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { subscription, customer } = await joinAndPay(world, await createCatalogue(world))
  const wait = (amount: number) => stripe.invoiceItems.create({ customer: customer.id, amount, currency: 'gbp' })
  const first = await wait(1_000)
  expect((await stripe.invoiceItems.update(first.id, { amount: 2_000 })).invoice).toBeNull()
  const gone = await wait(7)
  await stripe.invoiceItems.del(gone.id)
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

test('prices are found by lookup key, which moves only when asked', async () => {
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
  expect((await world.stripe.prices.list({ active: true, product: String(price.product) })).data).toHaveLength(2)
})

test('a payment without an invoice', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const paid = await stripe.paymentIntents.create({
    amount: 179_640,
    currency: 'gbp',
    customer: customer.id,
    payment_method: 'pm_card_visa',
    confirm: true,
    expand: ['latest_charge'],
  })
  expect(paid).toMatchObject({ status: 'succeeded', latest_charge: { amount: 179_640, paid: true } })
  const absent = stripe.paymentIntents.create({
    amount: 500,
    currency: 'gbp',
    customer: customer.id,
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
    off_session: true,
  })
  await expect(absent).rejects.toMatchObject({ code: 'authentication_required', statusCode: 402 })
  const open = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  await expect(stripe.paymentIntents.confirm(open.id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
  expect((await stripe.paymentIntents.cancel(open.id)).status).toBe('canceled')
  expect((await stripe.paymentIntents.list({ customer: customer.id })).data).toHaveLength(2)
})
