import { sandboxSecretKey } from '#api/sandbox/server.ts'
import {
  type Catalogue,
  cardFields,
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribe,
  subscribeAndPay,
  type World,
} from './world.ts'

const returnUrl = 'https://app.test/back'

async function subscriptions(world: World, catalogue: Catalogue): Promise<void> {
  const { stripe } = world
  const declined = await subscribe(world, catalogue)
  await world.browser('POST', `/v1/payment_intents/${declined.intent}/confirm`, {
    ...cardFields('4000000000000002'),
    client_secret: declined.secret,
  })
  const asks = await subscribe(world, catalogue)
  await stripe.paymentIntents.confirm(asks.intent, {
    payment_method: 'pm_card_authenticationRequired',
    return_url: returnUrl,
  })
  await subscribeAndPay(world, catalogue, 'pm_card_chargeCustomerFail')
  const active = await subscribeAndPay(world, catalogue)
  await stripe.subscriptions.update(active.subscription.id, { pause_collection: { behavior: 'mark_uncollectible' } })
  for (const card of ['pm_card_visa', 'pm_card_chargeCustomerFail']) {
    const { subscription } = await subscribeAndPay(world, catalogue, card)
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: catalogue.dearer.id }],
      payment_behavior: 'pending_if_incomplete',
      proration_behavior: 'always_invoice',
    })
  }
  for (const proration_behavior of ['create_prorations', 'always_invoice'] as const) {
    const { subscription } = await subscribeAndPay(world, catalogue)
    const added = await stripe.subscriptionItems.create({
      subscription: subscription.id,
      price: catalogue.dearer.id,
      proration_behavior,
    })
    await stripe.subscriptionItems.del(added.id, { proration_behavior })
  }
  const away = await subscribeAndPay(world, catalogue)
  await stripe.subscriptions.pause(away.subscription.id)
  const back = await subscribeAndPay(world, catalogue)
  await stripe.subscriptions.pause(back.subscription.id, { bill_for: { unused_time_from: { type: 'none' } } })
  await stripe.subscriptions.resume(back.subscription.id)
  for (const missing_payment_method of ['cancel', 'pause'] as const) {
    const customer = await stripe.customers.create({ address: { line1: '1 High Street', country: 'GB' } })
    await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: catalogue.price.id }],
      trial_period_days: 5,
      trial_settings: { end_behavior: { missing_payment_method } },
      payment_settings: { payment_method_types: ['card', 'paypal'] },
    })
  }
}

async function discountsAndSchedules(world: World, catalogue: Catalogue): Promise<void> {
  const { stripe } = world
  const coupon = await stripe.coupons.create({ percent_off: 25, duration: 'repeating', duration_in_months: 2 })
  const off = await stripe.coupons.create({ amount_off: 100, currency: 'gbp', duration: 'once', name: 'Once' })
  const { subscription } = await subscribeAndPay(world, catalogue)
  await stripe.subscriptions.update(subscription.id, {
    discounts: [{ coupon: coupon.id }, { coupon: off.id }],
    cancellation_details: { comment: 'Too dear', feedback: 'too_expensive' },
  })
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [current] = schedule.phases
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      {
        items: [{ price: catalogue.price.id }],
        start_date: current?.start_date ?? 0,
        end_date: current?.end_date ?? 0,
        discounts: [{ coupon: coupon.id }],
      },
      {
        items: [{ price: catalogue.dearer.id }],
        proration_behavior: 'none',
        default_tax_rates: [catalogue.vat.id],
        discounts: [{ coupon: coupon.id }],
      },
    ],
  })
  const waits = await subscribeAndPay(world, catalogue, 'pm_card_chargeCustomerFail')
  await stripe.subscriptions.update(waits.subscription.id, {
    items: [{ id: waits.subscription.items.data[0]?.id ?? '', price: catalogue.year.id }],
    billing_cycle_anchor: { type: 'now' },
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
  })
  const later = await stripe.subscriptionSchedules.create({
    customer: waits.customer.id,
    start_date: Math.floor(world.clock.now().getTime() / 1000) + 60 * 86_400,
    phases: [
      { items: [{ price: catalogue.price.id }], duration: { interval: 'month' } },
      { items: [{ price: catalogue.year.id }], billing_cycle_anchor: 'phase_start', duration: { interval: 'year' } },
    ],
  })
  await stripe.subscriptionSchedules.cancel(later.id)
  const inherits = await subscribeAndPay(world, catalogue)
  await fetch(`${world.sandbox.url}/v1/customers/${inherits.customer.id}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandboxSecretKey}` },
    body: new URLSearchParams({ coupon: coupon.id }),
  })
  const ending = await subscribeAndPay(world, catalogue)
  await stripe.subscriptions.update(ending.subscription.id, { cancel_at_period_end: true })
}

async function invoices(world: World, catalogue: Catalogue): Promise<void> {
  const { stripe } = world
  const { subscription, intent } = await subscribeAndPay(world, catalogue)
  const paid = invoiceOf(subscription)
  await stripe.refunds.create({ payment_intent: intent, amount: 6_000, reason: 'requested_by_customer' })
  const line = { type: 'invoice_line_item' as const, invoice_line_item: paid.lines.data[0]?.id ?? '', amount: 5_000 }
  await stripe.creditNotes.create({ invoice: paid.id, lines: [line], refund_amount: 6_000, reason: 'order_change' })
  const customer = await stripe.customers.create({ name: 'Kim', tax_exempt: 'reverse' })
  const make = async () => {
    const draft = await stripe.invoices.create({ customer: customer.id, footer: 'Thanks' })
    const item = await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 500 })
    await stripe.invoiceItems.update(item.id, { description: 'Thing' })
    return draft.id
  }
  const open = await stripe.invoices.finalizeInvoice(await make())
  const custom = { type: 'custom_line_item' as const, description: 'Sorry', quantity: 1, unit_amount: 100 }
  const note = await stripe.creditNotes.create({ invoice: open.id, lines: [custom] })
  await stripe.creditNotes.voidCreditNote(note.id)
  await stripe.invoices.markUncollectible(open.id)
  await stripe.invoices.pay(await make(), { paid_out_of_band: true })
  await stripe.invoices.del(await make())
}

/** A balance by hand, from a credit note, taken by an invoice and given back. */
async function balances(world: World, catalogue: Catalogue): Promise<void> {
  const { stripe } = world
  const {
    subscription,
    customer: { id: customer },
  } = await subscribeAndPay(world, catalogue)
  const paid = invoiceOf(subscription)
  const line = { type: 'invoice_line_item' as const, invoice_line_item: paid.lines.data[0]?.id ?? '', amount: 5_000 }
  await stripe.creditNotes.create({ invoice: paid.id, lines: [line], credit_amount: 6_000 })
  await stripe.customers.createBalanceTransaction(customer, { amount: -100, currency: 'gbp', description: 'Sorry' })
  const draft = await stripe.invoices.create({ customer })
  await stripe.invoiceItems.create({ customer, invoice: draft.id, amount: 9_000 })
  await stripe.invoices.finalizeInvoice(draft.id)
  await stripe.invoices.voidInvoice(draft.id)
  await stripe.customers.create({ balance: 500 })
}

async function methods(world: World): Promise<void> {
  const { stripe } = world
  const customer = await stripe.customers.create()
  for (const decision of ['fail', 'complete']) {
    const setup = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ['paypal'] })
    const paypal = await stripe.paymentMethods.create({ type: 'paypal', billing_details: { name: 'Pat' } })
    const confirmed = await stripe.setupIntents.confirm(setup.id, { payment_method: paypal.id, return_url: returnUrl })
    await fetch(`${confirmed.next_action?.redirect_to_url?.url}/${decision}`, { method: 'POST', redirect: 'manual' })
  }
  const [method] = (await stripe.paymentMethods.list({ customer: customer.id })).data
  const charge = { amount: 500, currency: 'gbp', customer: customer.id, confirm: true, off_session: true }
  await stripe.paymentIntents.create({ ...charge, payment_method: method?.id ?? '', receipt_email: 'a@example.test' })
  await stripe.paymentIntents.cancel((await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })).id)
  const card = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  await stripe.paymentMethods.detach(card.id)
  await stripe.setupIntents.cancel((await stripe.setupIntents.create({ usage: 'on_session' })).id)
}

/** What the product doesn't use: goods, and payments captured later. */
async function goods({ stripe }: World): Promise<void> {
  const shipping = { name: 'Kim', phone: '1', address: { line1: '1 High Street' } }
  await stripe.customers.create({
    shipping,
    invoice_settings: { footer: 'Thanks', custom_fields: [{ name: 'PO', value: '7' }] },
  })
  const product = await stripe.products.create({
    name: 'Ladder',
    images: ['https://site.test/ladder.png'],
    marketing_features: [{ name: 'Long' }],
    tax_code: 'txcd_99999999',
    default_price_data: { currency: 'gbp', unit_amount: 500 },
  })
  await stripe.products.update(product.id, { statement_descriptor: 'LADDER', unit_label: 'ladder' })
  const hold = { amount: 500, currency: 'gbp', confirm: true, payment_method: 'pm_card_visa_debit', shipping }
  for (const call of ['capture', 'cancel'] as const) {
    const held = await stripe.paymentIntents.create({ ...hold, capture_method: 'manual' })
    await stripe.paymentIntents[call](held.id)
  }
}

export async function createEveryState(): Promise<World> {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  await subscriptions(world, catalogue)
  await discountsAndSchedules(world, catalogue)
  await invoices(world, catalogue)
  await balances(world, catalogue)
  await methods(world)
  await goods(world)
  await world.stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:1/', enabled_events: ['charge.failed'] })
  const clock = await world.stripe.testHelpers.testClocks.create({ frozen_time: 1_900_000_000, name: 'Later' })
  await world.stripe.customers.create({ test_clock: clock.id })
  await world.stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: 1_900_000_001 })
  await world.advanceDays(45)
  return world
}
