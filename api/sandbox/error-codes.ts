import type Stripe from 'stripe'
import type { Closed } from './closed.ts'

/**
 * Stripe's error codes in the SDK, and one that's only in Stripe's guide to subscriptions:
 * https://docs.stripe.com/billing/subscriptions/overview
 */
export type ErrorCode =
  | Closed<NonNullable<Stripe.SetupIntent.LastSetupError['code']>>
  | 'subscription_payment_intent_requires_action'
