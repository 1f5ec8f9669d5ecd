import * as v from 'valibot'
import { Email, RequiredText, Text } from './fields.ts'

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
