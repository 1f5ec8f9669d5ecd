import { expect, test } from 'vitest'
import { adoptionRefusal } from '#shared/rules/adoption.ts'
import { adoptionFacts } from './adoption-facts.ts'

const until = 1_800_000_000
const plan = { id: 'gold-monthly', object: 'plan', amount: 4900, currency: 'gbp', interval: 'month', interval_count: 1 }
const price = {
  id: 'price_1',
  object: 'price',
  unit_amount: 4900,
  currency: 'gbp',
  nickname: null,
  billing_scheme: 'per_unit',
  recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
  tax_behavior: 'unspecified',
  metadata: {},
}
const list = (...data: object[]) => ({ object: 'list', data, has_more: false })
const oldCustomer = {
  id: 'cus_1',
  object: 'customer',
  email: ' Kim@Example.com ',
  description: 'Kim',
  default_source: { id: 'card_1', object: 'card', brand: 'Visa', last4: '4242', customer: 'cus_1' },
}
const card = { id: 'pm_1', object: 'payment_method', type: 'card', customer: 'cus_1' }
const customer = {
  id: 'cus_1',
  object: 'customer',
  email: 'kim@example.com',
  name: 'Kim',
  default_source: null,
  invoice_settings: { default_payment_method: card },
}
const base = { id: 'sub_1', object: 'subscription', status: 'active', cancel_at_period_end: false, metadata: {} }

/** The shapes of Stripe's API versions, where the fields we need have moved. */
const versions: Record<string, object> = {
  '2017-02-14': {
    ...base,
    customer: oldCustomer,
    plan: { ...plan, name: 'Gold' },
    quantity: 1,
    tax_percent: 20,
    billing: 'charge_automatically',
    current_period_end: until,
    discount: null,
    application_fee_percent: null,
    items: list({ id: 'si_1', plan: { ...plan, name: 'Gold' }, quantity: 1 }),
  },
  '2018-02-28': {
    ...base,
    customer: oldCustomer,
    plan,
    quantity: 1,
    tax_percent: 20,
    billing: 'charge_automatically',
    current_period_end: until,
    cancel_at: null,
    items: list({ id: 'si_1', plan: { ...plan, billing_scheme: 'per_unit', usage_type: 'licensed' }, quantity: 1 }),
  },
  '2019-05-16': {
    ...base,
    customer: oldCustomer,
    plan,
    quantity: 1,
    tax_percent: null,
    default_source: null,
    billing: 'charge_automatically',
    collection_method: 'charge_automatically',
    current_period_end: until,
    default_tax_rates: [{ id: 'txr_1', percentage: 20, inclusive: false }],
    items: list({ id: 'si_1', plan, quantity: 1, tax_rates: [] }),
  },
  '2020-08-27': {
    ...base,
    customer,
    default_payment_method: null,
    collection_method: 'charge_automatically',
    current_period_end: until,
    pause_collection: null,
    default_tax_rates: [],
    items: list({ id: 'si_1', price, plan, quantity: 1, tax_rates: [{ percentage: 20, inclusive: false }] }),
  },
  '2022-11-15': {
    ...base,
    customer,
    default_payment_method: card,
    collection_method: 'charge_automatically',
    current_period_end: until,
    automatic_tax: { enabled: true },
    application: null,
    discount: null,
    items: list({ id: 'si_1', price: { ...price, tax_behavior: 'exclusive' }, quantity: 1, tax_rates: [] }),
  },
  '2026-10-28.endive': {
    ...base,
    customer,
    default_payment_method: card,
    collection_method: 'charge_automatically',
    automatic_tax: { enabled: false },
    billing_mode: { type: 'flexible' },
    discounts: [],
    application: null,
    default_tax_rates: [{ id: 'txr_1', percentage: 20, inclusive: false }],
    items: list({ id: 'si_1', price, quantity: 1, tax_rates: [], current_period_end: until }),
  },
}

const ours = { isTier: (slug: string) => slug === 'lite' || slug === 'standard' || slug === 'xl' }

test.each(Object.entries(versions))('Stripe’s object of %s says the same', (_version, subscription) => {
  const facts = adoptionFacts(ours, subscription)
  expect(facts).toMatchObject({
    id: 'sub_1',
    customer: 'cus_1',
    email: 'kim@example.com',
    status: 'active',
    isSettled: true,
    items: 1,
    quantity: 1,
    tax: 'on_top',
    method: 'card',
    paidUntil: '2027-01-15T08:00:00.000Z',
    endsAt: null,
    isInvoiced: false,
    hasSchedule: false,
    application: null,
    hasDiscount: false,
    price: { amount: 4900, currency: 'gbp', interval: 'month', intervalCount: 1, ownTier: null },
  })
  expect(adoptionRefusal(facts)).toBeNull()
})

const now = versions['2026-10-28.endive'] ?? {}
const then = versions['2017-02-14'] ?? {}

test.each<[string, object, object]>([
  [
    'a program and its fee',
    { application: { id: 'ca_1', object: 'application', name: 'Ghost' }, application_fee_percent: 1.5 },
    { application: 'Ghost', applicationFee: 1.5 },
  ],
  ['a program without a name', { application: 'ca_1' }, { application: 'ca_1' }],
  ['VAT within a rate', { default_tax_rates: [{ percentage: 20, inclusive: true }] }, { tax: 'inside' }],
  [
    'VAT within a price',
    { default_tax_rates: [], items: list({ price: { ...price, tax_behavior: 'inclusive' }, quantity: 1 }) },
    { tax: 'inside' },
  ],
  ['another tax', { default_tax_rates: [{ percentage: 5, inclusive: false }] }, { tax: 'other' }],
  ['a rate of nothing', { default_tax_rates: [{ percentage: 0, inclusive: false }] }, { tax: 'none' }],
  [
    'a rate of the item',
    { items: list({ price, quantity: 1, tax_rates: [{ percentage: 9, inclusive: false }] }) },
    { tax: 'other' },
  ],
  ['seats', { items: list({ price, quantity: 4 }) }, { quantity: 4 }],
  ['more items than are listed', { items: { ...list({ price, quantity: 1 }), has_more: true } }, { items: 2 }],
  ['two items', { items: list({ price, quantity: 1 }, { price, quantity: 1 }) }, { items: 2 }],
  [
    'metered use',
    { items: list({ price: { ...price, recurring: { interval: 'month', usage_type: 'metered' } } }) },
    { price: { amount: null } },
  ],
  [
    'steps',
    { items: list({ price: { ...price, billing_scheme: 'tiered', unit_amount: null } }) },
    { price: { amount: null } },
  ],
  ['Direct Debit', { default_payment_method: { ...card, type: 'bacs_debit' } }, { method: 'bacs_debit' }],
  ['Link', { default_payment_method: { ...card, type: 'link' } }, { method: 'link' }],
  [
    'a detached card, and the customer’s own',
    { default_payment_method: { ...card, customer: null } },
    { method: 'card' },
  ],
  [
    'no card at all',
    { default_payment_method: null, customer: { ...customer, invoice_settings: { default_payment_method: null } } },
    { method: null },
  ],
  [
    'an unfinished setup',
    { status: 'trialing', pending_setup_intent: { status: 'requires_action' } },
    { isSettled: false },
  ],
  ['a pause', { pause_collection: { behavior: 'void' } }, { isCollectionPaused: true }],
  ['a schedule', { schedule: 'sub_sched_1' }, { hasSchedule: true }],
  ['a change under way', { pending_update: { expires_at: until } }, { hasPendingUpdate: true }],
  ['a transfer', { transfer_data: { destination: 'acct_2' } }, { paysOthers: true }],
  ['an end', { cancel_at_period_end: true }, { endsAt: '2027-01-15T08:00:00.000Z' }],
  [
    'a deleted customer',
    { customer: { id: 'cus_1', object: 'customer', deleted: true } },
    { isCustomerDeleted: true, email: null },
  ],
  ['a coupon', { discounts: ['di_1'] }, { hasDiscount: true }],
])('%s', (_name, change, facts) => {
  expect(adoptionFacts(ours, { ...now, ...change })).toMatchObject(facts)
})

test('an old subscription’s own invoice, coupon and bank account are seen too', () => {
  const bank = { ...oldCustomer, default_source: { id: 'ba_1', object: 'bank_account' } }
  expect(
    adoptionFacts(ours, { ...then, billing: 'send_invoice', discount: { id: 'di_1' }, customer: bank }),
  ).toMatchObject({
    isInvoiced: true,
    hasDiscount: true,
    method: 'bank_account',
  })
})
