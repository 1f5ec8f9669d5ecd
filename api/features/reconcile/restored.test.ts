// @module-tag full
import { expect, test } from 'vitest'
import { skippedNumbers } from '#api/db/schema/invoices.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { byTheMonth } from '#api/features/sandbox/purchases-service.ts'
import { getOrCreatePrice, getOrCreateVatRate } from '#api/stripe/prices.ts'
import { act, acted, becomeMember, beginTrial, personCalled, sellAtProvider } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld } from '#api/testing/payments.ts'
import { begunOrder } from '#api/testing/quotient.ts'
import { startBackedUp } from '#api/testing/restoring.ts'
import { readError } from '#api/testing/world.ts'
import { reconcileCustomers } from './jobs.ts'

const sold = async ({ ctx }: PaymentWorld) => (await ctx.stripe.subscriptions.list({ status: 'all' })).data.length
const atMillLane = { line1: '1 Mill Lane', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }
const billedAtMillLane = {
  'payment_method_data[billing_details][address][line1]': atMillLane.line1,
  'payment_method_data[billing_details][address][city]': atMillLane.town,
  'payment_method_data[billing_details][address][postal_code]': atMillLane.postcode,
  'payment_method_data[billing_details][address][country]': atMillLane.country,
}
const messageOf = ({ message }: { message: string }) => message
const alreadyPaid = { status: 409, code: 'unknown_membership' }

test('a trial that never got a card is no membership of who joins after a restored backup; one with a card is', async () => {
  for (const card of [undefined, cards.pays]) {
    const { world, backUp, restore } = await startBackedUp()
    world.addUser({ email: sam.email })
    backUp()
    await beginTrial(world, card)
    const restored = restore()
    const call = restored.signIn(personCalled(restored, sam.email))
    const response = await act(call, '/api/create-subscription', sam)
    if (card === undefined) expect(response.status).toBe(200)
    else expect(await readError(response)).toMatchObject(alreadyPaid)
  }
})

test('a trial that was made by hand, on the default card of its customer, is a membership of who joins after a restored backup', async () => {
  const { world, backUp, restore } = await startBackedUp()
  const { stripe } = world.ctx
  const account = world.addUser({ email: sam.email })
  backUp()
  const { id: customer } = await stripe.customers.create({ email: sam.email })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card.id } })
  const ends = Math.floor(world.ctx.billingNow().getTime() / 1000) + 20 * 86_400
  const price = await getOrCreatePrice(world.ctx, byTheMonth(world.ctx, 'standard'))
  const rates = [await getOrCreateVatRate(world.ctx)]
  await stripe.subscriptions.create({ customer, items: [{ price }], default_tax_rates: rates, trial_end: ends })
  await world.sandbox.settle()
  const restored = restore()
  const call = restored.signIn(account)
  expect(await readError(await act(call, '/api/create-subscription', sam))).toMatchObject(alreadyPaid)
  const owner = restored.signIn(restored.addOwner())
  const body = { reference: customer, email: sam.email, providerEmail: sam.email }
  expect(await acted(owner, '/api/admin/subscription-links', body)).toMatchObject({
    status: 'trialing',
    hasAccess: true,
  })
})

test('who joined again through a newer customer than the restored backup knows is sold no third', async () => {
  const { world, backUp, restore } = await startBackedUp()
  const before = await becomeMember(world)
  backUp()
  await world.ctx.stripe.customers.del(onlyCustomer(world))
  await world.sandbox.settle()
  const { response } = await beginJoin(before)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const restored = restore()
  await runJob(restored.ctx, 'reconcile')
  const call = restored.signIn(personCalled(restored, sam.email))
  expect((await billingOf(call)).hasAccess).toBe(false)
  const count = await sold(world)
  expect(await readError(await act(call, '/api/create-subscription', sam))).toMatchObject(alreadyPaid)
  expect([await sold(world), countRows(restored, 'customers')]).toEqual([count, 1])
})

test('what keeps somebody from being linked is named to the owners until it is put right at the provider', async () => {
  const { world, backUp, restore } = await startBackedUp()
  const { stripe } = world.ctx
  world.addUser({ email: sam.email })
  backUp()
  const restored = restore()
  const owner = restored.signIn(restored.addOwner())
  const found = async () => {
    const { findings } = await acted(owner, '/api/admin/today', undefined, 'GET')
    return findings.find(({ check }: { check: string }) => check === 'customers')?.message
  }
  await world.control('settings', { webhooks: { hold: true } })
  const { id, customer } = await sellAtProvider(world, sam.email, { default_tax_rates: [] })
  const link = `1 customer pays for a tier without an account: ${customer}. Link with: alliance subscriptions link ${customer} EMAIL`
  const refused = `${link}. First fix this in Stripe: ${id} doesn’t add 20% VAT.`
  const call = restored.signIn(personCalled(restored, sam.email))
  for (const _ of [1, 2])
    expect(await readError(await act(call, '/api/create-subscription', sam))).toMatchObject(alreadyPaid)
  expect(await found()).toBe(refused)
  await runJob(restored.ctx, 'reconcile')
  await world.control('settings', { webhooks: { hold: false } })
  await world.control('webhooks/release')
  await world.sandbox.settle()
  expect([await found(), countRows(restored, 'audit_entries', `action = 'customer.unknown'`)]).toEqual([refused, 1])
  await stripe.subscriptions.update(id, { default_tax_rates: [await getOrCreateVatRate(world.ctx)] })
  await world.sandbox.settle()
  expect(await found()).toBe(link)
  await stripe.subscriptions.update(id, { default_tax_rates: '' })
  await runJob(restored.ctx, 'reconcile')
  expect(await found()).toBe(refused)
})

test('an order paid after the backup is named with the command that takes it in, and is then in orders, invoices and lint', async () => {
  const { world, backUp, restore } = await startBackedUp()
  backUp()
  const { clientSecret, orderId } = await begunOrder(world)
  await world.pay(clientSecret, cards.pays, billedAtMillLane)
  await world.sandbox.settle()
  const [paid] = (await world.ctx.stripe.invoices.list({})).data
  const restored = restore()
  const leftOut = { first: 1, last: 1, documents: { 'A-000001': paid?.id ?? '' } }
  const recorded = { reason: 'Restored', createdAt: restored.ctx.now().toISOString() }
  restored.ctx.db
    .insert(skippedNumbers)
    .values({ series: 'invoice', ...leftOut, ...recorded })
    .run()
  const owner = restored.signIn(restored.addOwner())
  const told = async () => {
    const { findings } = await acted(owner, '/api/admin/today', undefined, 'GET')
    const { problems } = await acted(owner, '/api/admin/invoice-lint', undefined, 'GET')
    return {
      doctor: findings.filter(({ check }: { check: string }) => check === 'payments').map(messageOf),
      lint: problems.map(({ fix }: { fix: string }) => fix),
    }
  }
  const command = `alliance orders take-in ${paid?.id}`
  expect(await runJob(restored.ctx, 'reconcile')).toMatchObject({ report: { unknown: 1 } })
  for (const _ of [1, 2]) {
    expect(await told()).toEqual({ doctor: [expect.stringContaining(command)], lint: [command] })
    await reconcileCustomers(restored.ctx, { all: true })
  }
  const path = '/api/admin/lost-orders'
  const plan = {
    orderId,
    invoice: paid?.id,
    email: sam.email,
    name: 'Sam Field',
    packageType: 'professional',
    total: 54_000,
  }
  expect(await acted(owner, `${path}?invoice=${paid?.id}`, undefined, 'GET')).toMatchObject({ ...plan, isKnown: false })
  for (const numbers of [['A-000002'], []])
    expect(await acted(owner, path, { invoice: paid?.id })).toMatchObject({ orderId, invoices: numbers })
  expect(await acted(owner, '/api/admin/quotient-orders', undefined, 'GET')).toMatchObject([
    { id: orderId, status: 'paid', email: sam.email, firstName: 'Sam', total: 54_000, address: atMillLane },
  ])
  expect(await told()).toEqual({ doctor: [], lint: [] })
  expect(countRows(restored, 'invoices', `takesPlaceOf = 'A-000001' and isMissingAddress = 0`)).toBe(1)
  expect(countRows(restored, 'audit_entries', `action = 'quotient-order.taken_in'`)).toBe(1)
  // They had theirs at the time.
  expect(countRows(restored, 'mail_outbox', `cause like 'quotient-order:%'`)).toBe(0)
})

test('what was paid for a membership that has ended since the backup is named too, and payments for anything else are not', async () => {
  const { world, backUp, restore } = await startBackedUp()
  const account = world.addUser({ email: sam.email })
  backUp()
  const { response } = await beginJoin(world.signIn(account))
  await world.pay(response.clientSecret)
  await world.ctx.stripe.subscriptions.cancel(response.subscriptionId)
  const { id: customer } = await world.ctx.stripe.customers.create({ email: 'other@example.com' })
  const card = await world.ctx.stripe.paymentMethods.attach('pm_card_visa', { customer })
  const { id = '' } = await world.ctx.stripe.invoices.create({ customer })
  await world.ctx.stripe.invoiceItems.create({ customer, invoice: id, amount: 5000, currency: 'gbp' })
  await world.ctx.stripe.invoices.pay(id, { payment_method: card.id })
  await world.sandbox.settle()
  const restored = restore()
  const owner = restored.signIn(restored.addOwner())
  expect(await reconcileCustomers(restored.ctx, { all: true })).toMatchObject({ unknown: 1 })
  const found = async () =>
    (await acted(owner, '/api/admin/today', undefined, 'GET')).findings.filter(
      ({ check }: { check: string }) => check === 'payments',
    )
  const stripeCustomerId = onlyCustomer(world)
  expect((await found()).map(messageOf)).toEqual([
    expect.stringContaining(`subscriptions link ${stripeCustomerId} EMAIL`),
  ])
  const body = { reference: stripeCustomerId, email: sam.email, providerEmail: sam.email }
  expect(await acted(owner, '/api/admin/subscription-links', body)).toMatchObject({ invoices: ['A-000001'] })
  expect(await found()).toEqual([])
})
