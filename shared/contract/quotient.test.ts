import * as v from 'valibot'
import { expect, test } from 'vitest'
import { formatPounds, withVat } from '../rules/money.ts'
import {
  QuotientOrderForm,
  quotientManufacturerLabels,
  quotientManufacturers,
  quotientTradeLabels,
  quotientTrades,
} from './quotient.ts'
import { quotientPackages, quotientSetups } from './quotient-setups.ts'

test('ENT-26 the Professional set-up', () => {
  expect(quotientSetups.professional).toEqual({
    key: 'professional',
    name: 'Professional Setup',
    net: 45_000,
    price: '£450 + VAT (£540 total)',
    features: [
      ...['Combi to Combi', 'Convert to Combi', 'Heat Only', 'Boiler Relocation', 'Boiler Repair'].map(one),
      ...['Smart Thermostat', 'System Flushing'].map(one),
      'Account setup and branding',
      '1-hour training session',
    ],
  })
})

test('ENT-27 the Master set-up', () => {
  expect(quotientSetups.master).toEqual({
    key: 'master',
    name: 'Master Setup',
    net: 75_000,
    price: '£750 + VAT (£900 total)',
    features: [
      ...['Combi to Combi', 'Convert to Combi', 'Heat Only'].map((name) => `2 ${name} templates`),
      ...['Boiler Relocation', 'Boiler Repair', 'Smart Thermostat', 'System Flushing', 'Radiator Change'].map(one),
      '30-minute sales strategy call',
      'Account setup and branding',
    ],
  })
})

const one = (name: string) => `1 ${name} template`

test('ENT-26 ENT-27 what a package says it costs is what is charged', () => {
  for (const key of quotientPackages) {
    const { net, price } = quotientSetups[key]
    expect(price).toBe(`${formatPounds(net)} + VAT (${formatPounds(withVat(net).total)} total)`)
  }
})

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
  expect(quotientTrades.map((trade) => [trade, quotientTradeLabels[trade]])).toEqual([
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
  expect(Object.keys(quotientManufacturerLabels)).toEqual([...quotientManufacturers])
})
