import Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'

/**
 * The provider understood and said no: repeating the same request would hear the same. The SDK makes these errors of
 * answers 400, 402 and 404 alone, so that a key or an object that is still being worked on (409, 429) is none.
 */
export const isRejectedByStripe = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError

/** The provider answered that it failed, which is not the same as no answer: it keeps that answer under its key. */
export const isServerFailure = (error: unknown) =>
  error instanceof Stripe.errors.StripeError && error.statusCode !== undefined && error.statusCode >= 500

/** The provider's word for what went wrong; undefined where it said none. */
export const errorCodeOf = (error: unknown) => (error instanceof Stripe.errors.StripeError ? error.code : undefined)

/** Two readings, or two tabs, may end the same thing at once: the provider refuses the second, which is as good as done. */
export async function ignoreIfRefused(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
  }
}

/** The provider has no answer to give just now: none came, or one that says to ask again later. */
const isOutage = (error: InstanceType<typeof Stripe.errors.StripeError>) =>
  error instanceof Stripe.errors.StripeRateLimitError ||
  error.statusCode === undefined ||
  error.statusCode >= 500 ||
  error.statusCode === 409

/** What the provider says of money, for people; what it said for engineers is logged, without a word that may be about a person. */
export function toAppError({ log }: Context, error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { type, code, param, requestId, statusCode } = error
  log.warn('payment provider failed', { type, code, param, requestId, statusCode })
  if (error instanceof Stripe.errors.StripeCardError) return new AppError('payment_declined', error.message)
  if (isOutage(error)) {
    return new AppError(
      'payment_provider_unavailable',
      'The payment provider cannot be reached just now. Nothing has been taken. Please try again.',
    )
  }
  return new AppError(
    'payment_provider_refused',
    'The payment provider has refused this. If it does so again, please contact us.',
  )
}
