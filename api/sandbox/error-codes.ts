import type Stripe from 'stripe'
import type { Closed } from './closed.ts'

/**
 * What the SDK knows as Stripe's codes of errors, and one that Stripe's guide to subscriptions names besides:
 * https://docs.stripe.com/billing/subscriptions/overview
 */
export type ErrorCode =
  | Closed<NonNullable<Stripe.SetupIntent.LastSetupError['code']>>
  | 'subscription_payment_intent_requires_action'
