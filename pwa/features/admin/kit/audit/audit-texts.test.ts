import { expect, test } from 'vitest'
import { actionText } from './audit-texts.ts'
import { detailText } from './detail-texts.ts'

const nameOf = (id: string) => ({ standard: 'Alliance', xl: 'Mastermind', 'coach-1': 'Olive Hart' })[id] ?? id
const text = (action: string, detail: Record<string, unknown>) =>
  `${actionText({ action })}: ${detailText({ action, detail }, nameOf)}`

test('what was recorded reads as an owner would say it, amounts in pounds, tiers and coaches by their names', () => {
  const move = { tier: 'standard', from: 25_000, to: 27_500 }
  expect([
    text('price_move.told', { ...move, on: '2026-08-11T23:30:00.000Z' }),
    text('tier.price', { ...move, told: 1 }),
    text('tier.price', { ...move, on: '2027-01-01', told: 0 }),
    text('tier.price_cancelled', { ...move, on: '2027-01-01' }),
    text('subscription.change_tier', { subscription: 'sub_1', from: 'standard', to: 'xl', net: 45_000 }),
    text('commission.rate', { tier: 'xl', rate: 12, validFrom: '2026-07-01' }),
    text('commission.paid', { month: '2026-06', amount: 1 }),
    text('upsell.added', {
      description: 'Van wrap',
      totalAmount: 90_000,
      commissionAmount: 9_000,
      saleDate: '2026-06-01',
    }),
    text('member.refund', { payment: 'in_1', amount: 5_000, reason: 'A sorry', endsMembership: true }),
    text('member.profile_changed', { fields: ['firstName', 'businessName'] }),
    text('coaching-booking.status', { before: 'scheduled', after: 'no-show' }),
    text('member.removed', { subscriptions: 1, goes: { sessions: 2, progress: 0 }, stays: { creditNotes: 1 } }),
    text('auth.failed', { address: 'aqR4J9xyz' }),
    text('calendar.days', { coach: 'coach-1', firstDay: '2026-12-04', lastDay: '2026-12-04' }),
    text('calendar.days', { coach: null, firstDay: '2026-12-04', lastDay: '2026-12-05' }),
    text('something.older', { left_over: 3 }),
    text('reactivation.link', { email: 'kit@example.com', lastPayment: '', expires: '2026-12-11T13:04:38.127Z' }),
  ]).toEqual([
    'Told about a price change: Alliance, from 12 August 2026, from £250.00 to £275.00',
    'Tier price changed: Alliance, 1 member told, from £250.00 to £275.00',
    'Tier price changed: Alliance, from 1 January 2027, from £250.00 to £275.00',
    'New tier price cancelled: Alliance, from 1 January 2027, from £250.00 to £275.00',
    'Tier change booked: £450.00 + VAT, from Alliance to Mastermind',
    'Commission rate set: Mastermind, 12%, from 1 July 2026',
    'Commission marked as paid: June 2026',
    'Up-sell added: “Van wrap”, sold for £900.00, commission £90.00, sold on 1 June 2026',
    'Refunded: £50.00, “A sorry”, and ended the membership',
    'Profile changed: First name, business',
    'Booking status changed: From “Scheduled” to “No-show”',
    'Member removed: Subscriptions 1, deleted: logins 2, kept: credit notes 1',
    'Wrong password or code: From connection aqR4J9',
    'Hours changed on some days: Olive Hart, from 4 December 2026, to 4 December 2026',
    'Hours changed on some days: All coaches, from 4 December 2026, to 5 December 2026',
    'something older: Left_over 3',
    'Reactivation link created: Kit@example.com, works until 11 December 2026, 13:04',
  ])
})
