import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { countHit, hourly, refuseOverLimit } from '#api/http/limits.ts'
import { isSameSecret } from '#api/secrets.ts'
import { isRejectedByStripe, toAppError } from '#api/stripe/errors.ts'
import type { QuotientPaymentState } from '#shared/contract/quotient.ts'
import type { QuotientOrder } from './queries.ts'

/** What became of an order's payment, for whoever holds its secret. It tells nothing else of the order or of the buyer. */
export async function paymentState(ctx: Context, clientSecret: string, address: string): Promise<QuotientPaymentState> {
  const guesses = hourly('quotient-payment-state', address)
  // Each look is a question to the provider, who answers only so many of all our calls together.
  const looks = { ...hourly('quotient-payment-look', address), max: 240 }
  refuseOverLimit(ctx, [guesses, looks], 'That is a lot of tries from here. Please wait a little and try again.')
  countHit(ctx, looks)
  try {
    const intent = await intentOf(ctx, clientSecret)
    const customer = customerOf(intent)
    const order = orderOf(ctx, customer)
    if (intent === null || order === undefined) {
      countHit(ctx, guesses)
      throw notFound('This payment')
    }
    const isTaken = intent.status === 'succeeded' || intent.status === 'processing'
    const isSettled = order.status === 'paid' || order.status === 'refunded'
    // News may still be on its way; what the provider says now is as good.
    if (isTaken && !isSettled) await syncCustomer(ctx, customer)
    return { state: stateOf(orderOf(ctx, customer) ?? order, isTaken), orderId: order.id }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

/** Null without the whole of its secret. */
async function intentOf(ctx: Context, clientSecret: string): Promise<Stripe.PaymentIntent | null> {
  // Each part without the underscore that parts them: a long guess is read through once.
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

const customerOf = (intent: Stripe.PaymentIntent | null): string =>
  typeof intent?.customer === 'string' ? intent.customer : (intent?.customer?.id ?? '')

/** Each order is a customer of its own at the provider. */
const orderOf = ({ sqlite }: Context, stripeCustomerId: string) =>
  sqlite
    .prepare<[string], Pick<QuotientOrder, 'id' | 'status'>>(
      `select quotient_orders.id, quotient_orders.status from quotient_orders join customers on customers.id = quotient_orders.customerId
       where customers.stripeCustomerId = ?`,
    )
    .get(stripeCustomerId)

function stateOf({ status }: Pick<QuotientOrder, 'status'>, isTaken: boolean): QuotientPaymentState['state'] {
  if (status === 'paid' || status === 'refunded') return status
  return isTaken ? 'confirming' : 'unpaid'
}
