import { expect, test } from 'vitest'
import { askDelayed, askOffers, linkTo, offersOf } from '#api/testing/reactivating.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { withVat } from '#shared/rules/money.ts'

const day = 86_400_000
const sam = { email: 'sam@example.com', lastPayment: '2026-06-01', name: 'Sam Field' }
const invalid = { status: 400, code: 'invalid_link', message: 'This reactivation link is invalid or has expired.' }

const refusedOffers = async (world: World, carried: Record<string, string>) =>
  readError(await askOffers(world, carried))

test('DELY-1 ROUTE-26 an owner makes a link that says whom it is for, until when, and is signed', async () => {
  const world = startWorld()
  const { url, expires, carried } = await linkTo(world, { ...sam, email: ' Sam@Example.com ' })
  expect(url).toMatch(/^http:\/\/localhost:3000\/reactivate-delayed\?email=sam%40example\.com&lastPayment=2026-06-01&/)
  expect(carried).toEqual({ ...sam, expires, signature: expect.stringMatching(/^[\w-]{43}$/) })
  expect(expires).toBe('2026-06-26T07:40:00.000Z')
  expect((await linkTo(world, { ...sam, expiresInDays: 3 })).expires).toBe('2026-06-15T07:40:00.000Z')
})

const byTheMonth = (net: number) => ({ id: expect.any(String), every: 'month', ...withVat(net) })

test('DELY-4 DELY-12 it opens the prices of the tiers’ rows with VAT, without lite, and the date', async () => {
  const world = startWorld()
  const { carried } = await linkTo(world, sam)
  expect(await offersOf(world, carried)).toEqual({
    standard: { date: '2026-07-01', net: 25_000, vat: 5_000, total: 30_000, prices: [byTheMonth(25_000)] },
    xl: { date: '2026-07-01', net: 45_000, vat: 9_000, total: 54_000, prices: [byTheMonth(45_000)] },
  })
  world.ctx.sqlite.exec(`update tier_prices set net = 26000 where tierSlug = 'standard'`)
  world.ctx.sqlite.exec(`update membership_tiers set isActive = 0 where slug = 'xl'`)
  expect(await offersOf(world, carried)).toEqual({
    standard: { date: '2026-07-01', net: 26_000, vat: 5_200, total: 31_200, prices: [byTheMonth(26_000)] },
  })
})

test('DELY-10 without a last payment the date is today in London', async () => {
  const world = startWorld({ startsAt: new Date('2026-06-12T23:30:00Z') })
  const { carried } = await linkTo(world, { email: sam.email })
  expect(carried).not.toHaveProperty('lastPayment')
  expect((await offersOf(world, carried)).standard?.date).toBe('2026-06-13')
})

test('DELY-1 it names the account and its last payment by itself, unless the owner says otherwise', async () => {
  const world = startWorld()
  const member = world.addMember({ email: sam.email, firstName: 'Sam' })
  world.ctx.sqlite
    .prepare(
      `insert into provider_invoices (id, customerId, status, net, vat, total, amountPaid, created, paidAt)
       select 'in_1', id, 'paid', 25000, 5000, 30000, 30000, ?, ? from customers where userId = ?`,
    )
    .run('2026-05-10T23:30:00.000Z', '2026-05-10T23:30:00.000Z', member.id)
  const { carried } = await linkTo(world, { email: sam.email })
  expect(carried).toMatchObject({ name: 'Sam', lastPayment: '2026-05-11' })
  const { carried: said } = await linkTo(world, sam)
  expect(said).toMatchObject({ name: 'Sam Field', lastPayment: '2026-06-01' })
})

test('DELY-2 a link that was changed, in any part, is invalid, and so is none at all', async () => {
  const world = startWorld()
  const { carried } = await linkTo(world, sam)
  const { carried: other } = await linkTo(world, { ...sam, email: 'kit@example.com' })
  const changes: Record<string, string>[] = [
    { email: 'kit@example.com' },
    { email: '' },
    { lastPayment: '2026-06-10' },
    { lastPayment: '' },
    { lastPayment: '2026-06-01 ' },
    { name: 'Kit' },
    { name: '' },
    { expires: '2036-06-26T07:40:00.000Z' },
    { expires: '' },
    { signature: '' },
    { signature: other.signature ?? '' },
    { signature: `${carried.signature}A` },
  ]
  for (const change of changes) {
    expect([change, await refusedOffers(world, { ...carried, ...change })]).toEqual([
      change,
      expect.objectContaining(invalid),
    ])
    const body = { ...carried, ...change, tierSlug: 'standard', delayedBillingDate: '2026-07-01' }
    expect([change, await readError(await askDelayed(world, body))]).toEqual([change, expect.objectContaining(invalid)])
  }
  expect(await refusedOffers(world, {})).toMatchObject(invalid)
  expect(world.ctx.sqlite.prepare(`select count(*) as n from users where isAdmin = 0`).get()).toEqual({ n: 0 })
})

test('DELY-2 a link that says something twice, or no text at all, is invalid as a whole', async () => {
  const world = startWorld()
  const { carried } = await linkTo(world, sam)
  for (const name of Object.keys(carried)) {
    const doubled = new URLSearchParams(carried)
    doubled.append(name, carried[name] ?? '')
    const response = await readError(await world.call(`/api/delayed-subscription?${doubled}`))
    expect([name, response]).toEqual([name, expect.objectContaining(invalid)])
    for (const value of [[carried[name], carried[name]], 7, null, {}]) {
      const body = { ...carried, [name]: value, tierSlug: 'standard', delayedBillingDate: '2026-07-01' }
      expect([name, value, await readError(await askDelayed(world, body))]).toEqual([
        ...[name, value],
        expect.objectContaining(invalid),
      ])
    }
  }
})

test('DELY-1 a nameless link is for “Member”, whether the name is sent or not', async () => {
  const world = startWorld()
  const { carried } = await linkTo(world, { email: sam.email, lastPayment: sam.lastPayment })
  expect(await offersOf(world, { ...carried, name: 'Member' })).toEqual(await offersOf(world, carried))
})

test('DELY-2 it expires by the wall clock, whatever the billing clock says', async () => {
  const world = startWorld()
  const { carried } = await linkTo(world, { ...sam, expiresInDays: 2 })
  world.forward(2 * day - 1)
  expect((await askOffers(world, carried)).status).toBe(200)
  world.forward(1)
  expect(await refusedOffers(world, carried)).toMatchObject(invalid)
})

test('DELY-3 a link to somebody who has a membership offers nothing, nor does one to somebody whose access was ended', async () => {
  const world = startWorld()
  const member = world.addMember({ email: sam.email })
  const { carried, obstacle } = await linkTo(world, sam)
  expect(obstacle).toBe('already_subscribed')
  expect(await refusedOffers(world, carried)).toMatchObject({ status: 409, code: 'already_subscribed' })
  world.ctx.sqlite.exec(`update subscriptions set status = 'incomplete'`)
  expect((await askOffers(world, carried)).status).toBe(200)
  world.ctx.sqlite.exec(`update subscriptions set status = 'canceled'`)
  expect((await linkTo(world, sam)).obstacle).toBeNull()
  world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked' where id = ?`).run(member.id)
  expect((await linkTo(world, sam)).obstacle).toBe('access_revoked')
  expect(await refusedOffers(world, carried)).toMatchObject({ status: 409, code: 'access_revoked' })
})

test('a link is refused for an owner’s address, a payment still to come, and more than 90 days', async () => {
  const world = startWorld({ env: { OWNER_EMAILS: 'olive@alliance.test' } })
  const call = world.signIn(world.addOwner())
  const wrong: [object, string][] = [
    [{ email: 'olive@alliance.test' }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: sam.email, lastPayment: '2026-06-13' }, 'lastPayment'],
    [{ email: sam.email, lastPayment: '12/06/2026' }, 'lastPayment'],
    [{ email: sam.email, expiresInDays: 91 }, 'expiresInDays'],
    [{ email: sam.email, expiresInDays: 0 }, 'expiresInDays'],
  ]
  for (const [body, field] of wrong) {
    const refused = await readError(await call('/api/admin/reactivation-links', { body }))
    expect([body, refused.status, Object.keys(refused.fields ?? {})]).toEqual([body, 422, [field]])
  }
})

test('the address of the asker may begin 60 times an hour', async () => {
  const world = startWorld()
  for (let times = 0; times < 60; times += 1)
    await askDelayed(world, { tierSlug: 'xl', delayedBillingDate: '2026-07-01' })
  const refused = await readError(await askDelayed(world, { tierSlug: 'xl', delayedBillingDate: '2026-07-01' }))
  expect(refused.status).toBe(429)
})
