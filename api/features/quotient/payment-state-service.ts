import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { assertWithinLimits, rateLimits, recordHit } from '#api/http/rate-limits.ts'
import { isSameSecret } from '#api/secrets.ts'
import { isRejectedByStripe, toAppError } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import type { QuotientPaymentState } from '#shared/contract/quotient.ts'
import { findOrderOfCustomer, type QuotientOrder } from './queries.ts'

/** What became of an order's payment, for anybody who has its secret. Nothing else of the order or of the buyer is revealed. */
export async function paymentState(ctx: Context, clientSecret: string, address: string): Promise<QuotientPaymentState> {
  const guesses = rateLimits.wrongOrderSecrets(address)
  // Each of them is a request to the provider, which limits how many we may send in all.
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
    // Its webhook may still be on its way; what the provider says now is as good.
    if (isTaken && !isSettled) await syncCustomer(ctx, customer)
    return { state: stateOf(findOrderOfCustomer(ctx, customer) ?? order, isTaken), orderId: order.id }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

/** Null where the secret is not exactly its own. */
async function findIntent(ctx: Context, clientSecret: string): Promise<Stripe.PaymentIntent | null> {
  // Neither part may contain the underscore between them, so that a long guess is read only once.
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
