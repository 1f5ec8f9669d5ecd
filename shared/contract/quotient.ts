import * as v from 'valibot'
import { Email, Pence, RequiredText, Text } from './fields.ts'

/** The set-up packages of the quoting system. */
export const quotientPackages = ['professional', 'master'] as const
export const QuotientPackage = v.picklist(quotientPackages, 'Please choose one of the packages.')
export type QuotientPackage = v.InferOutput<typeof QuotientPackage>

/** `net` is pence excluding VAT: what is charged. `price` says the same in words. */
export const QuotientSetup = v.object({
  key: QuotientPackage,
  name: v.string(),
  net: Pence,
  price: v.string(),
  features: v.array(v.string()),
})
export type QuotientSetup = v.InferOutput<typeof QuotientSetup>

export const quotientSetups: Record<QuotientPackage, QuotientSetup> = {
  professional: {
    key: 'professional',
    name: 'Professional Setup',
    net: 45_000,
    price: '£450 + VAT (£540 total)',
    features: [
      '1 Combi to Combi template',
      '1 Convert to Combi template',
      '1 Heat Only template',
      '1 Boiler Relocation template',
      '1 Boiler Repair template',
      '1 Smart Thermostat template',
      '1 System Flushing template',
      'Account setup and branding',
      '1-hour training session',
    ],
  },
  master: {
    key: 'master',
    name: 'Master Setup',
    net: 75_000,
    price: '£750 + VAT (£900 total)',
    features: [
      '2 Combi to Combi templates',
      '2 Convert to Combi templates',
      '2 Heat Only templates',
      '1 Boiler Relocation template',
      '1 Boiler Repair template',
      '1 Smart Thermostat template',
      '1 System Flushing template',
      '1 Radiator Change template',
      '30-minute sales strategy call',
      'Account setup and branding',
    ],
  },
}

export const quotientTrades = ['heating', 'plumbing', 'gas', 'electrical', 'bathroom', 'general', 'other'] as const
export const QuotientTrade = v.picklist(quotientTrades, 'Please choose one of the trades.')
export type QuotientTrade = v.InferOutput<typeof QuotientTrade>

export const quotientTradeLabels: Record<QuotientTrade, string> = {
  heating: 'Heating Engineer',
  plumbing: 'Plumber',
  gas: 'Gas Engineer',
  electrical: 'Electrician',
  bathroom: 'Bathroom Fitter',
  general: 'General Builder',
  other: 'Other',
}

export const quotientManufacturers = ['worcester', 'vaillant', 'baxi', 'ideal', 'viessmann', 'alpha', 'other'] as const
export const QuotientManufacturer = v.picklist(quotientManufacturers, 'Please choose one of the manufacturers.')
export type QuotientManufacturer = v.InferOutput<typeof QuotientManufacturer>

export const quotientManufacturerLabels: Record<QuotientManufacturer, string> = {
  worcester: 'Worcester',
  vaillant: 'Vaillant',
  baxi: 'Baxi',
  ideal: 'Ideal',
  viessmann: 'Viessmann',
  alpha: 'Alpha',
  other: 'Other',
}

export const vatRegistrations = ['yes', 'no'] as const
export const VatRegistration = v.picklist(vatRegistrations, 'Please choose yes or no.')

/** What step 1 of the checkout asks. The five prices are what somebody typed, in pounds: "14.00". */
export const QuotientOrderForm = v.object({
  firstName: RequiredText('First name', 100),
  lastName: RequiredText('Last name', 100),
  email: Email,
  phone: v.optional(Text(40)),
  businessName: RequiredText('Business name'),
  tradeType: v.optional(QuotientTrade),
  preferredManufacturer: v.optional(QuotientManufacturer),
  warrantyBoostPrice: v.optional(Text(40)),
  cheapestCarePlanPrice: v.optional(Text(40)),
  generalHourlyRate: v.optional(Text(40)),
  generalInstallRate: v.optional(Text(40)),
  generalDayRate: v.optional(Text(40)),
  vatRegistered: v.optional(VatRegistration),
  additionalRequirements: v.optional(Text(5000)),
  agreeToTerms: v.literal(true, 'Please agree to the terms'),
})
export type QuotientOrderForm = v.InferOutput<typeof QuotientOrderForm>
