import type Stripe from 'stripe'
import { AppError } from '#api/errors.ts'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { idOf } from './ids-and-times.ts'

export type RefundReason = 'duplicate' | 'requested_by_customer'

/** Refunds what's left of an invoice's payment. False if it was for £0 or paid outside Stripe. Idempotent. */
export async function refundInvoiceInFull(ctx: HasStripe, invoice: string, reason: RefundReason): Promise<boolean> {
  const { data } = await ctx.stripe.invoicePayments.list({ invoice, status: 'paid' })
  const intents = data.map(({ payment }) => idOf(payment.payment_intent)).filter((intent) => intent !== null)
  for (const payment_intent of intents) await refundRest(ctx, { payment_intent, reason })
  return intents.length > 0
}

/** Without an amount Stripe refunds the rest, and only once. An idempotency key would store a rejection for a day. */
async function refundRest({ stripe }: HasStripe, refund: Stripe.RefundCreateParams): Promise<void> {
  try {
    await stripe.refunds.create(refund)
  } catch (error) {
    if (errorCodeOf(error) !== 'charge_already_refunded') throw error
  }
}

type Wish = { invoice: string; id: string }

export async function findPartRefund(ctx: HasStripe, { invoice, id }: Wish): Promise<boolean> {
  const payment_intent = await paidIntentOf(ctx, invoice)
  if (payment_intent === null) throw new AppError('conflict', 'This was paid outside Stripe.')
  const { data } = await ctx.stripe.refunds.list({ payment_intent, limit: 100 })
  return data.some(({ metadata, status }) => metadata?.request === id && status !== 'failed')
}

/** Refunds part of an invoice's payment, once per id. */
export async function refundInvoiceInPart(
  ctx: HasStripe,
  { invoice, id, amount }: Wish & { amount: number },
): Promise<void> {
  const payment_intent = (await paidIntentOf(ctx, invoice)) ?? ''
  await withIdempotencyKey(ctx, `refund:${id}`, (options) =>
    ctx.stripe.refunds.create(
      { payment_intent, amount, reason: 'requested_by_customer', metadata: { request: id } },
      options,
    ),
  )
}

async function paidIntentOf({ stripe }: HasStripe, invoice: string): Promise<string | null> {
  const { data } = await stripe.invoicePayments.list({ invoice, status: 'paid' })
  return data.map(({ payment }) => idOf(payment.payment_intent)).find((intent) => intent !== null) ?? null
}
