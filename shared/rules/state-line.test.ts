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

const nextPayment = { on: '2026-12-12', ...price, fromCredit: 0, due: 30_000 }
const free = { ...nextPayment, net: 0, vat: 0, total: 0, due: 0 }
const dearer = { ...nextPayment, net: 45_000, vat: 9_000, total: 54_000, due: 54_000 }
const half = { ...nextPayment, net: 12_500, vat: 2_500, total: 15_000, due: 15_000 }

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
  nextPayment,
  openInvoice: null,
}
const stopped = { next_billing_date: null, nextPayment: undefined, hasAccess: false } as const
const ending = { next_billing_date: null, nextPayment: undefined, endsOn: '2026-12-12' } as const
const book = { on: '2026-12-12', net: 4_000, vat: 800, total: 4_800, fromCredit: 0, due: 4_800 }
const waitingStart = { on: '2027-01-10', payment: { ...book, on: '2027-01-10' } }
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
    { ...trial, nextPayment: free },
    'You have access. Your first month, from 12 December 2026, is free.',
    null,
  ],
  [
    'trialing, then another tier, its first month free',
    { status: 'trialing', nextPayment: free, nextPlan },
    'You have access. Your next month, from 12 December 2026, is free, for Alliance XL.',
    null,
  ],
  [
    'trialing, ending',
    { ...trial, ...ending, firstPaymentOn: null },
    'You keep your access until 12 December 2026. We won’t take a payment.',
    'Resume membership',
  ],
  ['active', {}, 'Paid until 12 December 2026. Then we’ll take £300.00 for the next month.', null],
  ['active, without a date', { next_billing_date: null, nextPayment: undefined }, 'You have access.', null],
  ['active, what’s next isn’t known', { nextPayment: undefined }, 'Paid until 12 December 2026.', null],
  [
    'active, a discount',
    { nextPayment: half },
    'Paid until 12 December 2026. Then we’ll take £150.00 for the next month.',
    null,
  ],
  [
    'active, some of it from credit',
    { nextPayment: { ...nextPayment, fromCredit: 10_000, due: 20_000 } },
    'Paid until 12 December 2026. Then we’ll take £200.00 for the next month. Another £100.00 comes from your credit.',
    null,
  ],
  [
    'active, all of it from credit',
    { nextPayment: { ...nextPayment, fromCredit: 30_000, due: 0 } },
    'Paid until 12 December 2026. Then the next month is paid from your credit, £300.00.',
    null,
  ],
  [
    'active, the next payment on another day',
    { nextPayment: { ...nextPayment, on: '2026-12-20' } },
    'Paid until 12 December 2026. Then we’ll take £300.00 for the next month on 20 December 2026.',
    null,
  ],
  [
    'a trial whose card was taken off',
    { ...trial, isCardMissing: true },
    'You have access. You’ve no card saved for your first payment of £300.00 on 12 December 2026.',
    null,
  ],
  [
    'at a price that names no tier',
    { ...stopped, status: 'unrecognised' },
    'You’re paying, but we haven’t set up your membership yet. Contact us.',
    'Contact us',
  ],
  [
    'active, no card',
    { isCardMissing: true },
    'Paid until 12 December 2026. You’ve no card saved for the next £300.00. Add one by 12 December 2026.',
    null,
  ],
  [
    'active, payments paused for now',
    { pause: { until: null }, nextPayment: undefined, next_billing_date: null },
    'Payments are paused for now. You have access.',
    null,
  ],
  [
    'active, payments paused until a day',
    { pause: { until: '2027-03-27' }, nextPayment: { ...nextPayment, on: '2027-04-12' }, next_billing_date: null },
    'Payments are paused until 27 March 2027. You have access. Then we’ll take £300.00 for the next month on 12 April 2027.',
    null,
  ],
  [
    'active, payments paused, ending',
    { ...ending, pause: { until: null } },
    'Payments are paused for now. You keep your access until 12 December 2026. We won’t take another payment.',
    'Resume membership',
  ],
  [
    'active, payments paused, an older invoice open',
    { pause: { until: null }, nextPayment: undefined, next_billing_date: null, openInvoice },
    'Payments are paused for now. You have access. Payment due: £300.00.',
    'Pay £300.00',
  ],
  [
    'active, another tier booked',
    { nextPlan, nextPayment: dearer },
    'Paid until 12 December 2026. Then we’ll take £540.00 for Alliance XL.',
    null,
  ],
  [
    'active, a year of the same tier booked',
    { nextPlan: { ...nextPlan, slug: 'standard', name: 'Alliance', months: 12 }, nextPayment: dearer },
    'Paid until 12 December 2026. Then we’ll take £540.00 for a year of Alliance.',
    null,
  ],
  [
    'active, a free year of the same tier booked',
    { nextPlan: { ...nextPlan, slug: 'standard', name: 'Alliance', months: 12 }, nextPayment: free },
    'Paid until 12 December 2026. The year after is free.',
    null,
  ],
  [
    'active, more to come back than to pay',
    { nextPayment: { ...nextPayment, net: -15_000, vat: -3_000, total: -18_000, due: 0, toCredit: 18_000 } },
    'Paid until 12 December 2026. Nothing to pay for the next month. £180.00 stays as credit.',
    null,
  ],
  ['active, the next month free', { nextPayment: free }, 'Paid until 12 December 2026. The month after is free.', null],
  [
    'active, another tier booked that begins with a free month',
    { nextPayment: free, nextPlan },
    'Paid until 12 December 2026. Alliance XL starts then, and its first month is free.',
    null,
  ],
  ['active, an invoice open', { openInvoice }, 'You have access. Payment due: £300.00.', 'Pay £300.00'],
  [
    'active, ending',
    ending,
    'Paid until 12 December 2026. You keep your access until then. We won’t take another payment.',
    'Resume membership',
  ],
  [
    'active, ending, with another to begin',
    { ...ending, waitingStart },
    'Paid until 12 December 2026. You keep your access until then. We’ll take £48.00 on 10 January 2027, when your next membership starts.',
    'Contact us',
  ],
  [
    'active, ending, with something to pay at the end and another to begin',
    { ...ending, nextPayment: book, waitingStart: { on: '2027-01-10' } },
    'Paid until 12 December 2026. You keep your access until then. We’ll take one last payment of £48.00 that day. Your next membership starts on 10 January 2027.',
    'Contact us',
  ],
  [
    'revoked, with one to begin',
    { status: 'canceled', hasAccess: false, isRevoked: true, plan: null, waitingStart },
    `${shutOut} We’ll take £48.00 on 10 January 2027, when your next membership starts.`,
    'Contact us',
  ],
  [
    'active, ending, with something to pay at the end',
    { ...ending, nextPayment: book },
    'Paid until 12 December 2026. You keep your access until then. We’ll take one last payment of £48.00 that day.',
    'Resume membership',
  ],
  [
    'active, ending, with something to pay at the end, a part from credit',
    { ...ending, nextPayment: { ...book, fromCredit: 1_800, due: 3_000 } },
    'Paid until 12 December 2026. You keep your access until then. We’ll take one last payment of £30.00 that day. Another £18.00 comes from credit.',
    'Resume membership',
  ],
  [
    'trialing, ending, with something to pay at the end',
    { ...trial, ...ending, firstPaymentOn: null, nextPayment: book },
    'You keep your access until 12 December 2026. We’ll take one last payment of £48.00 that day.',
    'Resume membership',
  ],
  [
    'revoked, ending, with something to pay at the end',
    { ...ending, hasAccess: false, isRevoked: true, nextPayment: book },
    `${shutOut} You still have a subscription until 12 December 2026. We’ll take one last payment of £48.00 that day.`,
    'Contact us',
  ],
  [
    'active, ending, with a free month given',
    { ...ending, isNextFree: true },
    'Paid until 12 December 2026. You keep your access until then. We won’t take another payment. Resume your membership and the month after is free.',
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
    { ...ending, beingTaken: 30_000 },
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
    'paused by the owners, with access to come',
    { ...stopped, status: 'paused', pause: { until: null }, pausedAccessEndsOn: '2026-12-12' },
    'Payments are paused for now. You keep your access until 12 December 2026.',
    'Resume membership',
  ],
  [
    'paused by the owners, its time credited',
    { ...stopped, status: 'paused', pause: { until: null } },
    'Payments are paused for now. You have no access until you resume.',
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
  expect([...covered].sort()).toEqual([...subscriptionStatuses, 'none', 'unrecognised'].sort())
})
