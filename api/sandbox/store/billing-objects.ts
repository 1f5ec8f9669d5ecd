import type Stripe from 'stripe'
import type { Stored } from './stored-object.ts'

export type Product = Stored<Stripe.Product, { default_price: string | null; tax_code: string | null }>

export type Price = Stored<Stripe.Price, { product: string; unit_amount: number; unit_amount_decimal: string }>

export type TaxRate = Stripe.TaxRate

export type Coupon = Stripe.Coupon

/** `hidden` has the coupon as it was redeemed, because deleting a coupon doesn't end its discounts. */
export type Discount = Stored<
  Stripe.Discount,
  {
    customer: string
    promotion_code: null
    source: { coupon: string; type: 'coupon' }
    hidden: { coupon: Coupon }
  }
>

export type SubscriptionItem = Stored<
  Stripe.SubscriptionItem,
  {
    discounts: string[]
    price: Price
    plan: Stored<Stripe.Plan, { amount_decimal: string; product: string }>
    quantity: number
  }
>

export type Subscription = Stored<
  Stripe.Subscription,
  {
    customer: string
    default_payment_method: string | null
    default_tax_rates: TaxRate[]
    discounts: string[]
    items: Stripe.ApiList<SubscriptionItem>
    latest_invoice: string | null
    pending_setup_intent: string | null
    schedule: string | null
    test_clock: string | null
    pending_update: Stored<
      Stripe.Subscription.PendingUpdate,
      { discount: null; discounts: string[] | null; subscription_items: SubscriptionItem[] | null }
    > | null
    hidden: {
      trialEndAnnounced: boolean
      resume: { invoice: string; askedAt: number } | null
      /** What applies once this invoice is paid. `anchor`: of a cycle that began with the change. */
      update?: { invoice: string; items: SubscriptionItem[]; anchor?: number } | null
    }
  }
>

export type SchedulePhase = Stored<
  Stripe.SubscriptionSchedule.Phase,
  {
    default_payment_method: string | null
    default_tax_rates: TaxRate[]
    discounts: PhaseDiscount[]
    items: Stored<
      Stripe.SubscriptionSchedule.Phase.Item,
      { discounts: PhaseDiscount[]; price: string; plan: string; quantity: number }
    >[]
  }
>

type PhaseDiscount = { coupon: string | null; discount: string | null; promotion_code: null }

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
    discount_amounts: { amount: number; discount: string }[]
    taxes: Stripe.InvoiceLineItem.Tax[]
  }
>

export type Invoice = Stored<
  Stripe.Invoice,
  {
    customer: string
    default_payment_method: string | null
    default_tax_rates: TaxRate[]
    discounts: string[]
    lines: Stripe.ApiList<InvoiceLine>
    status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
    auto_advance: boolean
    total_discount_amounts: { amount: number; discount: string }[]
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

/** What moved a customer's balance: negative is credit. */
export type BalanceMovement = Stored<
  Stripe.CustomerBalanceTransaction,
  { customer: string; invoice: string | null; credit_note: string | null; checkout_session: null }
>

export type CreditNote = Stored<
  Stripe.CreditNote,
  {
    customer: string
    invoice: string
    customer_balance_transaction: string | null
    lines: Stripe.ApiList<CreditNoteLine>
    total_taxes: Stripe.CreditNote.TotalTax[]
  }
>

export type CreditNoteLine = Stored<
  Stripe.CreditNoteLineItem,
  { unit_amount_decimal: string | null; taxes: Stripe.CreditNoteLineItem.Tax[] }
>
