import * as v from 'valibot'
import { Day, Email, Id, Line, Pence, RequiredLine, TermsVersion } from './fields.ts'
import { PricePeriod, TierSlug } from './tier.ts'

export const BillingAddress = v.object({
  line1: RequiredLine('Address'),
  line2: v.optional(Line(200)),
  town: RequiredLine('Town', 100),
  postcode: RequiredLine('Postcode', 20),
  /** ISO 3166-1 alpha-2. */
  country: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^[A-Z]{2}$/, 'Choose a country.')),
})
export type BillingAddress = v.InferOutput<typeof BillingAddress>

/**
 * `priceId` is one of the tier's prices; without it, the month's is meant. We never charge `tierPrice` (pence), only compare it with
 * that price if it's sent. `applicationId` is an application from
 * this browser; its phone, business and trade fill the new profile.
 */
export const CreateSubscriptionRequest = v.strictObject({
  email: Email,
  name: RequiredLine('Name'),
  /** Without it, the default tier is meant. */
  tierSlug: v.optional(TierSlug),
  tierPrice: v.optional(Pence),
  priceId: v.optional(Id),
  billingAddress: v.optional(BillingAddress),
  applicationId: v.optional(Id),
  termsVersion: v.optional(TermsVersion),
})
export type CreateSubscriptionRequest = v.InferOutput<typeof CreateSubscriptionRequest>

/**
 * `net`, `vat`, `total` are pence a month or year. If it `isDue`, we take `total` today, and again on `nextPaymentOn`, a day of
 * Europe/London. If not, the first months are free and we take it on that day first.
 */
export const CreateSubscriptionResponse = v.object({
  clientSecret: v.string(),
  subscriptionId: v.string(),
  net: Pence,
  vat: Pence,
  total: Pence,
  nextPaymentOn: Day,
  isDue: v.boolean(),
  every: v.optional(PricePeriod, 'month'),
  /** The buying account's address, which may differ from the one that was sent. */
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
/**
 * Stripe's eight statuses, `none` for someone who has never had a subscription, and `unrecognised` for one that runs at a price which
 * names no tier: it gives no access until the owners say which it is.
 */
export const SubscriptionStatus = v.picklist([...subscriptionStatuses, 'none', 'unrecognised'])
export type SubscriptionStatus = v.InferOutput<typeof SubscriptionStatus>

/** Amounts are of one period, which is a month unless `months` or `days` says otherwise. `vatRate`: per cent where it isn't 20. */
export const PeriodPrice = v.object({
  net: Pence,
  vat: Pence,
  total: Pence,
  vatRate: v.optional(v.number()),
  months: v.optional(v.number()),
  days: v.optional(v.number()),
  /** Which of the tier's prices, where that isn't the month's. */
  priceId: v.optional(Id),
})

export const Plan = v.object({ slug: TierSlug, name: v.string(), ...PeriodPrice.entries })
export type Plan = v.InferOutput<typeof Plan>

/** What `/reactivate` and Billing offer in a membership state. */
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

/** The tier the next payment is for, from a day of Europe/London. */
export const NextPlan = v.object({ ...Plan.entries, from: v.string() })
export type NextPlan = v.InferOutput<typeof NextPlan>

/**
 * The next payment, as the provider says. `due` is what we'll take: the period's `total` less what's in credit, plus what was owed
 * before. `on` is a day of Europe/London.
 */
export const NextPayment = v.object({
  on: v.string(),
  net: v.number(),
  vat: v.number(),
  total: v.number(),
  fromCredit: v.number(),
  due: v.number(),
  /** Only a month's full price, by card: each month after costs the same. */
  isEveryMonth: v.optional(v.boolean()),
  /** The same of a year. */
  isEveryYear: v.optional(v.boolean()),
  /** Pence that stay in credit, where the total is below nought. */
  toCredit: v.optional(v.number()),
  /** What's in it beside the membership, in pence with VAT. */
  others: v.optional(v.array(v.object({ description: v.string(), total: v.number() }))),
})
export type NextPayment = v.InferOutput<typeof NextPayment>

/** What a pause of payments does with the invoices of its time. The subscription stays active. */
export const collectionPauses = ['void', 'keep_as_draft', 'mark_uncollectible'] as const

/** Payments are paused. `until` is the day on which they start again; null if there's none yet. */
export const PaymentPause = v.object({ until: v.nullable(v.string()) })
export type PaymentPause = v.InferOutput<typeof PaymentPause>

const owed = {
  net: Pence,
  vat: Pence,
  total: Pence,
  /** Per cent. Null if the invoice's lines differ, absent if we don't know. */
  vatRate: v.optional(v.nullable(v.number())),
  due: v.optional(Pence),
  fromCredit: v.optional(Pence),
}

/**
 * Stripe's newest unpaid invoice. Amounts are pence; `created` is ISO-8601 UTC. `due` is what's left to pay: credit that came from
 * money pays `fromCredit` of it, and a debt from before comes on top.
 */
export const OpenInvoice = v.object({ id: v.string(), ...owed, created: v.string() })
export type OpenInvoice = v.InferOutput<typeof OpenInvoice>

/** The billing view. `next_billing_date` is unix seconds; days are YYYY-MM-DD of Europe/London. */
/** A membership that owners have set to begin on a day. No `payment` if Stripe doesn't say what it will cost. */
export const WaitingMembership = v.object({ on: v.string(), payment: v.optional(NextPayment) })
export type WaitingMembership = v.InferOutput<typeof WaitingMembership>

export const BillingSubscription = v.object({
  status: SubscriptionStatus,
  next_billing_date: v.nullable(v.number()),
  label: v.string(),
  showsBanner: v.boolean(),
  hasAccess: v.boolean(),
  isComplimentary: v.boolean(),
  isRevoked: v.boolean(),
  isOwner: v.boolean(),
  /** They've had access by a subscription, or have paid. */
  hasBeenMember: v.boolean(),
  plan: v.nullable(Plan),
  firstPaymentOn: v.nullable(v.string()),
  endsOn: v.nullable(v.string()),
  freeUntil: v.optional(v.string()),
  /** The last day of free access that has run out. */
  freeEndedOn: v.optional(v.string()),
  isNextFree: v.optional(v.boolean()),
  /** Nothing stayed of what the current period asked for: it was written off, voided, kept as a draft or given back. */
  isNotPaid: v.optional(v.boolean()),
  /** Pence of a renewal that's still a draft: Stripe holds it for about an hour before charging. */
  beingTaken: v.optional(Pence),
  endedOn: v.nullable(v.string()),
  graceEndsOn: v.nullable(v.string()),
  offer: Offer,
  nextPlan: v.nullable(NextPlan),
  /** Absent if nothing comes next, or we don't know it: then nothing promises a payment. */
  nextPayment: v.optional(NextPayment),
  /** Begins after this one, or without one. Until then nothing is sold beside it. */
  waitingStart: v.optional(WaitingMembership),
  pause: v.optional(PaymentPause),
  /** The day on which the access of a paused membership ends, while it has any. */
  pausedAccessEndsOn: v.optional(v.string()),
  /** A payment is coming, and there's nothing to take it from. */
  isCardMissing: v.optional(v.boolean()),
  openInvoice: v.nullable(OpenInvoice),
})
export type BillingSubscription = v.InferOutput<typeof BillingSubscription>

/** A credit note for all or part of an invoice. `created` is unix seconds, `total` pence including VAT. */
export const InvoiceCreditNote = v.object({
  id: v.string(),
  number: v.string(),
  kind: v.picklist(['refund', 'correction', 'removal']),
  invoice: v.string(),
  created: v.number(),
  total: Pence,
  url: v.string(),
  pdf: v.string(),
})
export type InvoiceCreditNote = v.InferOutput<typeof InvoiceCreditNote>

/**
 * `created` is unix seconds, `total` pence including VAT. A paid invoice has the id, number, page and PDF of our VAT invoice. An
 * unpaid one has Stripe's id and page, and no number or PDF yet.
 */
export const Invoice = v.object({
  id: v.string(),
  number: v.nullable(v.string()),
  status: v.string(),
  created: v.number(),
  total: v.number(),
  hosted_invoice_url: v.nullable(v.string()),
  invoice_pdf: v.nullable(v.string()),
  /** Unix seconds; absent if it's unpaid. */
  paid_at: v.optional(v.number()),
  /** The number of the invoice this one corrects, which a credit note has cancelled. */
  replaces: v.optional(v.string()),
  /** Paid to another program before we took over, so it has no number of ours and Stripe's page. */
  isHistory: v.optional(v.boolean()),
  /** Pence they owed from before, which were taken with it and are no part of `total`. */
  fromBefore: v.optional(Pence),
  /** Pence refunded so far, including VAT. */
  refunded: v.optional(Pence),
  credit_notes: v.optional(v.array(InvoiceCreditNote)),
})
export type Invoice = v.InferOutput<typeof Invoice>

export const PaymentConfig = v.object({ publishableKey: v.string(), isSandbox: v.boolean() })
export type PaymentConfig = v.InferOutput<typeof PaymentConfig>

/** How a member pays: a card's brand, last four digits and expiry, or only `type` (`paypal`). */
export const PaymentMethod = v.object({
  type: v.string(),
  brand: v.nullable(v.string()),
  last4: v.nullable(v.string()),
  expMonth: v.nullable(v.number()),
  expYear: v.nullable(v.number()),
  /** The browser can confirm a payment with it, so the member needn't type the card again. */
  id: v.string(),
})
export type PaymentMethod = v.InferOutput<typeof PaymentMethod>

/** Null if nothing is on file. */
export const PaymentMethodResponse = v.object({ paymentMethod: v.nullable(PaymentMethod) })

/** Null until the member enters one. */
export const BillingAddressResponse = v.object({ address: v.nullable(BillingAddress) })

/** We only compare `tierPrice` (pence) with the tier's price. The change takes effect with the next payment. */
export const ChangeTierRequest = v.strictObject({
  tierSlug: TierSlug,
  tierPrice: v.optional(Pence),
  priceId: v.optional(Id),
})
export type ChangeTierRequest = v.InferOutput<typeof ChangeTierRequest>

const changes = ['resume', 'cancel', 'tier', 'free-month', 'no-free-month'] as const

/** What the next payment would be after a change that isn't made yet. `tierSlug` is the tier of `tier`. */
export const NextPaymentQuery = v.object({
  change: v.picklist(changes),
  tierSlug: v.optional(TierSlug),
  priceId: v.optional(Id),
})
export type NextPaymentQuery = v.InferOutput<typeof NextPaymentQuery>

/** Null if the provider doesn't say. */
export const NextPaymentPreview = v.object({
  nextPayment: v.nullable(NextPayment),
  /** Begins after a cancellation. */
  waitingStart: v.optional(WaitingMembership),
})
export type NextPaymentPreview = v.InferOutput<typeof NextPaymentPreview>

/** The SetupIntent with which the browser confirms a new card, without a charge. */
export const CardSetup = v.object({ clientSecret: v.string() })
export type CardSetup = v.InferOutput<typeof CardSetup>

/** The payment of an open invoice; the secret is null if it has been paid since. Amounts are pence. */
export const OpenInvoicePayment = v.object({
  invoiceId: v.string(),
  clientSecret: v.nullable(v.string()),
  ...owed,
})
export type OpenInvoicePayment = v.InferOutput<typeof OpenInvoicePayment>

export const InvoiceList = v.array(Invoice)
