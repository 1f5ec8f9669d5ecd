import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { findOrderOfCustomer, type QuotientOrder } from '#api/features/orders/queries.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { isSameSecret } from '#api/secrets.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/serving/rate-limits.ts'
import { isRejectedByStripe, toAppError } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import type { QuotientPaymentState } from '#shared/contract/quotient.ts'

/** An order's payment status, for anyone who has its secret. Reveals nothing else about the order or buyer. */
export async function paymentState(ctx: Context, clientSecret: string, address: string): Promise<QuotientPaymentState> {
  const guesses = rateLimits.wrongOrderSecrets(address)
  // Each lookup is a request to the provider, which limits how many we may send in total.
  const lookups = rateLimits.orderLookups(address)
  assertWithinLimits(ctx, [guesses, lookups], 'Too many attempts. Try again in an hour.')
  recordHit(ctx, lookups)
  try {
    const intent = await findIntent(ctx, clientSecret)
    const customer = idOf(intent?.customer) ?? ''
    const order = findOrderOfCustomer(ctx, customer)
    if (intent === null || order === undefined) {
      recordHit(ctx, guesses)
      throw notFound('This payment')
    }
    const isTaken = intent.status === 'succeeded' || intent.status === 'processing'
    const isSettled = order.status === 'paid' || order.status === 'refunded'
    // The webhook may still be on its way, so read the provider now.
    if (isTaken && !isSettled) await syncCustomer(ctx, customer)
    return { state: stateOf(findOrderOfCustomer(ctx, customer) ?? order, isTaken), orderId: order.id }
  } catch (error) {
    throw toAppError(ctx, error, 'confirmed')
  }
}

/** Null unless the secret matches exactly. */
async function findIntent(ctx: Context, clientSecret: string): Promise<Stripe.PaymentIntent | null> {
  // Neither part may contain the underscore between them, or a long guess would make the regex backtrack.
  const id = /^(pi_[a-z0-9]{1,100})_secret_[a-z0-9]{1,100}$/i.exec(clientSecret)?.[1]
  if (id === undefined) return null
  try {
    const intent = await ctx.stripe.paymentIntents.retrieve(id)
    return isSameSecret(intent.client_secret ?? '', clientSecret) ? intent : null
  } catch (error) {
    if (isRejectedByStripe(error)) return null
    throw error
  }
}

function stateOf({ status }: Pick<QuotientOrder, 'status'>, isTaken: boolean): QuotientPaymentState['state'] {
  if (status === 'paid' || status === 'refunded') return status
  return isTaken ? 'confirming' : 'unpaid'
}
