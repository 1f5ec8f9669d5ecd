import { beforeEach, describe, expect, test } from 'vitest'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import type { subscriptions } from '#api/db/schema/subscriptions.ts'
import { billingOf } from '#api/testing/joining.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

const hour = 3_600_000
const day = 24 * hour

let world: World
beforeEach(() => {
  world = startWorld()
})

const daysAgo = (days: number) => new Date(world.ctx.now().getTime() - days * day).toISOString()
const user = async (person: TestPerson) => (await world.signIn(person)('/api/auth/user')).json()

type Subscription = Partial<typeof subscriptions.$inferInsert>
type Bill = Partial<typeof providerInvoices.$inferInsert> & { created: string }
function addInvoice(person: TestPerson, { status = 'open', ...more }: Bill) {
  const rows = world.ctx.sqlite
    .prepare<[string], { customerId: string; subscriptionId: string }>(
      `select customers.id as customerId, subscriptions.id as subscriptionId from customers
       join subscriptions on subscriptions.customerId = customers.id where userId = ?`,
    )
    .get(person.id)
  if (rows === undefined) throw new Error('no subscription')
  const amounts = { net: 25_000, vat: 5_000, total: 30_000, amountPaid: status === 'paid' ? 30_000 : 0 }
  world.ctx.db
    .insert(providerInvoices)
    .values({ ...rows, ...amounts, id: world.ctx.newId(), status, billingReason: 'subscription_cycle', ...more })
    .run()
}

describe('a renewal that is not paid', () => {
  const late = () => world.addMember({ subscription: { status: 'past_due' } })

  test('BILL-03 keeps its access for 14 days from the oldest one open', async () => {
    const pastDue = late()
    addInvoice(pastDue, { created: daysAgo(10) })
    addInvoice(pastDue, { created: daysAgo(3) })
    world.forward(4 * day - 1)
    expect(await user(pastDue)).toMatchObject({ isMember: true })
    expect(await billingOf(world.signIn(pastDue))).toMatchObject({ showsBanner: true, graceEndsOn: '2026-06-16' })
    world.forward(1)
    expect(await user(pastDue)).toMatchObject({ isMember: false, membershipTier: null })
    expect((await world.signIn(pastDue)('/api/member-videos')).status).toBe(403)
  })

  test('counts from after the last that was paid; one over £0 pays nothing', async () => {
    const [paidSince, freeSince] = [late(), late()]
    for (const person of [paidSince, freeSince]) addInvoice(person, { created: daysAgo(20) })
    addInvoice(paidSince, { created: daysAgo(15), status: 'paid' })
    addInvoice(freeSince, { created: daysAgo(15), status: 'paid', amountPaid: 0 })
    for (const person of [paidSince, freeSince]) addInvoice(person, { created: daysAgo(5) })
    expect((await user(paidSince)).isMember).toBe(true)
    expect((await user(freeSince)).isMember).toBe(false)
  })

  test('is a renewal: no other open bill starts the fourteen days', async () => {
    const pastDue = late()
    addInvoice(pastDue, { created: daysAgo(30), billingReason: 'manual' })
    addInvoice(pastDue, { created: daysAgo(2) })
    expect((await user(pastDue)).isMember).toBe(true)
  })
})

describe('the table of states, as the site tells it', () => {
  const label = 'No Active Subscription'
  const [trialEnd, endsAt] = ['2026-07-01T08:00:00.000Z', '2026-07-12T07:40:00.000Z']
  const ended = { hasAccess: false, showsBanner: true, label, offer: 'subscribe' }
  const late = { ...ended, offer: 'pay_or_change_card' }
  const begun = { ...ended, offer: 'pay_or_change_tier' }
  const trial = { status: 'trialing', trialEnd } as const
  const states: [state: string, Subscription | null, told: object, daysLate?: number][] = [
    ['none', null, ended],
    ['canceled', { status: 'canceled' }, ended],
    ['incomplete_expired', { status: 'incomplete_expired' }, ended],
    ['incomplete', { status: 'incomplete' }, begun],
    ['trialing without a card', { ...trial, isSettled: false }, begun],
    [
      'trialing with a card',
      trial,
      { hasAccess: true, showsBanner: false, label: 'Set up – first payment on 1 July 2026', offer: 'nothing' },
    ],
    ['active', {}, { hasAccess: true, showsBanner: false, label: 'Active', offer: 'already_active' }],
    [
      'active, ending',
      { cancelAtPeriodEnd: true, currentPeriodEnd: endsAt },
      { hasAccess: true, showsBanner: false, label: 'Active, ends on 12 July 2026', offer: 'resume' },
    ],
    ['past_due in grace', { status: 'past_due' }, { ...late, hasAccess: true }, 3],
    ['past_due after it', { status: 'past_due' }, late, 15],
    ['unpaid after it', { status: 'unpaid' }, { ...late, offer: 'pay_or_restart' }, 15],
    ['paused', { status: 'paused' }, { hasAccess: false, showsBanner: false, label, offer: 'resume' }],
  ]

  test.each(states)('REAC-15 BILL-05 %s: access, banner, label, and what reactivating offers', async (...state) => {
    const [, row, told, daysLate] = state
    const person = row === null ? world.addUser() : world.addMember({ subscription: row })
    if (daysLate !== undefined) addInvoice(person, { created: daysAgo(daysLate) })
    const call = world.signIn(person)
    const billing = await billingOf(call)
    expect(billing).toMatchObject(told)
    expect((await call('/api/member-videos')).status).toBe(billing.hasAccess ? 200 : 403)
    expect((await user(person)).isMember).toBe(billing.hasAccess)
  })
})

describe('which subscription counts', () => {
  test('the live one before every ended one, else the newest', async () => {
    const member = world.addMember({ tier: 'xl', subscription: { created: daysAgo(40) } })
    world.ctx.sqlite.exec(
      `insert into subscriptions (id, customerId, status, tierSlug, yearlyNet, created, updatedAt)
       select 'sub_newer', customerId, 'canceled', 'lite', 0, '${daysAgo(1)}', updatedAt from subscriptions`,
    )
    expect(await user(member)).toMatchObject({ isMember: true, membershipTier: 'xl' })
  })
})

describe('the owners’ word', () => {
  test('ROLE-03 revoked: no member, whatever is paid', async () => {
    const revoked = world.addMember({ accessOverride: 'revoked' })
    expect(await user(revoked)).toMatchObject({ isMember: false, membershipTier: null })
    expect(await billingOf(world.signIn(revoked))).toMatchObject({
      status: 'active',
      hasAccess: false,
      isRevoked: true,
    })
  })

  test('granted: a member of the last paid tier, else of standard', async () => {
    const lapsed = world.addMember({ tier: 'xl', accessOverride: 'granted', subscription: { status: 'canceled' } })
    expect(await user(lapsed)).toMatchObject({ isMember: true, membershipTier: 'standard' })
    const paid = (tierSlug: TierSlug | null, days: number) =>
      addInvoice(lapsed, { created: daysAgo(days), status: 'paid', tierSlug })
    paid('lite', 60)
    paid('xl', 30)
    // A later payment for something else doesn't count as a tier.
    paid(null, 10)
    expect(await user(lapsed)).toMatchObject({ membershipTier: 'xl' })
    expect(await user(world.addUser({ accessOverride: 'granted' }))).toMatchObject({ membershipTier: 'standard' })
  })

  test('granted counts as complimentary only while nothing is paid', async () => {
    const paying = world.addMember({ tier: 'lite', accessOverride: 'granted' })
    expect(await billingOf(world.signIn(paying))).toMatchObject({ hasAccess: true, isComplimentary: false })
    expect(await user(paying)).toMatchObject({ membershipTier: 'lite' })
    const guest = world.addUser({ accessOverride: 'granted' })
    expect(await billingOf(world.signIn(guest))).toMatchObject({ hasAccess: true, isComplimentary: true, plan: null })
  })
})

describe('a person without access', () => {
  test('MEMB-08 PROF-01 who paid once stays known as a member since then, though nobody looked while it ran', async () => {
    const [lapsed, never] = [
      world.addMember({ subscription: { status: 'canceled', created: daysAgo(90) } }),
      world.addUser(),
    ]
    addInvoice(lapsed, { created: daysAgo(90), status: 'paid' })
    const owner = world.signIn(world.addOwner())
    for (const { id } of [lapsed, never])
      await owner(`/api/admin/members/${id}/revoke-access`, { method: 'PATCH', body: { isMember: true } })
    expect(await user(lapsed)).toMatchObject({ membershipStartDate: daysAgo(90) })
    expect(await user(never)).toMatchObject({ membershipStartDate: null })
  })

  test('MEMB-21 is refused with a message that holds for a former member and for somebody who never was one', async () => {
    for (const person of [world.addUser(), world.addMember({ subscription: { status: 'canceled' } })]) {
      const response = await world.signIn(person)('/api/member-videos')
      expect([response.status, (await response.json()).error.message]).toEqual([
        403,
        'Member Access Required. Your account has no access to this right now.',
      ])
    }
  })

  test('BILL-03 the billing view tells a former member, somebody who never was one, and an owner apart', async () => {
    const former = world.addMember({ subscription: { status: 'canceled', endedAt: daysAgo(2) } })
    addInvoice(former, { created: daysAgo(32), status: 'paid' })
    expect(await billingOf(world.signIn(former))).toMatchObject({
      hasBeenMember: true,
      endedOn: '2026-06-10',
      isOwner: false,
    })
    expect(await billingOf(world.signIn(world.addUser()))).toMatchObject({ hasBeenMember: false, endedOn: null })
    expect(await billingOf(world.signIn(world.addOwner()))).toMatchObject({
      isOwner: true,
      label: 'Owner',
      showsBanner: false,
    })
  })
})

test('access follows the billing clock, sessions the wall’s', async () => {
  const pastDue = world.addMember({ subscription: { status: 'past_due' } })
  addInvoice(pastDue, { created: daysAgo(1) })
  const call = world.signIn(pastDue)
  raiseBillingOffset(world.ctx, 400 * day)
  const response = await call('/api/auth/user')
  expect([response.status, (await response.json()).isMember]).toEqual([200, false])
})
