import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import type { Customer } from '#api/sandbox/store/payment-objects.ts'

export type DraftFields = Pick<
  Invoice,
  'currency' | 'billing_reason' | 'auto_advance' | 'period_start' | 'period_end'
> &
  Partial<
    Pick<
      Invoice,
      | 'default_payment_method'
      | 'discounts'
      | 'payment_settings'
      | 'default_tax_rates'
      | 'description'
      | 'collection_method'
      | 'custom_fields'
      | 'due_date'
      | 'effective_at'
      | 'number'
      | 'footer'
      | 'statement_descriptor'
      | 'metadata'
      | 'parent'
    >
  >

function unusedFields() {
  return {
    account_tax_ids: null,
    application: null,
    default_source: null,
    from_invoice: null,
    last_finalization_error: null,
    latest_revision: null,
    on_behalf_of: null,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    statement_descriptor: null,
    webhooks_delivered_at: null,
  }
}

function zeroSums() {
  return {
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_paid_off_stripe: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    ending_balance: null,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    subtotal: 0,
    subtotal_excluding_tax: 0,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: 0,
    total_pretax_credit_amounts: [],
    total_taxes: [],
  }
}

function customerFields(customer: Customer) {
  return {
    customer: customer.id,
    customer_account: null,
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_shipping: null,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: [],
    custom_fields: customer.invoice_settings.custom_fields,
    footer: customer.invoice_settings.footer,
    test_clock: customer.test_clock,
  }
}

/** An empty draft that is not stored yet. `withLines` adds lines and sums. */
export function draftInvoice(ctx: Context, customerId: string, fields: DraftFields): Invoice {
  const id = newId('in')
  return {
    id,
    object: 'invoice',
    ...unusedFields(),
    ...zeroSums(),
    ...customerFields(getObject(ctx, 'customer', customerId, 'customer')),
    account_country: 'GB',
    account_name: 'Sandbox',
    attempt_count: 0,
    attempted: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    collection_method: 'charge_automatically',
    created: ctx.now,
    default_payment_method: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    parent: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    hidden: { paymentIntent: null, firstFailure: null, attempts: 0 },
    ...fields,
  }
}

export function subscriptionParent(subscription: Subscription): NonNullable<Invoice['parent']> {
  return {
    type: 'subscription_details',
    quote_details: null,
    subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
  }
}

export function subscriptionIdOf(invoice: Invoice): string | null {
  return invoice.parent?.subscription_details.subscription ?? null
}
