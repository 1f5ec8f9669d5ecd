import Stripe from 'stripe'
import { AppError } from '../errors.ts'

/** The provider understood and said no: repeating the same request would hear the same. */
export const isRefusal = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError

/** The provider's word for what went wrong; undefined where it said none. */
export const codeOf = (error: unknown) => (error instanceof Stripe.errors.StripeError ? error.code : undefined)

/** Two readings, or two tabs, may end the same thing at once: the provider refuses the second, which is as good as done. */
export async function unlessSettled(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** What the provider says of money, for people. Anything else than a declined card may work later. */
export function forPeople(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  if (error instanceof Stripe.errors.StripeCardError) return new AppError('payment_declined', error.message)
  return new AppError(
    'payment_provider_unavailable',
    'The payment provider cannot be reached just now. Nothing has been taken. Please try again.',
  )
}
