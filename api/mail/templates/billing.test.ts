import { describe, expect, test } from 'vitest'
import { type Message, renderMail } from './layout.ts'
import {
  accessEndedMail,
  accessEndingMail,
  type CardExpiring,
  cardExpiringParts,
  paymentFailedMail,
  type Receipt,
  receiptMail,
  refundFailedMail,
  refundMail,
} from './payment.ts'
import {
  endedMail,
  endingMail,
  pausedMail,
  resumedMail,
  type TierChange,
  tierChangeMail,
  tierKeptMail,
} from './subscription.ts'
import { reactivatedMail, setUpMail, type Welcome } from './welcome.ts'
import { writtenMail } from './written.ts'

const url = 'https://alliance.example'
const billingUrl = 'https://alliance.example/members?tab=billing&a=b'
const standard = { net: 25_000, vat: 5_000, total: 30_000 }
const person = { firstName: 'Sam', tierName: 'Alliance <Standard>' }
const on = '2026-07-12'

const receipt: Receipt = {
  firstName: 'Sam',
  number: 'A-000001',
  lines: [{ description: 'Alliance membership, 12 June 2026 to 11 July 2026', net: 25_000 }],
  ...standard,
  paidOn: '2026-06-12T22:59:00.000Z',
  billingUrl,
  isMissingAddress: true,
  replaces: null,
  takesPlaceOf: null,
}
const replaced = { number: 'A-000001', creditNote: 'C-000001' }
const failed = { ...person, ...standard, dueOn: on, payUrl: billingUrl }
const change: TierChange = {
  firstName: 'Sam',
  fromName: 'Alliance',
  toName: 'Alliance XL',
  ...standard,
  on,
  billingUrl,
}
const nothing = { video: null, community: null, weeklyCall: null, coachingCall: null }
const welcome: Welcome = {
  ...person,
  ...standard,
  membersUrl: billingUrl,
  setPassword: null,
  coolingOff: null,
  nextPaymentOn: on,
  ...nothing,
}
const card = { card: 'Visa ending 4242', worksUntil: '2026-07-31', billingUrl }
const expiring = (facts: CardExpiring) =>
  writtenMail({
    subject: 'Your card',
    text: 'A word & no more.',
    firstName: 'Sam',
    siteUrl: url,
    after: cardExpiringParts(facts),
  })
const refund = { firstName: 'Sam', amount: 1_234_567, refundedOn: on }
const nextPayment = { total: 30_000, on }
const stateLine = 'Payment due: £300.00. You keep your access until 26 July 2026.'

const framed = (message: Message) =>
  renderMail(message, { brand: { name: 'The Alliance', tagline: 'Time & profit' }, disclosure: 'Bench Ltd', url })
const messages = [
  receiptMail(receipt),
  receiptMail({ ...receipt, billingUrl: null, replaces: replaced }),
  receiptMail({ ...receipt, takesPlaceOf: 'A-000130' }),
  paymentFailedMail({ ...failed, stateLine, isAgain: false, isGivenUp: false, hasCard: true }),
  paymentFailedMail({ ...failed, stateLine, isAgain: true, isGivenUp: true, hasCard: true }),
  accessEndingMail({ ...failed, stateLine, endsOn: on }),
  accessEndedMail({ ...failed, stateLine }),
  expiring({ ...card, nextPayment }),
  expiring({ ...card, nextPayment: null }),
  endingMail({
    ...person,
    endsOn: on,
    cancelledAt: '2026-06-12T07:40:00.000Z',
    isOwing: false,
    triesCard: false,
    takesMore: false,
    last: null,
    stateLine,
    billingUrl,
  }),
  resumedMail({ ...person, stateLine, billingUrl }),
  endedMail({ ...person, endedOn: on, cause: 'asked', promisedUntil: null, lastDue: 0, returnUrl: billingUrl }),
  endedMail({ ...person, endedOn: on, cause: 'other', promisedUntil: null, lastDue: 0, returnUrl: null }),
  pausedMail({ ...person, stateLine, total: 30_000, period: {}, keepsAccess: false, resumeUrl: billingUrl }),
  pausedMail({ ...person, stateLine, total: 30_000, period: {}, keepsAccess: true, resumeUrl: billingUrl }),
  tierChangeMail(change),
  tierKeptMail(change),
  refundMail({ ...refund, creditNote: { number: 'C-000001', invoiceNumber: 'A-000001' } }),
  refundMail({ ...refund, creditNote: null }),
  refundFailedMail({ ...refund, contactUrl: billingUrl }),
  reactivatedMail(welcome),
  setUpMail({ ...welcome, setPassword: { url: billingUrl, days: 1, forgotUrl: billingUrl } }),
]

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }
const seenIn = (html: string) =>
  html
    .replace(/<(style|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^(\d+\. |-- )/, '').trim())
    .filter((line) => line !== '')
/** A button has no colon: its label is above the URL. */
const bare = (line: string) => line.replace(/:$/, '')

describe.each(messages.map(framed))('$subject', ({ text, html }) => {
  test('says the same in both forms', () => {
    const seen = seenIn(html).replaceAll(': ', ' ')
    for (const line of linesOf(text)) expect(seen).toContain(bare(namedIn(line)).replaceAll(': ', ' '))
  })

  test('loads nothing, counts nobody, and its links lead where they say', () => {
    expect(html).not.toMatch(/<img|<script|<link|src=|url\(|@import/i)
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    const legal = ['/privacy', '/terms', '/cancellation'].map((path) => url + path)
    const own = targets.filter((target = '') => !legal.includes(target))
    for (const target of own) expect(target).toBe('https://alliance.example/members?tab=billing&amp;a=b')
  })

  test('has no exclamation mark, and gives every sum in pounds with pence', () => {
    expect(text).not.toContain('!')
    for (const [sum] of text.matchAll(/£[\d,.]+\d/g)) expect(sum).toMatch(/^£(\d{1,3},)*\d{1,3}\.\d\d$/)
  })

  test('escapes what people typed', () => {
    expect(html).not.toContain('<Standard>')
  })
})

/** In HTML the foot's links are their names. */
const namedIn = (line: string) => line.replace(/^(Privacy|Terms|Cancelling): https:.*$/, '$1')

const textOf = (message: Message) => framed(message).text

test('days are those of London: a payment just before midnight in summer is the day after by its clocks', () => {
  expect(textOf(receiptMail(receipt))).toContain('Paid on: 12 June 2026')
  expect(textOf(receiptMail({ ...receipt, paidOn: '2026-06-12T23:00:00.000Z' }))).toContain('Paid on: 13 June 2026')
})

test('a buyer without an account is led to no login', () => {
  expect(textOf(receiptMail({ ...receipt, billingUrl: null }))).not.toMatch(/\/login|\/members|Billing/)
})

test('why a membership ended is said in its own words', () => {
  const ended = (cause: 'asked' | 'unpaid' | 'other') =>
    textOf(endedMail({ ...person, endedOn: on, cause, promisedUntil: null, lastDue: 0, returnUrl: null }))
  expect(ended('asked')).toContain('ended on 12 July 2026, as you asked.')
  expect(ended('unpaid')).toContain('ended on 12 July 2026, because your payment didn’t go through.')
  expect(ended('other')).toContain('ended on 12 July 2026.')
})

test('a mail about a membership leads with its state line', () => {
  for (const message of [
    paymentFailedMail({ ...failed, stateLine, isAgain: false, isGivenUp: false, hasCard: true }),
    endingMail({
      ...person,
      endsOn: on,
      cancelledAt: '2026-06-12T07:40:00.000Z',
      isOwing: false,
      triesCard: false,
      takesMore: false,
      last: null,
      stateLine,
      billingUrl,
    }),
    resumedMail({ ...person, stateLine, billingUrl }),
  ])
    expect(message.blocks[0]).toEqual({ kind: 'text', text: stateLine })
})
