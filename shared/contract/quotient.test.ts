import * as v from 'valibot'
import { expect, test } from 'vitest'
import page from '#data/content/pages/quotient.json' with { type: 'json' }
import { QuotientOrderForm, quotientManufacturers, quotientTrades } from './quotient.ts'
import { QuotientText } from './texts/quotient.ts'

const { trades, manufacturers } = v.parse(QuotientText, page).checkout

test('ENT-28 the order form: its fields, and which must be filled in', () => {
  expect(Object.keys(QuotientOrderForm.entries).join(' ')).toBe(
    'firstName lastName email phone businessName tradeType preferredManufacturer warrantyBoostPrice cheapestCarePlanPrice generalHourlyRate generalInstallRate generalDayRate vatRegistered additionalRequirements agreeToTerms',
  )
  const least = {
    firstName: 'Sam',
    lastName: 'Field',
    email: 'sam@example.com',
    businessName: 'Field',
    agreeToTerms: true,
  }
  expect(v.is(QuotientOrderForm, least)).toBe(true)
  for (const name of Object.keys(least)) {
    expect([name, v.is(QuotientOrderForm, { ...least, [name]: undefined })]).toEqual([name, false])
  }
  expect(v.is(QuotientOrderForm, { ...least, agreeToTerms: false })).toBe(false)
  expect(v.is(QuotientOrderForm, { ...least, generalDayRate: '450.00', vatRegistered: 'yes' })).toBe(true)
})

test('ENT-30 the trades and their labels', () => {
  expect(quotientTrades.map((trade) => [trade, trades[trade]])).toEqual([
    ['heating', 'Heating Engineer'],
    ['plumbing', 'Plumber'],
    ['gas', 'Gas Engineer'],
    ['electrical', 'Electrician'],
    ['bathroom', 'Bathroom Fitter'],
    ['general', 'General Builder'],
    ['other', 'Other'],
  ])
})

test('ENT-31 the manufacturers', () => {
  expect(quotientManufacturers).toEqual(['worcester', 'vaillant', 'baxi', 'ideal', 'viessmann', 'alpha', 'other'])
  expect(Object.keys(manufacturers)).toEqual([...quotientManufacturers])
})
