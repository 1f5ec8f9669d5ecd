import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { isServerFailure } from './errors.ts'

/** How often a step's key has brought a failed answer. */
const failures = new WeakMap<Context, Map<string, number>>()

/**
 * Asks for something under a key that makes every repeat name the same thing. The provider keeps a failed answer (5xx)
 * under its key for a day, so the next try has another key. Forgotten when the server stops: then the kept answer comes
 * once more, and the try after it moves on.
 */
export async function withIdempotencyKey<Result>(
  ctx: Context,
  key: string,
  ask: (options: Stripe.RequestOptions) => Promise<Result>,
): Promise<Result> {
  const counts = failures.get(ctx) ?? new Map<string, number>()
  failures.set(ctx, counts)
  const failed = counts.get(key) ?? 0
  try {
    return await ask({ idempotencyKey: failed === 0 ? key : `${key}:${failed}` })
  } catch (error) {
    if (isServerFailure(error)) counts.set(key, failed + 1)
    throw error
  }
}
