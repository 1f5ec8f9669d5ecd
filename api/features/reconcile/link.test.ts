import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, becomeMember, sellAtProvider } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { logIn, signInByCode } from '#api/testing/passwords.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { startBackedUp } from '#api/testing/restoring.ts'
import { readError } from '#api/testing/world.ts'
import { withVat } from '#shared/rules/money.ts'
import { syncCustomer } from './service.ts'

const path = '/api/admin/subscription-links'
const asked = (reference: string, email: string) => `${path}?${new URLSearchParams({ reference, email })}`

test('who joined after a restored backup is found, linked once, and has access, invoices and revenue', {
  tags: ['full'],
}, async () => {
  const { world, backUp, restore } = await startBackedUp()
  const account = world.addUser({ email: sam.email })
  backUp()
  const { response } = await beginJoin(world.signIn(account))
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const customer = onlyCustomer(world)

  const restored = restore()
  const call = restored.signIn(account)
  const owner = restored.signIn(restored.addOwner())
  expect((await billingOf(call)).hasAccess).toBe(false)
  const reports = () => countRows(restored, 'audit_entries', `action = 'customer.unknown'`)
  for (const _ of [1, 2]) {
    expect(await readError(await act(call, '/api/create-subscription', sam))).toMatchObject({
      status: 409,
      code: 'unknown_membership',
      message: 'You already have a membership, but it isn’t linked to your account yet. Contact us and we’ll link it.',
    })
  }
  expect([reports(), countRows(restored, 'customers')]).toEqual([1, 0])
  expect(countRows(restored, 'purchase_attempts', 'closedAt is null')).toBe(0)
  const findings = async () => (await acted(owner, '/api/admin/today', undefined, 'GET')).findings
  for (const _ of [1, 2]) {
    expect(await runJob(restored.ctx, 'reconcile')).toMatchObject({ report: { customers: 0, unknown: 1 } })
  }
  raiseBillingOffset(restored.ctx, 32 * 86_400_000)
  await world.advance(32)
  expect(reports()).toBe(1)
  const warned = { check: 'customers', message: expect.stringContaining(`subscriptions link ${customer} EMAIL`) }
  expect(await findings()).toContainEqual({ ...warned, state: 'warning' })
  const ignored = restored.ctx.sqlite.prepare(`select id from provider_events where stripeCustomerId = ?`).pluck()
  const replayed = await readError(await act(owner, `/api/admin/events/${ignored.get(customer)}/replay`))
  expect(replayed).toMatchObject({ status: 409, message: expect.stringContaining(`link ${customer} EMAIL`) })

  expect(await acted(owner, asked(customer, sam.email), undefined, 'GET')).toEqual({
    customer,
    memberId: account.id,
    email: sam.email,
    providerEmail: sam.email,
    isLinked: false,
    leaves: null,
    subscription: { id: response.subscriptionId, status: 'active', tier: 'standard', price: withVat(25_000) },
    payments: { count: 2, total: 60_000 },
    adopts: null,
  })
  expect([countRows(restored, 'customers'), countRows(restored, 'invoices')]).toEqual([0, 0])
  const body = { reference: customer, email: sam.email, providerEmail: sam.email }
  // Twice concurrently, as by two owners: one links, the other only syncs.
  const both = await Promise.all([acted(owner, path, body), acted(owner, path, body)])
  const link = { customer, memberId: account.id, status: 'active', hasAccess: true }
  expect(both.toSorted((one, other) => Number(one.wasLinked) - Number(other.wasLinked))).toEqual([
    { ...link, wasLinked: false, invoices: ['A-000001', 'A-000002'] },
    { ...link, wasLinked: true, invoices: [] },
  ])
  await syncCustomer(restored.ctx, customer)
  expect(await acted(owner, path, { ...body, reference: response.subscriptionId })).toMatchObject({
    wasLinked: true,
    invoices: [],
  })
  expect([countRows(restored, 'invoices'), countRows(restored, 'commission_ledger', `kind = 'invoice'`)]).toEqual([
    2, 2,
  ])
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'standard' }, hasAccess: true })
  expect((await call('/api/member-videos')).status).toBe(200)
  expect(await acted(owner, '/api/admin/mrr', undefined, 'GET')).toMatchObject({ totalMRR: 25_000 })
  expect(countRows(restored, 'audit_entries', `action = 'customer.linked' and targetId = '${account.id}'`)).toBe(1)
  expect(await findings()).not.toContainEqual(expect.objectContaining({ check: 'customers' }))
  // Mails cover only what happens from now on. They had theirs at the time.
  expect(countRows(restored, 'mail_outbox', `cause like 'receipt:%' or cause like 'welcome:%'`)).toBe(0)
})

describe('a customer of the provider', () => {
  let world: PaymentWorld
  beforeEach(async () => {
    world = await startPaymentWorld()
  })
  afterEach(() => world.stop())

  const owner = () => world.signIn(world.addOwner())
  const refusal = async (reference: string, email = 'kim@example.com') =>
    readError(await owner()(asked(reference, email)))
  const linkTo = (reference: string, email: string, providerEmail: string | null = email) =>
    act(owner(), path, { reference, email, providerEmail })

  test('sold to by hand, under another address, is linked by its subscription once that address is named', async () => {
    const kim = world.addUser({ email: 'kim@example.com' })
    const { id, customer } = await sellAtProvider(world, 'Accounts@Example.com')
    const plan = await acted(owner(), asked(id, kim.email), undefined, 'GET')
    expect(plan).toMatchObject({ customer, providerEmail: 'Accounts@Example.com', payments: { count: 1 } })
    const unnamed = await readError(await linkTo(id, kim.email))
    expect(unnamed.message).toContain('in Stripe is now Accounts@Example.com. Look again.')
    expect(countRows(world, 'customers')).toBe(0)
    expect((await linkTo(id, kim.email, 'Accounts@Example.com')).status).toBe(200)
    expect(await billingOf(world.signIn(kim))).toMatchObject({ status: 'active', hasAccess: true })
  })

  test('sold to by hand, whose account a stranger has made: nothing of the stranger’s opens it then', {
    tags: ['full'],
  }, async () => {
    const { call } = await beginJoin(world.call)
    const body = { newPassword: 'a-van-that-starts-42' }
    expect((await call('/api/auth/set-password', { body })).status).toBe(200)
    // They'd also moved the account there by an opened link, which they could undo.
    const moved = `insert into email_changes
      (id, userId, fromEmail, toEmail, confirmHash, undoHash, requestedAt, expiresAt, confirmedAt)
      select 'moved', id, 'stranger@example.com', email, 'confirm', 'undo', createdAt, createdAt, createdAt from users
      where email = ?`
    world.ctx.sqlite.prepare(moved).run(sam.email)
    // An unpaid start ends within a day.
    await world.advance(1.1)
    await runJob(world.ctx, 'unfinished')
    const { id } = await sellAtProvider(world, sam.email)
    expect((await linkTo(id, sam.email)).status).toBe(200)
    expect((await call('/api/auth/user')).status).toBe(401)
    expect((await logIn(world.call, { email: sam.email, password: body.newPassword })).status).toBe(401)
    const own = await signInByCode(world, sam.email)
    expect([own.isPasswordRemoved, own.user.isMember]).toEqual([true, true])
    expect(countRows(world, 'email_changes', 'undoHash is not null')).toBe(0)
  })

  test('takes the place of one at which nothing is live, which keeps its invoices', async () => {
    const call = await becomeMember(world)
    const [first, { data }] = [onlyCustomer(world), await world.ctx.stripe.subscriptions.list({})]
    await world.ctx.stripe.subscriptions.cancel(data[0]?.id ?? '')
    await world.sandbox.settle()
    const { customer } = await sellAtProvider(world, sam.email)
    expect(await acted(owner(), asked(String(customer), sam.email), undefined, 'GET')).toMatchObject({ leaves: first })
    expect(await (await linkTo(String(customer), sam.email)).json()).toMatchObject({ invoices: ['A-000002'] })
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
    expect(await (await call('/api/billing/invoices')).json()).toHaveLength(2)
    // And back again once this one has ended, because it was theirs before.
    await world.ctx.stripe.customers.del(String(customer))
    await world.sandbox.settle()
    expect(await (await linkTo(first, sam.email)).json()).toMatchObject({ wasLinked: false, status: 'canceled' })
    expect(await (await call('/api/billing/invoices')).json()).toHaveLength(2)
  })

  test('that is unknown there, deleted, without a subscription, or for no account here, is refused in a line', async () => {
    expect(await refusal('cus_nobody')).toMatchObject({
      status: 404,
      message: expect.stringContaining(
        'kim@example.com has no account. Add one first: alliance members add kim@example.com',
      ),
    })
    world.addUser({ email: 'kim@example.com' })
    for (const none of ['cus_nobody', 'sub_nothing']) {
      const message = `Stripe doesn’t have ${none}.`
      expect(await refusal(none)).toMatchObject({ status: 404, message })
    }
    expect((await refusal('in_1')).status).toBe(422)
    const { id } = await world.ctx.stripe.customers.create({})
    expect(await refusal(id)).toMatchObject({ message: `${id} has no subscription in Stripe.` })
    await world.ctx.stripe.customers.del(id)
    expect(await refusal(id)).toMatchObject({ status: 409, message: expect.stringContaining('was deleted') })
    expect(countRows(world, 'customers')).toBe(0)
  })

  test('that is somebody else’s, was a removed member’s, or an order’s, is refused', async () => {
    await becomeMember(world)
    world.addUser({ email: 'kim@example.com' })
    const customer = onlyCustomer(world)
    const { sqlite } = world.ctx
    const refusedAs = async (words: string) =>
      expect(await refusal(customer)).toMatchObject({ status: 409, message: expect.stringContaining(words) })
    await refusedAs(`is already linked to ${sam.email}.`)
    sqlite.exec('update customers set formerUserId = userId, userId = null')
    await refusedAs(`is already linked to ${sam.email}.`)
    sqlite.exec('update customers set formerUserId = null')
    await refusedAs('already paid for an order here without an account.')
    sqlite.exec(`update customers set removedAt = '2026-01-01T00:00:00.000Z'`)
    await refusedAs('belonged to a member you removed.')
  })

  test('is refused to an account that has another membership, or is about to buy one', async () => {
    await becomeMember(world)
    const { customer } = await sellAtProvider(world, sam.email)
    const first = onlyCustomer(world)
    const refusedAs = async (words: string) =>
      expect(await refusal(String(customer), sam.email)).toMatchObject({
        status: 409,
        message: expect.stringContaining(words),
      })
    await refusedAs(`has a membership through ${first}. End that first`)
    // Our rows say it has ended, as after a restore.
    world.ctx.sqlite.exec(`update subscriptions set status = 'canceled'`)
    await refusedAs(`has a membership through ${first}`)
    const { call } = await beginJoin(world.call, { ...sam, email: 'kim@example.com' })
    expect((await billingOf(call)).status).toBe('incomplete')
    expect((await refusal(String(customer))).message).toContain('has begun to buy a membership')
  })

  test('whose subscription is none of ours, carries no VAT or includes it, or is one of two, is refused by name', async () => {
    world.addUser({ email: 'kim@example.com' })
    const priced = async (more: object) => {
      const { id } = await world.ctx.stripe.prices.create({
        currency: 'gbp',
        unit_amount: 25_000,
        recurring: { interval: 'month' },
        product_data: { name: 'By hand' },
        ...more,
      })
      return [{ price: id }]
    }
    const tier = { metadata: { tier: 'standard' } }
    const cases: [object, string][] = [
      [{ items: await priced({}) }, 'has a price that isn’t one of our tiers'],
      [{ items: await priced({ ...tier, tax_behavior: 'inclusive' }) }, 'has a price that includes VAT'],
      [{ default_tax_rates: [] }, 'doesn’t add 20% VAT'],
    ]
    for (const [more, reason] of cases) {
      const { id, customer } = await sellAtProvider(world, 'kim@example.com', more)
      for (const reference of [id, String(customer)]) {
        expect(await refusal(reference)).toMatchObject({
          status: 409,
          message: `${id} ${reason}, so it isn’t linked. If another program sold it, add --tier.`,
        })
        expect((await linkTo(reference, 'kim@example.com')).status).toBe(409)
      }
    }
    const first = await sellAtProvider(world, 'kim@example.com')
    const customer = String(first.customer)
    const second = await sellAtProvider(world, 'kim@example.com', { customer })
    const { message } = await refusal(first.id)
    for (const part of ['has two memberships', first.id, second.id]) expect(message).toContain(part)
    expect([countRows(world, 'customers'), (await world.ctx.stripe.refunds.list({})).data]).toEqual([0, []])
    // Two that have ended are in no one's way.
    for (const { id } of [first, second]) await world.ctx.stripe.subscriptions.cancel(id)
    expect((await linkTo(customer, 'kim@example.com')).status).toBe(200)
  })

  test('is not linked while the provider cannot be reached, and is linked by the next attempt', async () => {
    const kim = world.addUser({ email: 'kim@example.com' })
    const { customer } = await sellAtProvider(world, kim.email)
    await world.control('faults', { kind: 'error', times: 3 })
    expect((await linkTo(String(customer), kim.email)).status).toBe(502)
    expect(countRows(world, 'customers')).toBe(0)
    // Fails once the row is written. The repeat completes the sync.
    world.ctx.sqlite.exec(
      `create trigger full before insert on subscriptions begin select raise(abort, 'disk full'); end`,
    )
    expect((await linkTo(String(customer), kim.email)).status).toBe(500)
    world.ctx.sqlite.exec('drop trigger full')
    const again = await (await linkTo(String(customer), kim.email)).json()
    expect(again).toMatchObject({ wasLinked: true, hasAccess: true, invoices: ['A-000001'] })
    expect(countRows(world, 'audit_entries', `action = 'customer.linked'`)).toBe(1)
  })
})
