import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { idOf } from './ids-and-times.ts'
import { tierOfPrice } from './prices.ts'

/** A payment for what we sell: a tier, or where it `isOrder` a Quotient set-up. `amountPaid` is pence. */
export type SoldPayment = { id: string; customer: string; amountPaid: number; isOrder: boolean }

/** What was paid to us in pounds since then (unix seconds; null: ever), of whichever customer; of those `isWanted` alone. */
export async function* listPayments(
  ctx: HasStripe,
  since: number | null,
  isWanted: (invoice: { id: string }) => boolean,
): AsyncGenerator<SoldPayment> {
  const created = since === null ? {} : { created: { gte: since } }
  for await (const invoice of ctx.stripe.invoices.list({ status: 'paid', limit: 100, ...created })) {
    const { id, amount_paid: amountPaid, currency } = invoice
    const customer = idOf(invoice.customer)
    if (id === undefined || customer === null || amountPaid === 0 || currency !== 'gbp' || !isWanted({ id })) continue
    const isOrder = invoice.metadata?.quotientOrder !== undefined
    if (isOrder || (await isForTier(ctx, invoice))) yield { id, customer, amountPaid, isOrder }
  }
}

async function isForTier(ctx: HasStripe, { lines }: Stripe.Invoice): Promise<boolean> {
  for (const { pricing } of lines.data) {
    const price = idOf(pricing?.price_details?.price)
    if (price !== null && (await tierOfPrice(ctx, price)) !== null) return true
  }
  return false
}

/** A paid invoice with what its payer typed beside the card; null where there is none of that id. */
export async function findPaidInvoice(ctx: HasStripe, id: string) {
  const invoice = await retrieveInvoice(ctx, id)
  if (invoice === null) return null
  const intent = idOf(invoice.payments?.data.find(({ status }) => status === 'paid')?.payment.payment_intent)
  const { latest_charge: charge } =
    intent === null
      ? { latest_charge: null }
      : await ctx.stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })
  return { invoice, payer: typeof charge === 'object' ? (charge?.billing_details ?? null) : null }
}

async function retrieveInvoice({ stripe }: HasStripe, id: string): Promise<Stripe.Invoice | null> {
  try {
    return await stripe.invoices.retrieve(id, { expand: ['payments'] })
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') return null
    throw error
  }
}
