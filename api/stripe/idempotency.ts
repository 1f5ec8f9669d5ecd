import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { isServerFailure } from './errors.ts'

/** How often each key has brought a failure of the provider. */
const failuresByKey = new WeakMap<Stripe, Map<string, number>>()

/**
 * Sends a request under an idempotency key, so that every repeat of it names the same object. The provider stores a failure
 * (5xx) under its key for a day, so the next try uses another key. The counts are lost when the server stops: then the
 * stored failure comes once more, and the try after it uses the next key.
 */
export async function withIdempotencyKey<Result>(
  { stripe }: HasStripe,
  key: string,
  send: (options: Stripe.RequestOptions) => Promise<Result>,
): Promise<Result> {
  const failures = failuresByKey.get(stripe) ?? new Map<string, number>()
  failuresByKey.set(stripe, failures)
  const failed = failures.get(key) ?? 0
  try {
    return await send({ idempotencyKey: failed === 0 ? key : `${key}:${failed}` })
  } catch (error) {
    if (isServerFailure(error)) failures.set(key, failed + 1)
    throw error
  }
}
