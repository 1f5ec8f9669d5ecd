import { afterEach, beforeEach, expect, test } from 'vitest'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { contentOf } from '#api/site/content.ts'
import {
  beginJoin,
  billingOf,
  cookieFrom,
  countRows,
  onlyCustomer,
  providerSubscriptions,
  sam,
} from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const begin = (body: object = sam, call: Call = world.call) => beginJoin(call, body)
const count = (table: string, where?: string) => countRows(world, table, where)

async function sentMail() {
  await runJob(world.ctx, 'mail')
  return listMailbox(world.ctx)
}

test('API-05 JOIN-17 an unknown address gets an account, a session and a client secret, with net, VAT and total', async () => {
  const { response, call } = await begin({ ...sam, tierSlug: 'xl', tierPrice: 45_000 })
  expect(response).toMatchObject({ net: 45_000, vat: 9_000, total: 54_000 })
  expect(response.clientSecret).toMatch(/^pi_.+_secret_.+/)
  const user = await (await call('/api/auth/user')).json()
  expect(user).toMatchObject({
    email: sam.email,
    firstName: 'Sam',
    lastName: 'Field',
    isMember: false,
    hasPassword: false,
  })
})

test('PAY-01 the browser gets the publishable key, and no other', async () => {
  const told = await (await world.call('/api/payment-config')).text()
  expect(JSON.parse(told)).toEqual({ publishableKey: 'pk_test_sandbox', isSandbox: true })
  expect(told).not.toMatch(/sk_|whsec/)
})

test('API-05 the tier defaults to standard', async () => {
  expect((await begin()).response).toMatchObject({ net: 25_000, vat: 5_000, total: 30_000 })
})

test('PAY-06 BILL-02 paid: active in the billing view, one membership, one welcome mail', async () => {
  const { call, response } = await begin()
  expect((await billingOf(call)).status).toBe('incomplete')
  expect((await world.pay(response.clientSecret)).status).toBe(200)
  expect(await billingOf(call)).toMatchObject({
    status: 'active',
    label: 'Active',
    showsBanner: false,
    hasAccess: true,
    plan: { slug: 'standard', net: 25_000, vat: 5_000, total: 30_000 },
  })
  await world.sandbox.settle()
  const welcome = (await sentMail()).filter(({ subject }) => subject === 'Your membership is active')
  expect(welcome).toHaveLength(1)
  expect(count('purchase_attempts', `termsVersion = '${contentOf(world.ctx).read().site.terms}'`)).toBe(1)
  expect(welcome[0]?.text).toContain('/reset-password?token=')
  expect((await call('/api/member-videos')).status).toBe(200)
})

test('PAY-05 polling alone makes the member, with every webhook held back', async () => {
  await world.control('settings', { webhooks: { hold: true } })
  const { call, response } = await begin()
  await world.pay(response.clientSecret)
  expect((await billingOf(call)).status).toBe('active')
})

test('API-06 DATA-18 the subscription is read without a payload: its status, and its next payment in unix seconds', async () => {
  expect((await world.call('/api/billing/subscription')).status).toBe(401)
  const read = async (by: Call) => {
    const { status, next_billing_date } = await (await by('/api/billing/subscription')).json()
    return { status, next_billing_date }
  }
  expect(await read(world.signIn(world.addUser()))).toEqual({ status: 'none', next_billing_date: null })
  const { call, response } = await begin()
  expect(await read(call)).toEqual({ status: 'incomplete', next_billing_date: null })
  await world.pay(response.clientSecret)
  const [bought] = (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const next_billing_date = bought?.items.data[0]?.current_period_end
  expect(next_billing_date).toEqual(expect.any(Number))
  expect(await read(call)).toEqual({ status: 'active', next_billing_date })
})

test('the webhook alone makes the member, with no page asking', async () => {
  const { response } = await begin()
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  expect(count('users', 'isMember = 1')).toBe(1)
})

test('webhooks delivered five times, backwards and late change nothing twice', async () => {
  await world.control('settings', { webhooks: { copies: 5, order: 'reversed', hold: true } })
  const { response } = await begin()
  await world.pay(response.clientSecret)
  await world.control('webhooks/release')
  await world.sandbox.settle()
  expect(count('subscriptions')).toBe(1)
  expect(count('mail_outbox', `cause like 'welcome:%'`)).toBe(1)
  expect(count('users', 'isMember = 1')).toBe(1)
})

test('a decline charges nothing, and the same purchase is paid with another card', async () => {
  const { call, response } = await begin()
  const declined = await world.pay(response.clientSecret, cards.declined)
  expect(declined.status).toBe(402)
  expect((await billingOf(call)).hasAccess).toBe(false)
  const again = await begin(sam, call)
  expect(again.response.clientSecret).toBe(response.clientSecret)
  await world.pay(again.response.clientSecret)
  expect((await billingOf(call)).status).toBe('active')
  expect(await providerSubscriptions(world)).toEqual(['active'])
})

test('ten calls at once by one buyer make one subscription', async () => {
  const first = await begin({ ...sam, tierSlug: 'lite' })
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin({ ...sam, tierSlug: 'lite' }, first.call)))
  expect(new Set(begun.map(({ response }) => response.subscriptionId))).toEqual(
    new Set([first.response.subscriptionId]),
  )
  expect(await providerSubscriptions(world)).toEqual(['incomplete'])
})

test('a lost response of the provider is requested again under the same key', async () => {
  const call = world.signIn(world.addUser({ email: sam.email }))
  await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/subscriptions', times: 3 })
  expect((await call('/api/create-subscription', { body: sam })).status).toBe(502)
  expect(count('purchase_attempts', 'closedAt is null')).toBe(1)
  const { response } = await begin(sam, call)
  await world.pay(response.clientSecret)
  expect(await providerSubscriptions(world)).toEqual(['active'])
})

test('a key that is still in use at the provider is no refusal: the purchase continues under it', {
  tags: ['full'],
}, async () => {
  const call = world.signIn(world.addUser({ email: sam.email }))
  const inUse = { kind: 'refuse', status: 409, code: 'idempotency_key_in_use', times: 3 }
  await world.control('faults', { ...inUse, method: 'POST', path: '/v1/subscriptions' })
  const told = await readError(await call('/api/create-subscription', { body: sam }))
  expect(told.code).toBe('payment_provider_unavailable')
  expect(count('purchase_attempts', 'closedAt is null')).toBe(1)
  await begin(sam, call)
  expect(count('purchase_attempts')).toBe(1)
})

test.each(['error', 'error_after'])(
  'a purchase that is answered 500 (%s) is begun anew, and paid once',
  { tags: ['full'] },
  async (kind) => {
    const call = world.signIn(world.addUser({ email: sam.email }))
    for (const path of ['/v1/customers', '/v1/prices', '/v1/subscriptions']) {
      await world.control('faults', { kind, method: 'POST', path, times: 3 })
      expect((await call('/api/create-subscription', { body: sam })).status).toBe(502)
    }
    expect(count('purchase_attempts', `outcome = 'failed'`)).toBe(1)
    const { response } = await begin(sam, call)
    await world.pay(response.clientSecret)
    expect((await billingOf(call)).status).toBe('active')
    expect((await providerSubscriptions(world)).filter((status) => status !== 'incomplete_expired')).toEqual(['active'])
    expect((await world.ctx.stripe.charges.list({})).data.map(({ amount }) => amount)).toEqual([30_000])
  },
)

test('a name corrected after a lost response does not block the purchase', { tags: ['full'] }, async () => {
  const call = world.signIn(world.addUser({ email: sam.email }))
  await world.control('faults', { kind: 'lost', method: 'POST', path: '/v1/customers', times: 3 })
  expect((await call('/api/create-subscription', { body: { ...sam, name: 'Sma Field' } })).status).toBe(502)
  const { response } = await begin(sam, call)
  await world.pay(response.clientSecret)
  expect((await world.ctx.stripe.customers.list({})).data).toHaveLength(1)
})

test('a failure after the account was made still starts its session', async () => {
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/customers', times: 3 })
  const response = await world.call('/api/create-subscription', { body: sam })
  expect(response.status).toBe(502)
  const cookie = cookieFrom(response)
  expect((await world.call('/api/auth/user', { headers: { cookie } })).status).toBe(200)
})

test('another tier takes the unpaid one back first', { tags: ['full'] }, async () => {
  const { call, response } = await begin({ ...sam, tierSlug: 'lite' })
  const other = await begin({ ...sam, tierSlug: 'xl' }, call)
  expect(other.response.total).toBe(54_000)
  expect((await world.pay(response.clientSecret)).status).not.toBe(200)
  await world.pay(other.response.clientSecret)
  expect((await billingOf(call)).plan?.slug).toBe('xl')
  expect(await providerSubscriptions(world)).not.toContain('incomplete')
  expect((await providerSubscriptions(world)).filter((status) => status === 'active')).toHaveLength(1)
})

test('another tier is refused once the first was paid, though no webhook of it arrived', async () => {
  await world.control('settings', { webhooks: { hold: true } })
  const { call, response } = await begin({ ...sam, tierSlug: 'lite' })
  await world.pay(response.clientSecret)
  const refused = await readError(await call('/api/create-subscription', { body: { ...sam, tierSlug: 'xl' } }))
  expect(refused).toMatchObject({
    status: 409,
    code: 'already_subscribed',
    message: 'You already have a membership. Please open Billing.',
  })
  expect((await billingOf(call)).plan?.slug).toBe('lite')
})

test('a price that changed in the browser or in the row is refused before the provider is called', async () => {
  const refused = await readError(await world.call('/api/create-subscription', { body: { ...sam, tierPrice: 1 } }))
  expect(refused).toMatchObject({
    code: 'price_changed',
    message: 'The price has changed. Please choose your tier again.',
  })
  expect(count('users')).toBe(0)
})

test('CONST-11 a tier that became cheaper after the attempt was begun is charged at the price of its row', async () => {
  const { call } = await begin()
  world.ctx.sqlite.exec(`update tier_prices set net = 24000 where tierSlug = 'standard'`)
  const { response } = await begin(sam, call)
  await world.pay(response.clientSecret)
  expect((await billingOf(call)).plan).toMatchObject({ net: 24_000, vat: 4_800, total: 28_800 })
  expect((await world.ctx.stripe.charges.list({})).data.map(({ amount }) => amount)).toEqual([28_800])
})

test('JOIN-17 a known address without a session has to log in; one that never paid and has no password gets a link', async () => {
  world.addUser({ email: sam.email, passwordHash: 'x' })
  const known = await readError(await world.call('/api/create-subscription', { body: sam }))
  expect(known).toMatchObject({
    status: 409,
    code: 'account_exists',
    message: 'You already have an account. Please log in to continue.',
  })
  expect(await sentMail()).toEqual([])

  await begin({ ...sam, email: 'new@example.com' })
  await readError(await world.call('/api/create-subscription', { body: { ...sam, email: 'new@example.com' } }))
  const [mail] = await sentMail()
  const token = /continue=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  const continued = await world.call('/api/auth/continue', { body: { token } })
  expect(continued.status).toBe(200)
  expect((await world.call('/api/auth/continue', { body: { token } })).status).toBe(400)
})

test('nobody fills another person’s mailbox by joining in their name', async () => {
  await begin()
  for (let times = 0; times < 8; times += 1) await world.call('/api/create-subscription', { body: sam })
  expect(await sentMail()).toHaveLength(5)
})

test('the link that continues joining ends the other sessions', async () => {
  const { cookie } = await begin()
  await world.call('/api/create-subscription', { body: sam })
  const [mail] = await sentMail()
  await world.call('/api/auth/continue', { body: { token: /continue=([\w-]+)/.exec(mail?.text ?? '')?.[1] } })
  expect((await world.call('/api/auth/user', { headers: { cookie } })).status).toBe(401)
})

test('an owner’s address answers as any known one', async () => {
  const refused = await readError(
    await world.call('/api/create-subscription', { body: { ...sam, email: 'owner@alliance.test' } }),
  )
  expect(refused.code).toBe('account_exists')
})

test('with a session its own account buys, and a mistyped address is corrected before the first payment', async () => {
  const { call } = await begin({ ...sam, email: 'sma@example.com' })
  await begin(sam, call)
  expect(await (await call('/api/auth/user')).json()).toMatchObject({ email: sam.email })
  world.addUser({ email: 'other@example.com' })
  const { response } = await begin({ ...sam, email: 'other@example.com' }, call)
  expect(response.email).toBe(sam.email)
  expect(await (await call('/api/auth/user')).json()).toMatchObject({ email: sam.email })
})

test('while revoked nothing is sold', async () => {
  const call = world.signIn(world.addUser({ accessOverride: 'revoked' }))
  const refused = await readError(await call('/api/create-subscription', { body: sam }))
  expect(refused).toMatchObject({
    status: 409,
    code: 'access_revoked',
    message: 'Your access was ended by the owners. Please contact us.',
  })
})

test('the profile is filled from the application that this browser sent, and from no other', async () => {
  const form = {
    firstName: 'Samuel',
    lastName: 'Fielding',
    email: sam.email,
    phone: '07700 900123',
    businessName: 'Field & Co',
    trade: 'Painter',
    businessStage: 'growing',
    yearsInTrade: '9',
    currentChallenges: 'Time',
    goals: 'More of it',
    whyJoin: 'To get home',
    hearAboutUs: 'A mate',
    agreeTerms: true,
    selectedTier: 'lite',
  }
  const { id } = await (await world.call('/api/membership-application', { body: form })).json()
  const { call } = await begin({ ...sam, applicationId: id })
  expect(await (await call('/api/auth/user')).json()).toMatchObject({
    firstName: 'Samuel',
    phone: '07700 900123',
    trade: 'Painter',
  })
  const other = await begin({ ...sam, email: 'else@example.com', applicationId: id })
  expect(await (await other.call('/api/auth/user')).json()).toMatchObject({ firstName: 'Sam', phone: null })
})

test('the billing address is kept, and can be set again', async () => {
  const billingAddress = { line1: '1 High Street', town: 'Leeds', postcode: 'LS1 1AA', country: 'gb' }
  const { call } = await begin({ ...sam, billingAddress })
  expect(count('addresses', `country = 'GB'`)).toBe(1)
  const put = await call('/api/billing/address', { method: 'PUT', body: { ...billingAddress, line1: '2 High Street' } })
  expect(put.status).toBe(200)
  expect(count('addresses', `line1 = '2 High Street'`)).toBe(1)
})

test('DATA-18 without a subscription the billing view says none', async () => {
  const call = world.signIn(world.addUser())
  expect(await billingOf(call)).toMatchObject({
    status: 'none',
    next_billing_date: null,
    label: 'No Active Subscription',
    showsBanner: true,
  })
})

test('BILL-03 MEMB-06 a renewal that fails shows the banner and keeps access for 14 days', async () => {
  const { call, response } = await begin()
  await world.pay(response.clientSecret, cards.failsLater)
  await world.control('settings', { retryDays: [3, 20], afterRetries: 'unpaid' })
  await world.advance(33)
  expect(await billingOf(call)).toMatchObject({
    status: 'past_due',
    showsBanner: true,
    hasAccess: true,
    label: 'No Active Subscription',
  })
  await world.advance(14)
  expect(await billingOf(call)).toMatchObject({ status: 'past_due', hasAccess: false })
  expect((await call('/api/member-videos')).status).toBe(403)
})

test('BILL-03 the date that was promised holds when the provider gives up sooner and leaves it unpaid', async () => {
  const { call, response } = await begin()
  await world.pay(response.clientSecret, cards.failsLater)
  await world.control('settings', { retryDays: [3], afterRetries: 'unpaid' })
  await world.advance(32)
  const { graceEndsOn } = await billingOf(call)
  expect(graceEndsOn).not.toBeNull()
  await world.advance(10)
  expect(await billingOf(call)).toMatchObject({ status: 'unpaid', hasAccess: true, graceEndsOn })
  expect((await call('/api/member-videos')).status).toBe(200)
  await world.advance(4)
  expect(await billingOf(call)).toMatchObject({ status: 'unpaid', hasAccess: false, graceEndsOn })
  expect((await call('/api/member-videos')).status).toBe(403)
})

test('an unpaid join expires, and joining again starts anew', async () => {
  const { call } = await begin()
  await world.advance(1)
  expect((await billingOf(call)).status).toBe('incomplete_expired')
  const { response } = await begin(sam, call)
  await world.pay(response.clientSecret)
  expect((await billingOf(call)).status).toBe('active')
})
