import * as v from 'valibot'
import { quotientPackages } from '#shared/values/column-values.ts'
import { BillingAddress } from './billing.ts'
import {
  Day,
  Email,
  Id,
  Line,
  OptionalChoice,
  OptionalLine,
  OptionalText,
  Pence,
  RequiredLine,
  TermsVersion,
  Text,
} from './fields.ts'
import { listEntries } from './listing.ts'

export const quotientTrades = ['heating', 'plumbing', 'gas', 'electrical', 'bathroom', 'general', 'other'] as const
export const QuotientTrade = v.picklist(quotientTrades, 'Choose one of the trades.')
export type QuotientTrade = v.InferOutput<typeof QuotientTrade>

export const quotientManufacturers = ['worcester', 'vaillant', 'baxi', 'ideal', 'viessmann', 'alpha', 'other'] as const
export const QuotientManufacturer = v.picklist(quotientManufacturers, 'Choose one of the manufacturers.')
export type QuotientManufacturer = v.InferOutput<typeof QuotientManufacturer>

export const vatRegistrations = ['yes', 'no'] as const
export const vatRegistrationLabels = { yes: 'Yes', no: 'No' }
export const VatRegistration = v.picklist(vatRegistrations, 'Choose yes or no.')

/** Step 1 of the checkout. The five prices are text as the customer typed it, in pounds: "14.00". */
export const QuotientOrderForm = v.object({
  firstName: RequiredLine('First name', 100),
  lastName: RequiredLine('Last name', 100),
  email: Email,
  phone: v.optional(Line(40)),
  businessName: RequiredLine('Business name'),
  tradeType: v.optional(QuotientTrade),
  preferredManufacturer: v.optional(QuotientManufacturer),
  warrantyBoostPrice: v.optional(Line(40)),
  cheapestCarePlanPrice: v.optional(Line(40)),
  generalHourlyRate: v.optional(Line(40)),
  generalInstallRate: v.optional(Line(40)),
  generalDayRate: v.optional(Line(40)),
  vatRegistered: v.optional(VatRegistration),
  additionalRequirements: v.optional(Text(5000)),
  agreeToTerms: v.literal(true, 'Agree to the terms'),
})
export type QuotientOrderForm = v.InferOutput<typeof QuotientOrderForm>

export const quotientLabels = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  businessName: 'Business name',
  tradeType: 'Trade type',
  preferredManufacturer: 'Preferred manufacturer',
  warrantyBoostPrice: 'Warranty boost price',
  cheapestCarePlanPrice: 'Cheapest care plan price',
  generalHourlyRate: 'General hourly rate',
  generalInstallRate: 'General install rate',
  generalDayRate: 'General day rate',
  vatRegistered: 'VAT registered',
  additionalRequirements: 'Additional requirements',
}

export const QuotientPackage = v.picklist(quotientPackages, 'Choose one of the two packages.')
export type QuotientPackage = v.InferOutput<typeof QuotientPackage>

/**
 * `name` is the first and last name joined; if they're also sent separately, we store them as sent. We only compare `packagePrice`
 * (net pence), never charge it. `replaces` is the id of this browser's unpaid order, which this one replaces.
 */
export const CreateQuotientPaymentRequest = v.strictObject({
  email: Email,
  name: RequiredLine('Name', 201),
  firstName: OptionalLine(100),
  lastName: OptionalLine(100),
  phone: OptionalLine(40),
  businessName: OptionalLine(200),
  packageType: QuotientPackage,
  tradeType: OptionalChoice(quotientTrades, 'Choose one of the trades.'),
  preferredManufacturer: OptionalChoice(quotientManufacturers, 'Choose one of the manufacturers.'),
  warrantyBoostPrice: OptionalLine(40),
  cheapestCarePlanPrice: OptionalLine(40),
  generalHourlyRate: OptionalLine(40),
  generalInstallRate: OptionalLine(40),
  generalDayRate: OptionalLine(40),
  vatRegistered: OptionalChoice(vatRegistrations, 'Choose yes or no.'),
  additionalRequirements: OptionalText(5000),
  agreeToTerms: v.optional(v.literal(true, 'Agree to the terms')),
  packagePrice: v.optional(Pence),
  billingAddress: v.optional(BillingAddress),
  replaces: v.optional(Id),
  termsVersion: v.optional(TermsVersion),
})
export type CreateQuotientPaymentRequest = v.InferOutput<typeof CreateQuotientPaymentRequest>

/** Amounts are pence; we take `total` once, when the browser confirms the payment. */
export const CreateQuotientPaymentResponse = v.object({
  clientSecret: v.string(),
  orderId: Id,
  net: Pence,
  vat: Pence,
  total: Pence,
})
export type CreateQuotientPaymentResponse = v.InferOutput<typeof CreateQuotientPaymentResponse>

/** `clientSecret` is the one the browser confirmed the payment with, or the bank's page passed back. */
export const QuotientPaymentStateRequest = v.object({
  clientSecret: v.fallback(v.pipe(v.string(), v.maxLength(500)), ''),
})

/** `confirming`: the payment has started, and Stripe hasn't reported its outcome yet. */
export const QuotientPaymentState = v.object({
  state: v.picklist(['paid', 'confirming', 'unpaid', 'refunded']),
  orderId: Id,
})
export type QuotientPaymentState = v.InferOutput<typeof QuotientPaymentState>

/** `cancelled`: never paid, and can't be paid any more. */
export const quotientOrderStatuses = ['pending', 'paid', 'refunded', 'cancelled'] as const

/** An order as owners see it; amounts are pence. */
export const AdminQuotientOrder = v.object({
  id: v.string(),
  status: v.picklist(quotientOrderStatuses),
  packageType: QuotientPackage,
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  businessName: v.string(),
  tradeType: v.nullable(QuotientTrade),
  preferredManufacturer: v.nullable(QuotientManufacturer),
  /** As the content calls them. */
  tradeName: v.nullable(v.string()),
  manufacturerName: v.nullable(v.string()),
  warrantyBoostPrice: v.nullable(v.string()),
  cheapestCarePlanPrice: v.nullable(v.string()),
  generalHourlyRate: v.nullable(v.string()),
  generalInstallRate: v.nullable(v.string()),
  generalDayRate: v.nullable(v.string()),
  vatRegistered: v.nullable(VatRegistration),
  additionalRequirements: v.nullable(v.string()),
  net: Pence,
  vat: Pence,
  total: Pence,
  address: v.nullable(BillingAddress),
  /** The terms the buyer agreed to; null if the order is older than their names. */
  termsVersion: v.nullable(v.string()),
  createdAt: v.string(),
  paidAt: v.nullable(v.string()),
  /** The day we set up the buyer's system; null if it's still to do. */
  setUpOn: v.nullable(v.string()),
  /** Goes up with each change by an owner; a change names the one it was made from. */
  version: v.number(),
})
export type AdminQuotientOrder = v.InferOutput<typeof AdminQuotientOrder>
export const AdminQuotientOrderList = v.array(AdminQuotientOrder)

export const toSetUp = 'to-set-up'

export const AdminQuotientOrderQuery = v.object({
  ...listEntries('received', 'name', 'status'),
  show: v.optional(v.picklist([toSetUp, ...quotientOrderStatuses])),
})
export type AdminQuotientOrderQuery = v.InferOutput<typeof AdminQuotientOrderQuery>

export const SetUpRequest = v.object({ setUpOn: v.nullable(Day) })

export const SetUpChange = v.object({
  ...SetUpRequest.entries,
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type SetUpChange = v.InferOutput<typeof SetUpChange>
