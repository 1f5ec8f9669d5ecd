import type Stripe from 'stripe'
import type { Closed } from './closed.ts'

/**
 * Stripe's error codes in the SDK, and two that it lacks: one of Stripe's guide to subscriptions, and one of its list of codes.
 * https://docs.stripe.com/billing/subscriptions/overview
 * https://docs.stripe.com/error-codes
 */
export type ErrorCode =
  | Closed<NonNullable<Stripe.SetupIntent.LastSetupError['code']>>
  | 'subscription_payment_intent_requires_action'
  | 'invoice_upcoming_none'
