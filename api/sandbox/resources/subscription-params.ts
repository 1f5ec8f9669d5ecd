import * as v from 'valibot'
import { itemPriceData } from './catalogue.ts'
import { amount, clearable, clearableText, flag, ignored, metadata, text, whole } from './params.ts'

const paymentSettings = v.optional(
  v.strictObject({
    save_default_payment_method: v.optional(v.picklist(['on_subscription', 'off'])),
    payment_method_types: v.optional(clearable(v.array(v.picklist(['card', 'paypal'])))),
    payment_method_options: ignored,
  }),
)

const trialSettings = v.optional(
  v.strictObject({
    end_behavior: v.strictObject({
      missing_payment_method: v.picklist(['cancel', 'create_invoice', 'pause']),
      billing_cycle_anchor: ignored,
    }),
  }),
)

const taxRates = v.optional(clearable(v.array(text)))

export const discounts = v.optional(
  clearable(v.array(v.strictObject({ coupon: v.optional(text), discount: v.optional(text) }))),
)

const cancellationDetails = v.optional(
  v.strictObject({ comment: v.optional(clearableText), feedback: v.optional(clearableText) }),
)

const trialEnd = v.optional(v.union([v.literal('now'), whole]))

export const billingCycleAnchor = v.optional(v.strictObject({ type: v.picklist(['now', 'unchanged']) }))

const shared = {
  automatic_tax: v.optional(v.strictObject({ enabled: v.literal('false') })),
  cancel_at: v.optional(clearable(whole)),
  cancel_at_period_end: v.optional(flag),
  collection_method: v.optional(v.literal('charge_automatically')),
  default_payment_method: v.optional(clearableText),
  default_tax_rates: taxRates,
  description: v.optional(clearableText),
  discounts,
  metadata,
  off_session: ignored,
  payment_settings: paymentSettings,
  trial_end: trialEnd,
  trial_settings: trialSettings,
}

export const createParams = {
  ...shared,
  billing_mode: v.optional(v.strictObject({ type: v.picklist(['classic', 'flexible']), flexible: ignored })),
  currency: v.optional(text),
  customer: text,
  items: v.pipe(
    v.array(
      v.strictObject({
        price: v.optional(text),
        price_data: itemPriceData,
        quantity: v.optional(amount),
        tax_rates: taxRates,
        discounts,
        metadata,
      }),
    ),
    v.minLength(1),
    v.maxLength(20),
  ),
  payment_behavior: v.optional(
    v.picklist(['allow_incomplete', 'default_incomplete', 'error_if_incomplete']),
    'allow_incomplete',
  ),
  proration_behavior: ignored,
  trial_from_plan: ignored,
  trial_period_days: v.optional(amount),
}

export const itemChanges = v.pipe(
  v.array(
    v.strictObject({
      deleted: v.optional(flag),
      id: v.optional(text),
      price: v.optional(text),
      quantity: v.optional(amount),
      tax_rates: taxRates,
      discounts,
      metadata,
    }),
  ),
  v.minLength(1),
  v.maxLength(20),
)

export const updateParams = {
  ...shared,
  billing_cycle_anchor: billingCycleAnchor,
  cancellation_details: cancellationDetails,
  items: v.optional(itemChanges),
  pause_collection: v.optional(
    clearable(
      v.strictObject({
        behavior: v.picklist(['keep_as_draft', 'mark_uncollectible', 'void']),
        resumes_at: v.optional(whole),
      }),
    ),
  ),
  payment_behavior: v.optional(
    v.picklist(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete']),
  ),
  proration_behavior: v.optional(v.picklist(['none', 'create_prorations', 'always_invoice'])),
  proration_date: v.optional(whole),
}

export const pauseParams = {
  bill_for: v.optional(
    v.strictObject({
      outstanding_usage_through: ignored,
      unused_time_from: v.optional(v.strictObject({ type: v.picklist(['item_current_period_start', 'none', 'now']) })),
    }),
  ),
  invoicing_behavior: v.optional(v.picklist(['invoice', 'pending_invoice_item']), 'pending_invoice_item'),
  type: v.optional(v.literal('subscription')),
}

export const cancelParams = {
  cancellation_details: cancellationDetails,
  invoice_now: v.optional(v.literal('false')),
  prorate: v.optional(v.literal('false')),
}

const createSchema = v.strictObject(createParams)
export type CreateParams = v.InferOutput<typeof createSchema>
