import type Stripe from 'stripe'
import type { ErrorCode } from '#api/sandbox/error-codes.ts'
import type { Stored } from './stored-object.ts'

export type DeclineReason =
  | 'declined'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'too_often'
  | 'fraudulent'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'

export type Behaviour =
  | DeclineReason
  | 'succeeds'
  | 'authenticates_once'
  | 'authenticates_always'
  | 'authenticates_on_session'
  | 'authenticates_in_vain'
  | 'authenticates_without_funds'
  | 'fails_later'
  | 'paypal'

export type Customer = Stored<
  Stripe.Customer,
  {
    address: Stripe.Address | null
    default_source: null
    discount: Stripe.Discount | null
    email: string | null
    name: string | null
    phone: string | null
    invoice_prefix: string
    next_invoice_sequence: number
    shipping: Stripe.Customer.Shipping | null
    test_clock: string | null
    invoice_settings: {
      custom_fields: { name: string; value: string }[] | null
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
    hidden: { behaviour: Behaviour; authenticated: boolean; spent: boolean }
  }
>

/** Stripe's `last_payment_error`, also returned with status 402. */
export type CardFailure = {
  type: 'card_error' | 'invalid_request_error'
  code: ErrorCode
  message: string
  decline_code?: string
  charge?: string
  param?: string
  payment_method?: Omit<PaymentMethod, 'hidden'>
}

export type AcceptedMethodTypes = {
  allowed_payment_method_types: MethodType[] | null
  automatic_payment_methods: { allow_redirects: 'always' | 'never'; enabled: true } | null
  payment_method_types: string[]
}

type NextAction = { type: 'redirect_to_url'; redirect_to_url: { return_url: string | null; url: string } }

export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  {
    automatic_payment_methods: AcceptedMethodTypes['automatic_payment_methods']
    client_secret: string
    customer: string | null
    payment_method: string | null
    latest_charge: string | null
    last_payment_error: CardFailure | null
    next_action: NextAction | null
    shipping: Stripe.PaymentIntent.Shipping | null
    hidden: {
      invoice: string | null
      renewal: boolean
      returnUrl: string | null
      offSession: boolean
      /** The request said `error_on_requires_action`, so a payment that needs authentication is declined. */
      mustNotAsk: boolean
    }
  }
>

export type SetupIntent = Stored<
  Stripe.SetupIntent,
  {
    automatic_payment_methods: AcceptedMethodTypes['automatic_payment_methods']
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
