import type Stripe from 'stripe'
import type {
  BalanceMovement,
  Coupon,
  CreditNote,
  Discount,
  Invoice,
  InvoiceItem,
  InvoicePayment,
  Price,
  Product,
  Schedule,
  Subscription,
  TaxRate,
} from './billing-objects.ts'
import type { Charge, Customer, PaymentIntent, PaymentMethod, Refund, SetupIntent } from './payment-objects.ts'
import type { Stored } from './stored-object.ts'

export type WebhookEndpoint = Stored<Stripe.WebhookEndpoint, { hidden: { secret: string } }>

export type TestClock = Stripe.TestHelpers.TestClock

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
  | Coupon
  | Discount
  | Subscription
  | Schedule
  | Invoice
  | InvoiceItem
  | InvoicePayment
  | CreditNote
  | BalanceMovement
  | WebhookEndpoint
  | TestClock
  | SandboxEvent

export type Kinds = { [O in StoredObject as O['object']]: O }
export type Kind = keyof Kinds
