import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { cardAlone } from './payment-methods.ts'
import { getOrCreateVatRate } from './prices.ts'

/** A one-off sale. `net` is in pence. `key` makes retries find the same objects at Stripe. */
export type OneOffSale = {
  key: string
  customer: string
  description: string
  net: number
  metadata: Record<string, string>
}

const expand = ['confirmation_secret']

/** A draft without lines can't be paid yet. Reuses one an earlier attempt created although Stripe reported an error. */
export async function getOrCreateDraft(ctx: HasStripe, { key, customer, metadata }: OneOffSale): Promise<string> {
  const [begun] = (await ctx.stripe.invoices.list({ customer, status: 'draft', limit: 1 })).data
  if (begun?.id !== undefined) return begun.id
  const draft = await withIdempotencyKey(ctx, `${key}:invoice`, (options) =>
    ctx.stripe.invoices.create(
      {
        customer,
        currency: 'gbp',
        auto_advance: false,
        collection_method: 'charge_automatically',
        pending_invoice_items_behavior: 'exclude',
        payment_settings: { payment_method_types: [...cardAlone] },
        metadata,
      },
      options,
    ),
  )
  if (draft.id === undefined) throw new Error('Stripe named no invoice')
  return draft.id
}

/** Takes a draft from any step to an invoice that can be paid. If it's already final, only reads it. */
export async function finalizeOneOff(ctx: HasStripe, invoiceId: string, sale: OneOffSale): Promise<Stripe.Invoice> {
  const invoice = await ctx.stripe.invoices.retrieve(invoiceId, { expand })
  if (invoice.status !== 'draft') return invoice
  if (invoice.lines.data.length === 0) await addLine(ctx, invoiceId, sale)
  try {
    return await ctx.stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false, expand })
  } catch (error) {
    // Another request finalised it first, so use its result.
    if (!isRejectedByStripe(error)) throw error
    return ctx.stripe.invoices.retrieve(invoiceId, { expand })
  }
}

async function addLine(
  ctx: HasStripe,
  invoice: string,
  { key, customer, description, net }: OneOffSale,
): Promise<void> {
  const line = {
    customer,
    invoice,
    currency: 'gbp',
    amount: net,
    description,
    tax_rates: [await getOrCreateVatRate(ctx)],
  }
  await withIdempotencyKey(ctx, `${key}:line`, (options) => ctx.stripe.invoiceItems.create(line, options))
}
