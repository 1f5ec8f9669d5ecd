import { describe, expect, test } from 'vitest'
import { type Offer, subscriptionStatuses } from '#shared/contract/billing.ts'
import {
  accessOf,
  graceMs,
  isLive,
  type Membership,
  membershipOf,
  membershipStates,
  type SubscriptionFacts,
} from './membership.ts'

const now = new Date('2026-06-12T07:40:00.000Z')
const facts = (more: Partial<SubscriptionFacts>): SubscriptionFacts => ({
  status: 'active',
  isSettled: true,
  isUnrecognised: false,
  tierSlug: 'standard',
  currentPeriodEnd: '2026-07-12T07:40:00.000Z',
  trialEnd: null,
  endsAt: null,
  oldestUnpaidRenewal: null,
  isCollectionPaused: false,
  collectionResumesAt: null,
  pausedFor: null,
  pausedAccessUntil: null,
  ...more,
})
const at = (more: Partial<SubscriptionFacts>, when = now) => membershipOf(facts(more), when)

/** The columns of the table of states: access, banner, label, what reactivating offers. */
const row = ({ subscriptionGivesAccess, showsBanner, label, offer }: Membership) => [
  subscriptionGivesAccess,
  showsBanner,
  label,
  offer,
]
const none = 'No Active Subscription'

const trialEnd = '2026-07-11T23:30:00.000Z'
const endsAt = '2026-07-11T23:30:00.000Z'
const renewal = '2026-06-09T07:40:00.000Z'

/** The table as decided, row by row: state, facts, access, banner, label, offer. */
const table: [
  state: string,
  facts: Partial<SubscriptionFacts> | null,
  access: boolean,
  banner: boolean,
  label: string,
  offer: Offer,
][] = [
  ['none', null, false, true, none, 'subscribe'],
  ['canceled', { status: 'canceled' }, false, true, none, 'subscribe'],
  ['incomplete_expired', { status: 'incomplete_expired' }, false, true, none, 'subscribe'],
  ['incomplete', { status: 'incomplete' }, false, true, none, 'pay_or_change_tier'],
  [
    'trialing without a card',
    { status: 'trialing', isSettled: false, trialEnd },
    false,
    true,
    none,
    'pay_or_change_tier',
  ],
  [
    'trialing with card',
    { status: 'trialing', trialEnd },
    true,
    false,
    'Set up – first payment on 12 July 2026',
    'nothing',
  ],
  ['trialing, ending', { status: 'trialing', trialEnd, endsAt }, true, false, 'Set up, ends on 12 July 2026', 'resume'],
  ['active', {}, true, false, 'Active', 'already_active'],
  ['active, ending', { endsAt }, true, false, 'Active, ends on 12 July 2026', 'resume'],
  ['past_due in grace', { status: 'past_due', oldestUnpaidRenewal: renewal }, true, true, none, 'pay_or_change_card'],
  [
    'past_due after grace',
    { status: 'past_due', oldestUnpaidRenewal: '2026-05-29T07:40:00.000Z' },
    false,
    true,
    none,
    'pay_or_change_card',
  ],
  ['unpaid in grace', { status: 'unpaid', oldestUnpaidRenewal: renewal }, true, true, none, 'pay_or_restart'],
  [
    'unpaid after grace',
    { status: 'unpaid', oldestUnpaidRenewal: '2026-05-29T07:40:00.000Z' },
    false,
    true,
    none,
    'pay_or_restart',
  ],
  ['unpaid, no renewal of it known', { status: 'unpaid' }, false, true, none, 'pay_or_restart'],
  ['paused', { status: 'paused' }, false, false, none, 'resume'],
  ['at a price that names no tier', { status: 'unpaid', isUnrecognised: true }, false, true, none, 'nothing'],
]

describe('the table of states', () => {
  test.each(table)('BILL-03 BILL-05 %s', (_state, known, access, banner, label, offer) => {
    expect(row(known === null ? membershipOf(null, now) : at(known))).toEqual([access, banner, label, offer])
  })

  test('every state of the table is a row here, ending ones apart', () => {
    const reached = table.map(([, known]) => (known === null ? membershipOf(null, now) : at(known)))
    expect(new Set(reached.map(({ status }) => status))).toEqual(
      new Set([...subscriptionStatuses, 'none', 'unrecognised']),
    )
    expect(Object.keys(membershipStates)).toHaveLength(subscriptionStatuses.length + 4)
  })

  test('BILL-05 trialing without a card is incomplete everywhere', () => {
    expect(at({ status: 'trialing', isSettled: false, trialEnd })).toEqual(at({ status: 'incomplete' }))
  })

  test('BILL-02 the days and the next payment of each', () => {
    const dates = ({ nextBillingAt, firstPaymentOn, endsOn, graceEndsOn }: Membership) => [
      nextBillingAt,
      firstPaymentOn,
      endsOn,
      graceEndsOn,
    ]
    const period = '2026-07-12T07:40:00.000Z'
    expect(dates(at({}))).toEqual([period, null, null, null])
    expect(dates(at({ endsAt }))).toEqual([null, null, '2026-07-12', null])
    expect(dates(at({ status: 'trialing', trialEnd }))).toEqual([trialEnd, '2026-07-12', null, null])
    expect(dates(at({ status: 'trialing', trialEnd, endsAt }))).toEqual([null, null, '2026-07-12', null])
    for (const status of ['past_due', 'unpaid'] as const) {
      expect(dates(at({ status, oldestUnpaidRenewal: renewal, endsAt }))).toEqual([
        null,
        null,
        '2026-07-12',
        '2026-06-23',
      ])
    }
    for (const status of ['paused', 'canceled', 'incomplete'] as const) {
      expect(dates(at({ status, endsAt }))).toEqual([null, null, null, null])
    }
  })

  test('MEMB-06 the banner is shown in exactly the states that have no membership to lose', () => {
    const shown = subscriptionStatuses.filter((status) => at({ status }).showsBanner)
    expect(shown.sort()).toEqual(['canceled', 'incomplete', 'incomplete_expired', 'past_due', 'unpaid'])
  })
})

describe('grace', () => {
  const unpaidSince = '2026-03-20T00:30:00.000Z'
  const inGrace = (when: number, status: 'past_due' | 'unpaid') =>
    at({ status, oldestUnpaidRenewal: unpaidSince }, new Date(when)).subscriptionGivesAccess
  const end = Date.parse(unpaidSince) + graceMs

  test('is 14 times 24 hours, to the millisecond, whatever the clocks do in between', () => {
    expect(new Date(end).toISOString()).toBe('2026-04-03T00:30:00.000Z')
    for (const status of ['past_due', 'unpaid'] as const) {
      const given = [Date.parse(unpaidSince), end - 1, end, end + 1].map((when) => inGrace(when, status))
      expect(given).toEqual([true, true, false, false])
    }
  })

  test('is for past_due and unpaid alone', () => {
    for (const status of ['canceled', 'incomplete', 'paused'] as const) {
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
  test('revoked outranks a subscription, granted replaces one', () => {
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
