import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { idOf } from './ids-and-times.ts'
import { tierOfPrice } from './prices.ts'
import { listLines } from './read-lines.ts'

/** A payment for something we sell: a tier, or a Quotient set-up if `isOrder`. `amountPaid` is in pence. */
export type SoldPayment = { id: string; customer: string; amountPaid: number; isOrder: boolean }

/** Payments to us in pounds since a time (unix seconds, null for all), by any customer. Only those that pass `isWanted`. */
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

async function isForTier(ctx: HasStripe, invoice: Stripe.Invoice): Promise<boolean> {
  for (const { pricing } of await listLines(ctx, invoice)) {
    const price = idOf(pricing?.price_details?.price)
    if (price !== null && (await tierOfPrice(ctx, price)) !== null) return true
  }
  return false
}

/** Stripe only includes the first ten of an invoice's payments. They have to be expanded in what's given. */
export async function withAllPayments<Billed extends Stripe.Invoice>(ctx: HasStripe, invoice: Billed): Promise<Billed> {
  const { id, payments } = invoice
  if (id === undefined || payments?.has_more !== true) return invoice
  const data = await ctx.stripe.invoicePayments.list({ invoice: id, limit: 100 }).autoPagingToArray({ limit: 10_000 })
  return { ...invoice, payments: { ...payments, data, has_more: false } }
}

/** A paid invoice, with what the payer entered beside the card. Null if it doesn't exist. */
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

async function retrieveInvoice(ctx: HasStripe, id: string): Promise<Stripe.Invoice | null> {
  try {
    return await withAllPayments(ctx, await ctx.stripe.invoices.retrieve(id, { expand: ['payments'] }))
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') return null
    throw error
  }
}
