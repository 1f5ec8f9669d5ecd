import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { idOf } from './ids-and-times.ts'

export type RefundReason = 'duplicate' | 'requested_by_customer'

/**
 * Refunds all that is left of what an invoice took. False where the provider took nothing because it was paid elsewhere.
 * May be repeated.
 */
export async function refundInvoiceInFull(ctx: HasStripe, invoice: string, reason: RefundReason): Promise<boolean> {
  const { data } = await ctx.stripe.invoicePayments.list({ invoice, status: 'paid' })
  const intents = data.map(({ payment }) => idOf(payment.payment_intent)).filter((intent) => intent !== null)
  for (const payment_intent of intents) await refundRest(ctx, { payment_intent, reason })
  return intents.length > 0
}

/** Without an amount the provider refunds the rest, and only once. There is no idempotency key: it would store a refusal for a day. */
async function refundRest({ stripe }: HasStripe, refund: Stripe.RefundCreateParams): Promise<void> {
  try {
    await stripe.refunds.create(refund)
  } catch (error) {
    if (errorCodeOf(error) !== 'charge_already_refunded') throw error
  }
}
