import Stripe from 'stripe'
import { AppError } from '../errors.ts'

/** The provider understood and said no: repeating the same request would hear the same. */
export const isRefusal = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError

/** What the provider says of money, for people. Anything else than a declined card may work later. */
export function forPeople(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (error instanceof Stripe.errors.StripeCardError) return new AppError('payment_declined', error.message)
  return new AppError(
    'payment_provider_unavailable',
    'The payment provider cannot be reached just now. Nothing has been taken. Please try again.',
  )
}
