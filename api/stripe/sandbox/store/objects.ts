import type Stripe from 'stripe'

/**
 * An object of the SDK's pinned version as it is stored: every field of the SDK's type stays required, references are ids.
 * `hidden` is what the sandbox remembers about it and never answers.
 */
type Stored<T, Fields extends { [K in keyof Fields]: K extends keyof T | 'hidden' ? unknown : never }> = Omit<
  T,
  keyof Fields
> &
  Fields

/** What the bank, or PayPal, does with a payment method. */
export type Behaviour =
  | 'succeeds'
  | 'authenticates_once'
  | 'authenticates_always'
  | 'declined'
  | 'insufficient_funds'
  | 'fails_later'
  | 'paypal'

export type Customer = Stored<
  Stripe.Customer,
  {
    address: Stripe.Address | null
    default_source: null
    discount: null
    email: string | null
    name: string | null
    phone: string | null
    invoice_prefix: string
    next_invoice_sequence: number
    shipping: null
    invoice_settings: {
      custom_fields: null
      default_payment_method: string | null
      footer: string | null
      rendering_options: null
    }
  }
>

export type MethodType = 'card' | 'paypal'

export type PaymentMethod = Stored<
  Stripe.PaymentMethod,
  {
    customer: string | null
    card?: Stripe.PaymentMethod.Card
    paypal?: Stripe.PaymentMethod.Paypal
    type: MethodType
    hidden: { behaviour: Behaviour; authenticated: boolean }
  }
>

/** What Stripe writes into `last_payment_error` and answers with status 402. */
export type CardFailure = {
  type: 'card_error' | 'invalid_request_error'
  code: string
  message: string
  decline_code?: string
  charge?: string
  param?: string
  payment_method?: Omit<PaymentMethod, 'hidden'>
}

/** Which payment methods an intent takes. */
export type Acceptance = {
  allowed_payment_method_types: MethodType[] | null
  automatic_payment_methods: { allow_redirects: 'always' | 'never'; enabled: true } | null
  payment_method_types: string[]
}

type NextAction = { type: 'redirect_to_url'; redirect_to_url: { return_url: string | null; url: string } }

export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  {
    automatic_payment_methods: Acceptance['automatic_payment_methods']
    client_secret: string
    customer: string | null
    payment_method: string | null
    latest_charge: string | null
    last_payment_error: CardFailure | null
    next_action: NextAction | null
    hidden: { invoice: string | null; renewal: boolean; returnUrl: string | null; offSession: boolean }
  }
>

export type SetupIntent = Stored<
  Stripe.SetupIntent,
  {
    automatic_payment_methods: Acceptance['automatic_payment_methods']
    client_secret: string
    customer: string | null
    payment_method: string | null
    last_setup_error: CardFailure | null
    next_action: NextAction | null
    hidden: { subscription: string | null; returnUrl: string | null }
  }
>

export type Charge = Stored<
  Stripe.Charge,
  { customer: string | null; payment_intent: string | null; payment_method: string | null; balance_transaction: null }
>

export type Refund = Stored<
  Stripe.Refund,
  { charge: string; customer: string | null; payment_intent: string | null; balance_transaction: null }
>

export type Product = Stored<Stripe.Product, { default_price: string | null; tax_code: null }>

export type Price = Stored<Stripe.Price, { product: string; unit_amount: number; unit_amount_decimal: string }>

export type TaxRate = Stripe.TaxRate

export type SubscriptionItem = Stored<
  Stripe.SubscriptionItem,
  { price: Price; plan: Stored<Stripe.Plan, { amount_decimal: string; product: string }>; quantity: number }
>

export type Subscription = Stored<
  Stripe.Subscription,
  {
    customer: string
    default_payment_method: string | null
    default_tax_rates: TaxRate[]
    items: Stripe.ApiList<SubscriptionItem>
    latest_invoice: string | null
    pending_setup_intent: string | null
    schedule: string | null
    hidden: { trialEndAnnounced: boolean; resume: { invoice: string; askedAt: number } | null }
  }
>

export type SchedulePhase = Stored<
  Stripe.SubscriptionSchedule.Phase,
  {
    default_payment_method: string | null
    default_tax_rates: TaxRate[]
    items: Stored<Stripe.SubscriptionSchedule.Phase.Item, { price: string; plan: string; quantity: number }>[]
  }
>

export type Schedule = Stored<
  Stripe.SubscriptionSchedule,
  {
    customer: string
    subscription: string | null
    phases: SchedulePhase[]
    default_settings: Stored<Stripe.SubscriptionSchedule.DefaultSettings, { default_payment_method: string | null }>
  }
>

export type InvoiceLine = Stored<
  Stripe.InvoiceLineItem,
  {
    invoice: string
    subscription: string | null
    quantity: number
    quantity_decimal: string
    pricing: {
      type: 'price_details'
      unit_amount_decimal: string
      price_details: { price: string; product: string }
    } | null
    taxes: Stripe.InvoiceLineItem.Tax[]
  }
>

export type Invoice = Stored<
  Stripe.Invoice,
  {
    customer: string
    default_payment_method: string | null
    default_tax_rates: TaxRate[]
    lines: Stripe.ApiList<InvoiceLine>
    status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
    auto_advance: boolean
    total_taxes: Stripe.Invoice.TotalTax[]
    parent: {
      type: 'subscription_details'
      quote_details: null
      subscription_details: { metadata: Record<string, string>; subscription: string }
    } | null
    hidden: { paymentIntent: string | null; firstFailure: number | null; attempts: number }
  }
>

export type InvoiceItem = Stored<
  Stripe.InvoiceItem,
  {
    customer: string
    invoice: string | null
    quantity_decimal: string
    pricing: InvoiceLine['pricing']
    tax_rates: TaxRate[]
  }
>

export type InvoicePayment = Stored<
  Stripe.InvoicePayment,
  { invoice: string; payment: { type: 'payment_intent'; payment_intent: string } }
>

export type CreditNote = Stored<
  Stripe.CreditNote,
  {
    customer: string
    invoice: string
    customer_balance_transaction: null
    lines: Stripe.ApiList<CreditNoteLine>
    total_taxes: Stripe.CreditNote.TotalTax[]
  }
>

export type CreditNoteLine = Stored<
  Stripe.CreditNoteLineItem,
  { unit_amount_decimal: string | null; taxes: Stripe.CreditNoteLineItem.Tax[] }
>

export type SandboxEvent = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: unknown; previous_attributes?: Record<string, unknown> }
  livemode: boolean
  pending_webhooks: number
  request: { id: string | null; idempotency_key: string | null }
  type: string
}

export type StoredObject =
  | Customer
  | PaymentMethod
  | PaymentIntent
  | SetupIntent
  | Charge
  | Refund
  | Product
  | Price
  | TaxRate
  | Subscription
  | Schedule
  | Invoice
  | InvoiceItem
  | InvoicePayment
  | CreditNote
  | SandboxEvent

export type Kinds = { [O in StoredObject as O['object']]: O }
export type Kind = keyof Kinds
