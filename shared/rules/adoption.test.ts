import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AdoptionRefusal, adoptionNotes, adoptionRefusals } from '#shared/contract/subscription-link.ts'
import {
  type AdoptionFacts,
  adoptedCharge,
  adoptionNotesOf,
  adoptionRefusal,
  type PriceFacts,
  parseTierChoice,
} from './adoption.ts'
import { keptText, priceText, refusalWords, stayText } from './adoption-texts.ts'
import { vatWithin } from './charge.ts'
import { vatOn } from './money.ts'

const price: PriceFacts = {
  id: 'price_1',
  name: 'Monthly',
  amount: 4899,
  currency: 'gbp',
  interval: 'month',
  intervalCount: 1,
  ownTier: null,
}

const plain: AdoptionFacts = {
  id: 'sub_1',
  customer: 'cus_1',
  email: 'kim@example.com',
  name: 'Kim',
  isCustomerDeleted: false,
  status: 'active',
  isSettled: true,
  items: 1,
  quantity: 1,
  price,
  tax: 'none',
  isInvoiced: false,
  isCollectionPaused: false,
  hasSchedule: false,
  hasPendingUpdate: false,
  paysOthers: false,
  method: 'card',
  paidUntil: '2026-12-01T00:00:00.000Z',
  endsAt: null,
  application: null,
  applicationFee: null,
  hasDiscount: false,
}

const refused: [AdoptionRefusal, Partial<AdoptionFacts>][] = [
  ['ended', { status: 'canceled' }],
  ['ended', { status: 'incomplete_expired' }],
  ['deleted', { isCustomerDeleted: true }],
  ['never_paid', { status: 'incomplete' }],
  ['several_items', { items: 2 }],
  ['several_items', { items: 0, price: null }],
  ['several_seats', { quantity: 3 }],
  ['by_use', { price: { ...price, amount: null } }],
  ['currency', { price: { ...price, currency: 'usd' } }],
  ['interval', { price: { ...price, interval: 'week' } }],
  ['interval', { price: { ...price, interval: 'day', intervalCount: 30 } }],
  ['other_tax', { tax: 'other' }],
  ['paused', { isCollectionPaused: true }],
  ['paused', { status: 'paused' }],
  ['by_invoice', { isInvoiced: true }],
  ['bank_debit', { method: 'bacs_debit' }],
  ['bank_debit', { method: 'sepa_debit' }],
  ['no_card_for_trial', { status: 'trialing', isSettled: false }],
  ['pays_others', { paysOthers: true }],
  ['scheduled', { hasSchedule: true }],
  ['change_waiting', { hasPendingUpdate: true }],
  ['unknown_status', { status: 'resting' }],
]

test.each(refused)('%s stays at Stripe: %j', (reason, facts) => {
  expect(adoptionRefusal({ ...plain, ...facts })).toBe(reason)
})

describe('a subscription that can be adopted', () => {
  test.each<[string, Partial<AdoptionFacts>, ReturnType<typeof adoptionNotesOf>]>([
    ['VAT on top', { tax: 'on_top' }, []],
    ['no tax', { tax: 'none' }, ['gross']],
    ['tax inside', { tax: 'inside' }, ['gross']],
    ['yearly', { price: { ...price, interval: 'year' }, tax: 'on_top' }, ['not_monthly']],
    ['quarterly', { price: { ...price, intervalCount: 3 }, tax: 'on_top' }, ['not_monthly']],
    ['past due', { status: 'past_due', tax: 'on_top' }, ['past_due']],
    ['unpaid', { status: 'unpaid', tax: 'on_top' }, ['unpaid']],
    ['cancelled, not lapsed', { endsAt: plain.paidUntil, tax: 'on_top' }, ['ending']],
    ['a trial with a card', { status: 'trialing', tax: 'on_top' }, ['trial']],
    ['by Link', { method: 'link', tax: 'on_top' }, []],
    ['by PayPal', { method: 'paypal', tax: 'on_top' }, []],
    ['without a card', { method: null, tax: 'on_top' }, ['no_card']],
    ['with a program’s fee', { application: 'Ghost', applicationFee: 2, tax: 'on_top' }, ['fee']],
  ])('%s', (_name, facts, notes) => {
    expect(adoptionRefusal({ ...plain, ...facts })).toBeNull()
    expect(adoptionNotesOf({ ...plain, ...facts })).toEqual(notes)
  })
})

test('each reason has its own words and its own remedy, and no note is forgotten', () => {
  const says = adoptionRefusals.map((reason) => refusalWords[reason].says)
  expect(new Set(says).size).toBe(adoptionRefusals.length)
  expect(stayText({ ...plain, price: { ...price, amount: 250_000, interval: 'year' } }, 'bank_debit')).toBe(
    'sub_1 (£2,500.00 a year) is paid by Direct Debit or another way that takes days. Ask them to pay by card, then read again.',
  )
  const all = adoptionNotesOf({
    ...plain,
    status: 'past_due',
    endsAt: plain.paidUntil,
    method: null,
    applicationFee: 1,
    hasDiscount: true,
    price: { ...price, interval: 'year' },
  })
  expect(adoptionNotes.filter((note) => !all.includes(note))).toEqual(['unpaid', 'trial'])
})

test('VAT is one sixth of what’s charged, so the charge never changes', () => {
  expect(adoptedCharge(plain)).toEqual({ charged: 4899, kept: 4082 })
  expect(keptText(plain)).toBe('You keep £40.82 of £48.99.')
  expect(adoptedCharge({ ...plain, tax: 'on_top' })).toEqual({ charged: 5879, kept: 4899 })
  expect(keptText({ ...plain, tax: 'on_top' })).toBeNull()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (gross) => {
      const vat = vatWithin(gross)
      // The nearest penny to a sixth, up where it's halfway.
      expect(Math.abs(vat * 6 - gross)).toBeLessThanOrEqual(3)
      expect(vat * 6 - gross).not.toBe(-3)
      expect(Math.abs(vatOn(gross - vat) - vat)).toBeLessThanOrEqual(1)
    }),
  )
})

test('an owner’s choice names a price and a tier, or none', () => {
  expect(parseTierChoice('price_1Example=standard')).toEqual({ price: 'price_1Example', tier: 'standard' })
  expect(parseTierChoice('ruby-express.932=none')).toEqual({ price: 'ruby-express.932', tier: 'none' })
  for (const wrong of ['price_1', 'price_1=Gold', '=lite', 'price_1=lite=xl']) expect(parseTierChoice(wrong)).toBeNull()
})

test('a price is named as it’s charged', () => {
  const named = (more: object) => priceText({ price: { ...price, ...more } })
  expect([named({}), named({ interval: 'year' }), named({ intervalCount: 3 }), named({ currency: 'usd' })]).toEqual([
    '£48.99 a month',
    '£48.99 a year',
    '£48.99 every 3 months',
    '48.99 USD a month',
  ])
})
