import { afterEach, beforeEach, expect, test } from 'vitest'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions } from '#api/testing/joining.ts'
import { joinAndPay, refundNewest } from '#api/testing/paying.ts'
import { cards, consent, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { askDelayed, askOffers, beginDelayed, linkTo, offersOf } from '#api/testing/reactivating.ts'
import { readError } from '#api/testing/world.ts'
import { delayedPaymentAt } from '#shared/rules/delayed-billing.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const today = () => londonDay(world.ctx.billingNow())
const count = (table: string, where?: string) => countRows(world, table, where)
const daysAgo = (days: number) => addDays(today(), -days)
const email = 'sam@example.com'
const invite = async (lastPayment?: string) =>
  (await linkTo(world, { email, name: 'Sam Field', ...(lastPayment ? { lastPayment } : {}) })).carried
const users = () => count('users', 'isAdmin = 0')
const atProvider = async () => (await world.ctx.stripe.customers.list({})).data.length

async function onlySubscription() {
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world), status: 'all' })
  if (data.length !== 1 || !data[0]) throw new Error(`${data.length} subscriptions`)
  return data[0]
}

function samsCall() {
  const row = world.ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)
  return world.signIn({ id: row?.id ?? '', email })
}

test('CALLS-45 DELY-10 a date to come: a trial until 09:00 in London, nothing charged, no session, no member yet', async () => {
  const date = addDays(daysAgo(10), 30)
  const { response, headers } = await beginDelayed(world, await invite(daysAgo(10)))
  expect(response).toMatchObject({ date, isDue: false, net: 25_000, vat: 5_000, total: 30_000, email })
  expect(response.clientSecret).toMatch(/^seti_.+_secret_/)
  expect(headers.get('set-cookie')).toBeNull()
  expect(await onlySubscription()).toMatchObject({
    id: response.subscriptionId,
    status: 'trialing',
    trial_end: delayedPaymentAt(date),
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  })
  expect(await billingOf(samsCall())).toMatchObject({ status: 'incomplete', hasAccess: false })
  expect(count('purchase_attempts', `kind = 'delayed' and closedAt is null`)).toBe(1)
})

test('PERM-3 a visitor needs all of the link’s parameters and nothing else: no login before, and no session after', async () => {
  const carried = await invite(daysAgo(10))
  expect(Object.keys(carried).sort()).toEqual(['email', 'expires', 'lastPayment', 'name', 'signature'])
  const delayedBillingDate = (await offersOf(world, carried)).standard?.date
  for (const missing of Object.keys(carried)) {
    const rest = Object.fromEntries(Object.entries(carried).filter(([name]) => name !== missing))
    expect([missing, (await askOffers(world, rest)).ok]).toEqual([missing, false])
    const begun = await askDelayed(world, { ...rest, tierSlug: 'standard', delayedBillingDate })
    expect([missing, begun.ok]).toEqual([missing, false])
  }
  expect([users(), await atProvider()]).toEqual([0, 0])
  const { headers } = await beginDelayed(world, carried)
  expect([headers.get('set-cookie'), await providerSubscriptions(world)]).toEqual([null, ['trialing']])
})

test('the webhook alone completes the set-up: access at once, one welcome, the first payment on the day', {
  tags: ['full'],
}, async () => {
  const { response } = await beginDelayed(world, await invite(daysAgo(10)), { tierSlug: 'xl' })
  expect((await world.pay(response.clientSecret)).status).toBe(200)
  await world.sandbox.settle()
  expect(await billingOf(samsCall())).toMatchObject({
    status: 'trialing',
    hasAccess: true,
    showsBanner: false,
    firstPaymentOn: response.date,
    plan: { slug: 'xl', total: 54_000 },
  })
  expect(count('purchase_attempts', 'closedAt is null')).toBe(0)
  await runJob(world.ctx, 'mail')
  expect((await listMailbox(world.ctx)).filter(({ subject }) => subject === 'Your membership is set up')).toHaveLength(
    1,
  )
  await world.advance(21)
  const billing = await billingOf(samsCall())
  expect(billing).toMatchObject({ status: 'active', plan: { slug: 'xl' } })
  const paid = world.ctx.sqlite.prepare('select total, created from provider_invoices where amountPaid > 0').all()
  expect(paid).toEqual([{ total: 54_000, created: new Date(delayedPaymentAt(response.date) * 1000).toISOString() }])
})

test('a date that has come: no trial, the first invoice now', { tags: ['full'] }, async () => {
  for (const lastPayment of [daysAgo(30), undefined]) {
    const { response } = await beginDelayed(world, await invite(lastPayment))
    expect(response).toMatchObject({ date: today(), isDue: true })
    expect(response.clientSecret).toMatch(/^pi_/)
  }
  const { response } = await beginDelayed(world, await invite(daysAgo(100)))
  expect(response).toMatchObject({ date: daysAgo(70), isDue: true })
  expect(await providerSubscriptions(world)).toEqual(['incomplete'])
  await world.pay(response.clientSecret)
  expect(await billingOf(samsCall())).toMatchObject({ status: 'active', firstPaymentOn: null })
})

test('DELY-10 a paid invoice that we know of outranks the link, and one of £0 does not count', async () => {
  const { call, response } = await beginJoin(world.call, { email, name: 'Sam Field' })
  await world.pay(response.clientSecret)
  expect((await billingOf(call)).status).toBe('active')
  await world.ctx.stripe.subscriptions.cancel(response.subscriptionId)
  await world.sandbox.settle()
  const carried = await invite(daysAgo(20))
  const expected = addDays(today(), 30)
  expect((await offersOf(world, carried)).standard?.date).toBe(expected)
  const begun = await beginDelayed(world, carried)
  await world.pay(begun.response.clientSecret)
  expect(await billingOf(call)).toMatchObject({ status: 'trialing', firstPaymentOn: expected, hasAccess: true })
})

test('DELY-10 a payment that was given back whole counts no more, one of which a part was does', async () => {
  const { response } = await joinAndPay(world, { email, name: 'Sam Field' })
  await world.ctx.stripe.subscriptions.cancel(response.subscriptionId)
  const dateFor = async (lastPayment: string) => (await offersOf(world, await invite(lastPayment))).standard?.date
  await refundNewest(world, 10_000)
  expect(await dateFor(daysAgo(20))).toBe(addDays(today(), 30))
  await refundNewest(world)
  expect(await dateFor(daysAgo(20))).toBe(addDays(today(), 10))
})

test('DELY-10 another date is refused with its sentence, and nothing was made', async () => {
  const carried = await invite(daysAgo(10))
  for (const delayedBillingDate of [today(), addDays(today(), 19), addDays(today(), 21), '2099-01-01']) {
    const refused = await readError(await askDelayed(world, { ...carried, tierSlug: 'standard', delayedBillingDate }))
    expect(refused).toMatchObject({
      status: 409,
      code: 'date_changed',
      message: 'The first payment date has changed. Please open your link again.',
    })
  }
  expect(users()).toBe(0)
  expect(await atProvider()).toBe(0)
})

test('DELY-3 lite, a tier off sale and an invented one are refused without calling the provider', async () => {
  const carried = await invite(daysAgo(10))
  world.ctx.sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'xl'`)
  for (const tierSlug of ['lite', 'xl', 'mastermind']) {
    const body = { ...carried, tierSlug, delayedBillingDate: addDays(today(), 20) }
    const { status, fields } = await readError(await askDelayed(world, body))
    expect([tierSlug, status, Object.keys(fields ?? {})]).toEqual([tierSlug, 422, ['tierSlug']])
  }
  expect(users()).toBe(0)
  expect(await atProvider()).toBe(0)
})

test('asking for the same tier again, even in ten requests together, gives the same secret and one subscription', {
  tags: ['full'],
}, async () => {
  const carried = await invite(daysAgo(10))
  const responses = await Promise.all(Array.from({ length: 10 }, () => beginDelayed(world, carried)))
  responses.push(await beginDelayed(world, carried))
  expect(new Set(responses.map(({ response }) => response.clientSecret)).size).toBe(1)
  expect(await providerSubscriptions(world)).toEqual(['trialing'])
  expect([users(), count('customers')]).toEqual([1, 1])
})

test('another tier takes the first back, whose set-up can then not be confirmed any more', {
  tags: ['full'],
}, async () => {
  const carried = await invite(daysAgo(10))
  const first = await beginDelayed(world, carried)
  const other = await beginDelayed(world, carried, { tierSlug: 'xl' })
  expect((await world.pay(first.response.clientSecret)).status).not.toBe(200)
  await world.pay(other.response.clientSecret)
  expect(await billingOf(samsCall())).toMatchObject({ status: 'trialing', plan: { slug: 'xl' } })
  expect(await providerSubscriptions(world)).toEqual(['canceled', 'trialing'])
})

test('another tier is refused once the set-up went through, though no webhook of it arrived', async () => {
  await world.control('settings', { webhooks: { hold: true } })
  const carried = await invite(daysAgo(10))
  const { response } = await beginDelayed(world, carried)
  await world.pay(response.clientSecret)
  const refused = await readError(
    await askDelayed(world, { ...carried, tierSlug: 'xl', delayedBillingDate: response.date }),
  )
  expect(refused).toMatchObject({ status: 409, code: 'already_subscribed' })
  expect(await billingOf(samsCall())).toMatchObject({ status: 'trialing', plan: { slug: 'standard' } })
})

test('a lost response of the provider is requested again under the same key', { tags: ['full'] }, async () => {
  const carried = await invite(daysAgo(10))
  await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/subscriptions', times: 3 })
  await expect(beginDelayed(world, carried)).rejects.toThrow('502')
  const { response } = await beginDelayed(world, carried)
  await world.pay(response.clientSecret)
  expect(await providerSubscriptions(world)).toEqual(['trialing'])
})

test('a declined card leaves the set-up open, and another completes it', { tags: ['full'] }, async () => {
  const { response } = await beginDelayed(world, await invite(daysAgo(10)))
  expect((await world.pay(response.clientSecret, cards.declined)).status).toBe(402)
  expect((await billingOf(samsCall())).hasAccess).toBe(false)
  expect((await world.pay(response.clientSecret)).status).toBe(200)
  expect(await billingOf(samsCall())).toMatchObject({ status: 'trialing', hasAccess: true })
})

test('a member with a live subscription is refused, a revoked one too', async () => {
  const { call, response } = await beginJoin(world.call, { email, name: 'Sam Field' })
  await world.pay(response.clientSecret)
  expect((await billingOf(call)).status).toBe('active')
  const carried = await invite()
  expect((await readError(await askOffers(world, carried))).code).toBe('already_subscribed')
  const delayedBillingDate = addDays(londonDay(world.ctx.billingNow()), 30)
  const billingAddress = { line1: '9 Elsewhere', town: 'Leeds', postcode: 'LS9 9ZZ', country: 'GB' }
  const body = { ...carried, tierSlug: 'standard', delayedBillingDate, billingAddress }
  expect(await readError(await askDelayed(world, body))).toMatchObject({
    status: 409,
    code: 'already_subscribed',
    message: 'You already have a membership. Please open Billing.',
  })
  world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked' where email = ?`).run(email)
  expect(await readError(await askDelayed(world, body))).toMatchObject({
    status: 409,
    code: 'access_revoked',
    message: 'Your access was ended by the owners. Please contact us.',
  })
  expect(count('addresses', `postcode = 'LS9 9ZZ'`)).toBe(0)
})

test('somebody whose card is on file still chooses how to pay before the trial counts', {
  tags: ['full'],
}, async () => {
  const { call, response } = await beginJoin(world.call, { email, name: 'Sam Field' })
  await world.pay(response.clientSecret)
  const card = await (await call('/api/billing/card', { method: 'POST' })).json()
  await world.pay(card.clientSecret)
  await world.sandbox.settle()
  await world.ctx.stripe.subscriptions.cancel(response.subscriptionId)
  await world.sandbox.settle()
  const carried = await invite()
  const begun = await beginDelayed(world, carried)
  expect(begun.response.clientSecret).toMatch(/^seti_/)
  expect((await beginDelayed(world, carried)).response.clientSecret).toBe(begun.response.clientSecret)
  expect(await billingOf(call)).toMatchObject({ status: 'incomplete', hasAccess: false })
  await world.pay(begun.response.clientSecret)
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'trialing', hasAccess: true })
})

test('a set-up that nobody finishes is cancelled after a day, and the link begins anew', async () => {
  const carried = await invite(daysAgo(1))
  const { response } = await beginDelayed(world, carried)
  await runJob(world.ctx, 'unfinished')
  expect(await providerSubscriptions(world)).toEqual(['trialing'])
  await world.advance(1.1)
  await runJob(world.ctx, 'unfinished')
  expect(await providerSubscriptions(world)).toEqual(['canceled'])
  expect(count('purchase_attempts', 'closedAt is null')).toBe(0)
  expect((await world.pay(response.clientSecret)).status).not.toBe(200)
  const again = await beginDelayed(world, carried)
  expect(again.response.subscriptionId).not.toBe(response.subscriptionId)
  await world.pay(again.response.clientSecret)
  expect(await billingOf(samsCall())).toMatchObject({ status: 'trialing', firstPaymentOn: response.date })
})

test('begun by a link, continued when logged in: the trial is cancelled, and one membership is paid', async () => {
  const delayed = await beginDelayed(world, await invite(daysAgo(10)))
  const call = samsCall()
  const { response } = await beginJoin(call, { email, name: 'Sam Field' })
  expect(response.clientSecret).toMatch(/^pi_/)
  expect((await world.pay(delayed.response.clientSecret)).status).not.toBe(200)
  await world.pay(response.clientSecret)
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'standard' } })
  expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
})

const leeds = { line1: '1 High Street', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }
const elsewhere = { ...leeds, line1: '9 Elsewhere', postcode: 'LS9 9ZZ' }
const postcodes = () => world.ctx.sqlite.prepare('select postcode from addresses').pluck().all()

test('the billing address comes with the call, since there is no session to send it with, and may be corrected', async () => {
  const carried = await invite(daysAgo(10))
  const { response } = await beginDelayed(world, carried)
  const body = { ...carried, tierSlug: 'standard', delayedBillingDate: response.date }
  for (const billingAddress of [elsewhere, leeds]) {
    const again = await askDelayed(world, { ...body, billingAddress })
    expect(await again.json()).toMatchObject({ clientSecret: response.clientSecret })
    expect(postcodes()).toEqual([billingAddress.postcode])
  }
})

test('the address of somebody who has paid is never changed by a link', async () => {
  const { call, response } = await beginJoin(world.call, { email, name: 'Sam Field', billingAddress: leeds })
  await world.pay(response.clientSecret)
  expect((await billingOf(call)).status).toBe('active')
  await world.ctx.stripe.subscriptions.cancel(response.subscriptionId)
  await world.sandbox.settle()
  const carried = await invite(daysAgo(10))
  const delayedBillingDate = (await offersOf(world, carried)).standard?.date
  const body = { ...carried, tierSlug: 'standard', delayedBillingDate, billingAddress: elsewhere }
  expect((await askDelayed(world, body)).status).toBe(200)
  expect(postcodes()).toEqual(['LS1 1AA'])
  world.ctx.sqlite.exec('delete from addresses')
  expect((await askDelayed(world, body)).status).toBe(200)
  expect(postcodes()).toEqual(['LS9 9ZZ'])
})

test.each([
  ['nor that of somebody who has a password and never paid, where the mailbox is theirs', '2026-06-01', 'LS1 1AA'],
  ['but not what an unconfirmed visitor typed before: it may be a stranger’s', null, 'LS9 9ZZ'],
])('%s', async (_, emailProvenAt, stored) => {
  await beginJoin(world.call, { email, name: 'Sam Field', billingAddress: leeds })
  const become = world.ctx.sqlite.prepare(`update users set passwordHash = 'kept', emailProvenAt = ? where email = ?`)
  become.run(emailProvenAt, email)
  const carried = await invite(daysAgo(10))
  const delayedBillingDate = (await offersOf(world, carried)).standard?.date
  const body = { ...carried, tierSlug: 'standard', delayedBillingDate, billingAddress: elsewhere }
  expect((await askDelayed(world, body)).status).toBe(200)
  expect(postcodes()).toEqual([stored])
})

test('who cancels once their bank refused one card and took another isn’t charged when the free days end', async () => {
  const { response } = await beginDelayed(world, await invite(daysAgo(10)))
  await consent(await world.pay(response.clientSecret, cards.asks3ds), 'fail')
  const call = samsCall()
  const { clientSecret } = JSON.parse(await (await call('/api/billing/card', { method: 'POST' })).text())
  await world.pay(clientSecret, cards.pays)
  expect((await call('/api/billing/cancel', { method: 'POST' })).status).toBe(200)
  const { cancel_at: endsAt, trial_end: freeUntil } = await onlySubscription()
  expect(endsAt).toBe(freeUntil)
})
