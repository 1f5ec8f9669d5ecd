import { invalid } from '#api/sandbox/errors.ts'
import type { Price, Subscription, SubscriptionItem, TaxRate } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'

function planOf(price: Price): SubscriptionItem['plan'] {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

export function recurringPrice(ctx: Context, id: string, param: string): Price {
  const price = getObject(ctx, 'price', id, param)
  if (price.recurring === null) {
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      {
        param,
      },
    )
  }
  if (!price.active || !getObject(ctx, 'product', price.product).active) {
    throw invalid(`The price specified is inactive. This field only accepts active prices.`, { param })
  }
  return price
}

export function taxRatesOf(ctx: Context, ids: string[] | null | undefined, param: string): TaxRate[] {
  return (ids ?? []).map((id, index) => getObject(ctx, 'tax_rate', id, `${param}[${index}]`))
}

export function withPrice(item: SubscriptionItem, price: Price): SubscriptionItem {
  return { ...item, price, plan: planOf(price) }
}

export function itemOfPrice(ctx: Context, subscription: string, price: Price): SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: ctx.now,
    current_period_end: ctx.now,
    current_period_start: ctx.now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1,
    subscription,
    tax_rates: [],
  }
}

type DraftFields = Pick<
  Subscription,
  | 'billing_mode'
  | 'customer'
  | 'currency'
  | 'default_payment_method'
  | 'default_tax_rates'
  | 'description'
  | 'discounts'
  | 'items'
  | 'metadata'
  | 'payment_settings'
  | 'trial_end'
  | 'trial_settings'
>

function unusedFields() {
  return {
    application: null,
    application_fee_percent: null,
    billing_cycle_anchor_config: null,
    billing_thresholds: null,
    customer_account: null,
    days_until_due: null,
    default_source: null,
    managed_payments: null,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pending_invoice_item_interval: null,
    pending_update: null,
    schedule: null,
    transfer_data: null,
  }
}

export function defaultSubscriptionSettings() {
  return {
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off' as const,
    },
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' as const },
    },
  }
}

const flexible = { flexible: { proration_discounts: 'included' as const }, type: 'flexible' as const }

export const billingModeOf = (type: 'classic' | 'flexible' = 'flexible'): Subscription['billing_mode'] =>
  type === 'classic' ? { flexible: null, type } : flexible

export function draftSubscription(ctx: Context, id: string, fields: DraftFields): Subscription {
  const trialing = fields.trial_end !== null
  return {
    id,
    object: 'subscription',
    ...unusedFields(),
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: fields.trial_end ?? ctx.now,
    billing_schedules: [],
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: ctx.now,
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    latest_invoice: null,
    livemode: false,
    pause_collection: null,
    pending_setup_intent: null,
    start_date: ctx.now,
    status: trialing ? 'trialing' : 'incomplete',
    test_clock: getObject(ctx, 'customer', fields.customer).test_clock,
    trial_start: trialing ? ctx.now : null,
    hidden: { trialEndAnnounced: false, resume: null },
    ...fields,
  }
}
