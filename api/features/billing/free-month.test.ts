import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { acted, becomeMember, personCalled, providerInvoices } from '#api/testing/billing.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-03-01T10:00:00.000Z') })
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

const freeMonth = (isFree: boolean) =>
  owner(`/api/admin/members/${personCalled(world, sam.email).id}/free-month`, { method: 'PUT', body: { isFree } })
const give = async () => expect((await freeMonth(true)).status).toBe(200)
const book = (call: Call, tierSlug: string) => acted(call, '/api/billing/change-tier', { tierSlug })
const revenue = async () => (await (await owner('/api/admin/mrr')).json()).totalMRR
const tierNow = async (call: Call) => (await (await call('/api/auth/user')).json()).membershipTier
const mailCalled = (subject: string) => waitingMail(world).find((mail) => mail.subject.startsWith(subject))
const today = () => londonDay(world.ctx.billingNow())
const changes = () =>
  world.ctx.sqlite
    .prepare<[], { line: string }>(
      `select tierSlug || ' ' || (beforeYearly / 12) || '-' || (afterYearly / 12) || ' ' || substr(at, 1, 10) as line
       from revenue_changes order by at, id`,
    )
    .all()
    .map(({ line }) => line)
const earned = () =>
  world.ctx.sqlite
    .prepare<[], { line: string }>(`select tierSlug || ' ' || net || ' ' || amount as line from commission_ledger`)
    .all()
    .map(({ line }) => line)

describe.each([
  { way: 'up', from: 'lite', to: 'standard', name: 'Alliance', before: 12_500, after: 25_000 },
  { way: 'down', from: 'xl', to: 'lite', name: 'Lite', before: 45_000, after: 12_500 },
])('a change $way that begins with a free month', ({ from, to, before, after }) => {
  test('holds what was promised: the tier from that day, nothing taken for its month, then its price', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world, undefined, { ...sam, tierSlug: from })
    await give()
    const booked = await book(call, to)
    const { from: on, name, total } = booked.nextPlan
    expect(stateLine(booked)).toContain(`${name} starts then, and its first month is free.`)
    const promise = mailCalled(`${name} from ${formatLongDate(on)}`)?.text ?? ''
    expect(promise).toContain('That first month is free. You’ll pay from the month after.')
    expect(promise).not.toContain('with the next payment')

    while (today() < addDays(on, 1)) await world.advance(1)
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: to, total }, nextPlan: null })
    expect(await tierNow(call)).toBe(to)
    expect(await providerInvoices(world)).toEqual(['paid 0', `paid ${before * 1.2}`])
    expect([await revenue(), changes()]).toEqual([
      after,
      [`${from} 0-${before} 2027-03-01`, `${to} ${before}-${after} ${on}`],
    ])
    expect([earned(), countRows(world, 'invoices')]).toEqual([[`${from} ${before} ${before / 10}`], 1])

    await world.advance(32)
    expect((await providerInvoices(world))[0]).toBe(`paid ${after * 1.2}`)
    expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: to, total } })
    expect(earned()).toEqual([`${from} ${before} ${before / 10}`, `${to} ${after} ${after / 10}`])
    expect([await revenue(), changes().length, countRows(world, 'invoices')]).toEqual([after, 2, 2])
  })

  test('is whole once: another change in that month makes no second one free', { tags: ['full'] }, async () => {
    const call = await becomeMember(world, undefined, { ...sam, tierSlug: from })
    await give()
    await book(call, to)
    await world.advance(35)
    await book(call, to === 'standard' ? 'xl' : 'standard')
    await world.advance(32)
    const [newest, ...older] = await providerInvoices(world)
    expect([newest, older[0]]).toEqual([`paid ${to === 'standard' ? 54_000 : 30_000}`, 'paid 0'])
    expect(await tierNow(call)).toBe(to === 'standard' ? 'xl' : 'standard')
  })
})

describe('a free month and a change of tier', () => {
  test('the other way round is refused with what to do first, and nothing has changed', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world, undefined, { ...sam, tierSlug: 'lite' })
    await book(call, 'standard')
    expect((await readError(await freeMonth(true))).message).toContain(
      'A tier change is booked. Undo it first, then you can give a free month.',
    )
    expect((await billingOf(call)).isNextFree).toBeUndefined()
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    await give()
    await book(call, 'standard')
    expect((await readError(await freeMonth(false))).message).toContain(
      'A tier change is booked. Undo it first, then you can withdraw the free month.',
    )
  })

  test('an undone change leaves the free month to the tier that stays', { tags: ['full'] }, async () => {
    const call = await becomeMember(world, undefined, { ...sam, tierSlug: 'lite' })
    await give()
    await book(call, 'standard')
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    expect(stateLine(await billingOf(call))).toMatch(/The month after is free\.$/)
    await world.advance(35)
    expect([await tierNow(call), await providerInvoices(world)]).toEqual(['lite', ['paid 0', 'paid 15000']])
  })

  test('settles the arrears before it like a payment: access is back and nothing is owed', {
    tags: ['full'],
  }, async () => {
    await world.control('settings', { retryDays: [3], afterRetries: 'past_due' })
    const call = await becomeMember(world, cards.failsLater)
    await world.advance(50)
    expect(await billingOf(call)).toMatchObject({
      status: 'past_due',
      hasAccess: false,
      openInvoice: { total: 30_000 },
    })
    const { stripe } = world.ctx
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    const coupon = await stripe.coupons.create({ duration: 'once', percent_off: 100 })
    await stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: coupon.id }] })
    await world.advance(15)
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true, openInvoice: null })
  })

  test('a renewal that fails after the free month asks for the price of the tier that was promised', {
    tags: ['full'],
  }, async () => {
    const call = await becomeMember(world, cards.failsLater, { ...sam, tierSlug: 'lite' })
    await give()
    await book(call, 'standard')
    await world.advance(35)
    await world.advance(31)
    expect(await billingOf(call)).toMatchObject({
      status: 'past_due',
      plan: { slug: 'standard', total: 30_000 },
      openInvoice: { total: 30_000 },
    })
  })
})

test('a free month leaves a member’s last visit as it was, because they weren’t here', async () => {
  await becomeMember(world)
  const { id } = personCalled(world, sam.email)
  const lastSeen = async () => (await (await owner(`/api/admin/members/${id}/record`)).json()).lastSeenAt
  const before = await lastSeen()
  expect(before).toMatch(/^2027/)
  world.forward(7_200_000)
  await give()
  expect(await lastSeen()).toBe(before)
})

test('a free month that Stripe couldn’t book is not given, and can be given once it can', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/coupons', times: 6 })
  expect((await readError(await freeMonth(true))).code).toBe('unanswered')
  expect(await billingOf(call)).not.toHaveProperty('isNextFree')
  await give()
  expect(await billingOf(call)).toHaveProperty('isNextFree', true)
})
