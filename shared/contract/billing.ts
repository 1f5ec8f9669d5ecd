import * as v from 'valibot'
import { Day, Email, Id, Line, Pence, RequiredLine } from './fields.ts'
import { TierSlug } from './tier.ts'

export const BillingAddress = v.object({
  line1: RequiredLine('Address'),
  line2: v.optional(Line(200)),
  town: RequiredLine('Town', 100),
  postcode: RequiredLine('Postcode', 20),
  /** ISO 3166-1 alpha-2. */
  country: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/, 'Please choose a country.')),
})
export type BillingAddress = v.InferOutput<typeof BillingAddress>

/**
 * `tierPrice` (pence) is only compared with the tier's row, never charged; absent, it is not compared.
 * `applicationId` names the application sent from this browser, whose phone, business and trade fill the new profile.
 */
export const CreateSubscriptionRequest = v.object({
  email: Email,
  name: RequiredLine('Name'),
  tierSlug: v.optional(TierSlug, 'standard'),
  tierPrice: v.optional(Pence),
  billingAddress: v.optional(BillingAddress),
  applicationId: v.optional(Id),
})
export type CreateSubscriptionRequest = v.InferOutput<typeof CreateSubscriptionRequest>

/** `net`, `vat`, `total` are pence a month; `total` is taken today, and again on `nextPaymentOn`, a day of Europe/London. */
export const CreateSubscriptionResponse = v.object({
  clientSecret: v.string(),
  subscriptionId: v.string(),
  net: Pence,
  vat: Pence,
  total: Pence,
  nextPaymentOn: Day,
  /** Of the account that buys, whatever address was sent. */
  email: v.string(),
})
export type CreateSubscriptionResponse = v.InferOutput<typeof CreateSubscriptionResponse>

export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'paused',
] as const
/** Stripe's eight statuses, and `none` where there was never a subscription. */
export const SubscriptionStatus = v.picklist([...subscriptionStatuses, 'none'])
export type SubscriptionStatus = v.InferOutput<typeof SubscriptionStatus>

export const Plan = v.object({ slug: TierSlug, name: v.string(), net: Pence, vat: Pence, total: Pence })
export type Plan = v.InferOutput<typeof Plan>

/** What `/reactivate` and Billing offer in a state. */
export const Offer = v.picklist([
  'subscribe',
  'pay_or_change_tier',
  'nothing',
  'already_active',
  'resume',
  'pay_or_change_card',
  'pay_or_restart',
])
export type Offer = v.InferOutput<typeof Offer>

/** The tier that the next payment will be for, from a day of Europe/London. */
export const NextPlan = v.object({ ...Plan.entries, from: v.string() })
export type NextPlan = v.InferOutput<typeof NextPlan>

/** The newest demand that is not paid, in pence; `created` is ISO-8601 UTC. */
export const OpenInvoice = v.object({ id: v.string(), net: Pence, vat: Pence, total: Pence, created: v.string() })
export type OpenInvoice = v.InferOutput<typeof OpenInvoice>

/** The billing view. `next_billing_date` is unix seconds; days are YYYY-MM-DD of Europe/London. */
export const BillingSubscription = v.object({
  status: SubscriptionStatus,
  next_billing_date: v.nullable(v.number()),
  label: v.string(),
  showsBanner: v.boolean(),
  hasAccess: v.boolean(),
  isComplimentary: v.boolean(),
  isRevoked: v.boolean(),
  plan: v.nullable(Plan),
  firstPaymentOn: v.nullable(v.string()),
  endsOn: v.nullable(v.string()),
  graceEndsOn: v.nullable(v.string()),
  offer: Offer,
  nextPlan: v.nullable(NextPlan),
  openInvoice: v.nullable(OpenInvoice),
})
export type BillingSubscription = v.InferOutput<typeof BillingSubscription>

/** What took back a payment's invoice, whole or in part. `created` is unix seconds, `total` pence including VAT. */
export const InvoiceCreditNote = v.object({
  id: v.string(),
  number: v.string(),
  kind: v.picklist(['refund', 'correction', 'removal']),
  /** The number of the invoice that it takes back. */
  invoice: v.string(),
  created: v.number(),
  total: Pence,
  url: v.string(),
  pdf: v.string(),
})
export type InvoiceCreditNote = v.InferOutput<typeof InvoiceCreditNote>

/**
 * `created` is unix seconds, `total` pence including VAT. Of a paid one, `id`, `number`, page and PDF are those of our VAT
 * invoice. One that is not paid has no number and no PDF yet, and the provider's id and page.
 */
export const Invoice = v.object({
  id: v.string(),
  number: v.nullable(v.string()),
  status: v.string(),
  created: v.number(),
  total: v.number(),
  hosted_invoice_url: v.nullable(v.string()),
  invoice_pdf: v.nullable(v.string()),
  /** The number of the invoice that this one was issued to put right; a credit note took that back. */
  replaces: v.optional(v.string()),
  /** Pence including VAT that went back so far. */
  refunded: v.optional(Pence),
  credit_notes: v.optional(v.array(InvoiceCreditNote)),
})
export type Invoice = v.InferOutput<typeof Invoice>

/** What the browser needs to show the provider's card form. */
export const PaymentConfig = v.object({ publishableKey: v.string(), isSandbox: v.boolean() })
export type PaymentConfig = v.InferOutput<typeof PaymentConfig>

/** How a member pays: a card's brand, last four digits and expiry, or `type` alone (`paypal`). */
export const PaymentMethod = v.object({
  type: v.string(),
  brand: v.nullable(v.string()),
  last4: v.nullable(v.string()),
  expMonth: v.nullable(v.number()),
  expYear: v.nullable(v.number()),
  /** What the browser confirms a payment with, without typing the card again. */
  id: v.string(),
})
export type PaymentMethod = v.InferOutput<typeof PaymentMethod>

/** Null where nothing is on file. */
export const PaymentMethodResponse = v.object({ paymentMethod: v.nullable(PaymentMethod) })

/** Null until one was given. */
export const BillingAddressResponse = v.object({ address: v.nullable(BillingAddress) })

/** `tierPrice` (pence) is only compared with the tier's row; the change takes effect with the next payment. */
export const ChangeTierRequest = v.object({ tierSlug: TierSlug, tierPrice: v.optional(Pence) })
export type ChangeTierRequest = v.InferOutput<typeof ChangeTierRequest>

/** What the browser confirms another card with; nothing is charged. */
export const CardSetup = v.object({ clientSecret: v.string() })
export type CardSetup = v.InferOutput<typeof CardSetup>

/** The payment of an open invoice; no secret where it was paid in the meantime. Amounts are pence. */
export const OpenInvoicePayment = v.object({
  invoiceId: v.string(),
  clientSecret: v.nullable(v.string()),
  net: Pence,
  vat: Pence,
  total: Pence,
})
export type OpenInvoicePayment = v.InferOutput<typeof OpenInvoicePayment>

export const InvoiceList = v.array(Invoice)
