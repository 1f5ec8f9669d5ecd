import { expect, test } from 'vitest'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { type StateFacts, stateAction, stateLine } from './state-line.ts'

const price = { net: 25_000, vat: 5_000, total: 30_000 }
const openInvoice = { id: 'in_1', ...price, created: '2026-11-17T09:00:00.000Z' }
const nextPlan = {
  slug: 'xl',
  name: 'Alliance XL',
  net: 45_000,
  vat: 9_000,
  total: 54_000,
  from: '2026-12-12',
} as const

/** A running membership of Alliance, paid until 12 December 2026. */
const running: StateFacts = {
  status: 'active',
  next_billing_date: Date.UTC(2026, 11, 12, 9) / 1000,
  hasAccess: true,
  isComplimentary: false,
  isRevoked: false,
  isOwner: false,
  hasBeenMember: true,
  plan: { slug: 'standard', name: 'Alliance', ...price },
  firstPaymentOn: null,
  endsOn: null,
  endedOn: null,
  graceEndsOn: null,
  nextPlan: null,
  openInvoice: null,
}
const stopped = { next_billing_date: null, hasAccess: false } as const
const nothing = { ...stopped, plan: null } as const
const late = { status: 'past_due', next_billing_date: null, openInvoice, graceEndsOn: '2026-12-01' } as const
const trial = { status: 'trialing', firstPaymentOn: '2026-12-12' } as const

const back = 'Start again and pick up where you left off.'
const inGrace = 'Payment due: £300.00. You keep your access until 1 December 2026.'
const pastGrace =
  'Payment due: £300.00. Your access ended on 1 December 2026. Pay it and your access comes straight back.'
const runs = 'You still have a subscription: your next payment of £300.00 is on 12 December 2026.'
const owner = 'You’re an owner, so everything’s open to you.'
const shutOut = 'Your access was ended by the owners. Please contact us.'

const table: [state: string, facts: Partial<StateFacts>, line: string, action: string | null][] = [
  [
    'none, never a member',
    { ...nothing, status: 'none', hasBeenMember: false },
    'You don’t have a membership yet. Join to get the videos and the community.',
    'Join',
  ],
  ['none, once a member', { ...nothing, status: 'none' }, `Your membership has ended. ${back}`, 'Reactivate'],
  [
    'incomplete',
    { ...stopped, status: 'incomplete', hasBeenMember: false },
    'Your first payment of £300.00 isn’t finished. You haven’t been charged.',
    'Finish paying',
  ],
  [
    'incomplete, without a plan',
    { ...nothing, status: 'incomplete', hasBeenMember: false },
    'Your first payment isn’t finished. You haven’t been charged.',
    'Finish paying',
  ],
  [
    'incomplete_expired, never a member',
    { ...stopped, status: 'incomplete_expired', hasBeenMember: false },
    'Your first payment wasn’t finished, so you haven’t been charged. You don’t have a membership yet.',
    'Join',
  ],
  [
    'incomplete_expired, once a member',
    { ...stopped, status: 'incomplete_expired' },
    `Your membership has ended. ${back}`,
    'Reactivate',
  ],
  ['trialing', trial, 'You have access. Your first payment of £300.00 is on 12 December 2026.', null],
  [
    'trialing, the first month free',
    { ...trial, isNextFree: true },
    'You have access. Your first month, from 12 December 2026, is free.',
    null,
  ],
  [
    'trialing, then another tier, its first month free',
    { status: 'trialing', isNextFree: true, nextPlan },
    'You have access. Your next month, from 12 December 2026, is free, for Alliance XL.',
    null,
  ],
  [
    'trialing, ending',
    { ...trial, next_billing_date: null, firstPaymentOn: null, endsOn: '2026-12-12' },
    'You keep your access until 12 December 2026. We won’t take a payment.',
    'Resume membership',
  ],
  ['active', {}, 'Paid until 12 December 2026. Then we’ll take £300.00 for the next month.', null],
  ['active, without a date', { next_billing_date: null }, 'You have access.', null],
  [
    'active, another tier booked',
    { nextPlan },
    'Paid until 12 December 2026. Then we’ll take £540.00 for Alliance XL.',
    null,
  ],
  ['active, the next month free', { isNextFree: true }, 'Paid until 12 December 2026. The month after is free.', null],
  [
    'active, another tier booked that begins with a free month',
    { isNextFree: true, nextPlan },
    'Paid until 12 December 2026. Alliance XL starts then, and its first month is free.',
    null,
  ],
  ['active, an invoice open', { openInvoice }, 'You have access. Payment due: £300.00.', 'Pay £300.00'],
  [
    'active, ending',
    { next_billing_date: null, endsOn: '2026-12-12' },
    'Paid until 12 December 2026. You keep your access until then. We won’t take another payment.',
    'Resume membership',
  ],
  [
    'active, ending, with a free month given',
    { next_billing_date: null, endsOn: '2026-12-12', isNextFree: true },
    'Paid until 12 December 2026. You keep your access until then. We won’t take another payment. Resume it and the month after is free.',
    'Resume membership',
  ],
  [
    'active, while its renewal is a draft',
    { beingTaken: 30_000 },
    'You have access. We’re taking your payment of £300.00 for the month until 12 December 2026.',
    null,
  ],
  [
    'active, ending, while its last renewal is a draft',
    { next_billing_date: null, endsOn: '2026-12-12', beingTaken: 30_000 },
    'We’re taking your payment of £300.00. You keep your access until 12 December 2026. We won’t take another one.',
    'Resume membership',
  ],
  ['past_due in grace', late, inGrace, 'Pay £300.00'],
  [
    'past_due in grace, ending sooner',
    { ...late, endsOn: '2026-11-28' },
    inGrace.replace('1 Dec', '28 Nov'),
    'Pay £300.00',
  ],
  ['past_due after grace', { ...late, hasAccess: false }, pastGrace, 'Pay £300.00'],
  [
    'past_due without its invoice',
    { ...late, openInvoice: null, graceEndsOn: null },
    'A payment is due. You keep your access.',
    'Pay now',
  ],
  ['unpaid in grace', { ...late, status: 'unpaid' }, inGrace, 'Pay £300.00'],
  ['unpaid after grace', { ...late, status: 'unpaid', hasAccess: false }, pastGrace, 'Pay £300.00'],
  [
    'unpaid, its grace unknown',
    { ...late, status: 'unpaid', hasAccess: false, graceEndsOn: null },
    'Payment due: £300.00. Your access has ended. Pay it and your access comes straight back.',
    'Pay £300.00',
  ],
  [
    'paused',
    { ...stopped, status: 'paused' },
    'Your membership is paused. We won’t take a payment until you resume it.',
    'Resume membership',
  ],
  [
    'paused, its next month asked for',
    { ...stopped, status: 'paused', openInvoice },
    'Payment due: £300.00. Pay it and your membership starts again.',
    'Pay £300.00',
  ],
  [
    'canceled',
    { ...stopped, status: 'canceled', endedOn: '2026-11-01' },
    `Your membership ended on 1 November 2026. ${back}`,
    'Reactivate',
  ],
  [
    'complimentary',
    { ...nothing, status: 'none', hasAccess: true, isComplimentary: true },
    'Your access is free. There’s nothing to pay.',
    null,
  ],
  [
    'complimentary beside an unpaid subscription',
    { ...late, status: 'unpaid', isComplimentary: true },
    'Your access is free. You still have a subscription, with £300.00 unpaid.',
    'Pay £300.00',
  ],
  ['revoked', { hasAccess: false, isRevoked: true }, `${shutOut} ${runs}`, 'Contact us'],
  [
    'revoked, ending',
    { ...stopped, isRevoked: true, endsOn: '2026-12-12' },
    `${shutOut} You still have a subscription until 12 December 2026. We won’t take another payment.`,
    'Contact us',
  ],
  ['revoked, ended', { ...stopped, status: 'canceled', isRevoked: true }, shutOut, 'Contact us'],
  ['owner', { ...nothing, status: 'none', isOwner: true, hasBeenMember: false }, owner, null],
  ['owner with a subscription', { isOwner: true }, `${owner} ${runs}`, null],
]

test.each(table)('%s says what is paid or due, until when, and what to do', (_state, facts, line, action) => {
  const state = { ...running, ...facts }
  expect([stateLine(state), stateAction(state)?.label ?? null]).toEqual([line, action])
})

test('every status is in the table', () => {
  const covered = new Set(table.map(([, facts]) => facts.status ?? 'active'))
  expect([...covered].sort()).toEqual([...subscriptionStatuses, 'none'].sort())
})
