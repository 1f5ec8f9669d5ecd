import { describe, expect, test } from 'vitest'
import { subscriptionStatuses } from '../contract/billing.ts'
import { accessOf, graceMs, isLive, type Standing, type SubscriptionFacts, standingOf } from './membership.ts'

const now = new Date('2026-06-12T07:40:00.000Z')
const facts = (more: Partial<SubscriptionFacts>): SubscriptionFacts => ({
  status: 'active',
  isSettled: true,
  tierSlug: 'standard',
  currentPeriodEnd: '2026-07-12T07:40:00.000Z',
  trialEnd: null,
  endsAt: null,
  oldestUnpaidRenewal: null,
  ...more,
})
const at = (more: Partial<SubscriptionFacts>, when = now) => standingOf(facts(more), when)

/** The columns of the table of states: access, banner, label, what reactivating offers. */
const row = ({ subscriptionGivesAccess, showsBanner, label, offer }: Standing) => [
  subscriptionGivesAccess,
  showsBanner,
  label,
  offer,
]
const none = 'No Active Subscription'

describe('the states', () => {
  test('BILL-03 nothing, canceled, incomplete_expired: no access, and a new subscription', () => {
    const expected = [false, true, none, 'subscribe']
    expect(row(standingOf(null, now))).toEqual(expected)
    expect(row(at({ status: 'canceled' }))).toEqual(expected)
    expect(row(at({ status: 'incomplete_expired' }))).toEqual(expected)
    expect(standingOf(null, now).status).toBe('none')
  })

  test('BILL-03 incomplete: no access, and paying it or another tier', () => {
    expect(row(at({ status: 'incomplete' }))).toEqual([false, true, none, 'pay_or_change_tier'])
  })

  test('BILL-05 trialing with a card: access, no banner, the first payment’s day', () => {
    const standing = at({ status: 'trialing', trialEnd: '2026-07-11T23:30:00.000Z' })
    expect(row(standing)).toEqual([true, false, 'Set up – first payment on 12 July 2026', 'nothing'])
    expect([standing.firstPaymentOn, standing.nextBillingAt]).toEqual(['2026-07-12', '2026-07-11T23:30:00.000Z'])
  })

  test('a trial that is set to end says when, and that nothing more will be taken', () => {
    const standing = at({
      status: 'trialing',
      trialEnd: '2026-07-12T08:00:00.000Z',
      endsAt: '2026-07-12T08:00:00.000Z',
    })
    expect(row(standing)).toEqual([true, false, 'Set up, ends on 12 July 2026', 'resume'])
    expect([standing.nextBillingAt, standing.firstPaymentOn]).toEqual([null, null])
  })

  test('BILL-05 trialing without a card is incomplete everywhere', () => {
    const standing = at({ status: 'trialing', isSettled: false, trialEnd: '2026-07-12T08:00:00.000Z' })
    expect(standing).toEqual(at({ status: 'incomplete' }))
  })

  test('BILL-02 active: access, and when the next payment is', () => {
    const standing = at({})
    expect(row(standing)).toEqual([true, false, 'Active', 'already_active'])
    expect(standing).toMatchObject({ nextBillingAt: '2026-07-12T07:40:00.000Z', endsOn: null })
  })

  test('BILL-02 active and ending: access to the end, no next payment, and resuming', () => {
    const standing = at({ endsAt: '2026-07-11T23:30:00.000Z' })
    expect(row(standing)).toEqual([true, false, 'Active, ends on 12 July 2026', 'resume'])
    expect(standing).toMatchObject({ nextBillingAt: null, endsOn: '2026-07-12' })
  })

  test('BILL-03 past_due: access in grace, and paying or another card', () => {
    const standing = at({ status: 'past_due', oldestUnpaidRenewal: '2026-06-09T07:40:00.000Z' })
    expect(row(standing)).toEqual([true, true, none, 'pay_or_change_card'])
    expect(standing).toMatchObject({ nextBillingAt: null, graceEndsOn: '2026-06-23' })
  })

  test('BILL-03 unpaid: no access, and paying the newest or a new one', () => {
    expect(row(at({ status: 'unpaid' }))).toEqual([false, true, none, 'pay_or_restart'])
  })

  test('BILL-05 paused: no access, no banner, and resuming', () => {
    expect(row(at({ status: 'paused' }))).toEqual([false, false, none, 'resume'])
  })

  test('MEMB-06 the banner stands in exactly the states that have no membership to lose', () => {
    const shown = subscriptionStatuses.filter((status) => at({ status }).showsBanner)
    expect(shown.sort()).toEqual(['canceled', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid'])
  })
})

describe('grace', () => {
  const unpaidSince = '2026-03-20T00:30:00.000Z'
  const inGrace = (when: number) =>
    at({ status: 'past_due', oldestUnpaidRenewal: unpaidSince }, new Date(when)).subscriptionGivesAccess
  const end = Date.parse(unpaidSince) + graceMs

  test('is 14 times 24 hours, to the millisecond, whatever the clocks do in between', () => {
    expect(new Date(end).toISOString()).toBe('2026-04-03T00:30:00.000Z')
    expect([inGrace(Date.parse(unpaidSince)), inGrace(end - 1), inGrace(end), inGrace(end + 1)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('is for past_due alone', () => {
    for (const status of ['unpaid', 'canceled', 'incomplete'] as const) {
      expect(at({ status, oldestUnpaidRenewal: now.toISOString() }).subscriptionGivesAccess).toBe(false)
    }
  })
})

test('live is every status but the two ended ones', () => {
  expect(subscriptionStatuses.filter(isLive)).toEqual([
    ...['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'],
  ])
  expect(isLive('none')).toBe(false)
})

describe('the owners’ override', () => {
  test('revoked outranks a subscription, granted stands in for one', () => {
    expect(accessOf('revoked', true)).toEqual({ hasAccess: false, isComplimentary: false, isRevoked: true })
    expect(accessOf('revoked', false)).toEqual({ hasAccess: false, isComplimentary: false, isRevoked: true })
    expect(accessOf('granted', false)).toEqual({ hasAccess: true, isComplimentary: true, isRevoked: false })
  })

  test('granted is complimentary only while no subscription gives access', () => {
    expect(accessOf('granted', true)).toEqual({ hasAccess: true, isComplimentary: false, isRevoked: false })
  })

  test('without one the subscription decides', () => {
    for (const gives of [true, false]) {
      expect(accessOf(null, gives)).toEqual({ hasAccess: gives, isComplimentary: false, isRevoked: false })
    }
  })
})
