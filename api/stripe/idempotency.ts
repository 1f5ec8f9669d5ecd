import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { isServerFailure } from './errors.ts'

const failuresByKey = new WeakMap<Stripe, Map<string, number>>()

/**
 * Sends a request under an idempotency key, so retries return the same object. Stripe stores a server error (5xx) under its key
 * for a day, so after one we change the key. If the server restarts, the counts are lost: the next try gets the stored error once
 * more, and the one after it changes the key.
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
