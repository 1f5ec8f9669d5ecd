import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { isRejectedByStripe } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { getOrCreateVatRate } from './prices.ts'

/** Something that is paid once. `net` is pence; `key` makes every repeat name the same things at the provider. */
export type Demand = {
  key: string
  customer: string
  description: string
  net: number
  metadata: Record<string, string>
}

const expand = ['confirmation_secret']

/** A customer at the provider, and the row of ours that its money hangs on; he has no account here. */
export async function customerWithoutAccount(
  ctx: Context,
  key: string,
  given: Stripe.CustomerCreateParams,
): Promise<{ id: string; stripeCustomerId: string }> {
  const made = await withIdempotencyKey(ctx, `${key}:customer`, (options) =>
    ctx.stripe.customers.create(given, options),
  )
  ctx.sqlite
    .prepare('insert into customers (id, stripeCustomerId, createdAt) values (?, ?, ?) on conflict do nothing')
    .run(ctx.newId(), made.id, ctx.billingNow().toISOString())
  const row = ctx.sqlite
    .prepare<[string], { id: string }>('select id from customers where stripeCustomerId = ?')
    .get(made.id)
  if (row === undefined) throw new Error(`Customer ${made.id} was not kept`)
  return { id: row.id, stripeCustomerId: made.id }
}

/** A draft without lines: nothing can be paid by it yet. One that came of an answer that failed is the one that goes on. */
export async function draftDemand(ctx: Context, { key, customer, metadata }: Demand): Promise<string> {
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
        metadata,
      },
      options,
    ),
  )
  if (draft.id === undefined) throw new Error('The provider named no invoice')
  return draft.id
}

/** Goes on with a draft from wherever it is, until it can be paid; one that is further already is only read. */
export async function openDemand(ctx: Context, invoiceId: string, demand: Demand): Promise<Stripe.Invoice> {
  const invoice = await ctx.stripe.invoices.retrieve(invoiceId, { expand })
  if (invoice.status !== 'draft') return invoice
  if (invoice.lines.data.length === 0) await addLine(ctx, invoiceId, demand)
  try {
    return await ctx.stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false, expand })
  } catch (error) {
    // Somebody else was faster; what he made is what counts.
    if (!isRejectedByStripe(error)) throw error
    return ctx.stripe.invoices.retrieve(invoiceId, { expand })
  }
}

async function addLine(ctx: Context, invoice: string, { key, customer, description, net }: Demand): Promise<void> {
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

/** Sees to it that nobody can pay this any more, whatever its state; false where it was paid already. May be repeated. */
export async function closeDemand(ctx: Context, invoiceId: string): Promise<boolean> {
  const status = await statusOf(ctx, invoiceId)
  try {
    if (status === 'draft') await ctx.stripe.invoices.del(invoiceId)
    if (status === 'open' || status === 'uncollectible') await ctx.stripe.invoices.voidInvoice(invoiceId)
  } catch (error) {
    // Paid, finalised or closed in the meantime, or a refusal that stands.
    if (!isRejectedByStripe(error) || (await statusOf(ctx, invoiceId)) === status) throw error
    return closeDemand(ctx, invoiceId)
  }
  return status !== 'paid'
}

/** Null where there is none any more: a draft that was deleted. */
async function statusOf(ctx: Context, invoiceId: string): Promise<Stripe.Invoice.Status | null> {
  try {
    return (await ctx.stripe.invoices.retrieve(invoiceId)).status
  } catch (error) {
    if (isRejectedByStripe(error)) return null
    throw error
  }
}
