import type Stripe from 'stripe'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { ignoreIfRefused, isRejectedByStripe } from './errors.ts'
import { idOf } from './ids-and-times.ts'

export const listInvoicesOfSubscription = ({ stripe }: HasStripe, subscription: string): Promise<Stripe.Invoice[]> =>
  stripe.invoices.list({ subscription, limit: 100 }).autoPagingToArray({ limit: 1000 })

/** The provider voids no invoice that is paid, or void already: that is left as it is. */
export const voidInvoiceIfOpen = ({ stripe }: HasStripe, invoiceId: string): Promise<void> =>
  ignoreIfRefused(() => stripe.invoices.voidInvoice(invoiceId))

/** Voids a draft, which the provider does not delete where a subscription created it: it is finalised first, without being collected. */
export async function voidDraftInvoice(ctx: HasStripe, invoiceId: string): Promise<void> {
  await ignoreIfRefused(() => ctx.stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false }))
  await voidInvoiceIfOpen(ctx, invoiceId)
}

/** Makes sure that nobody can pay an invoice any more, whatever its state; false where it was paid already. May be repeated. */
export async function closeInvoice(ctx: HasStripe, invoiceId: string): Promise<boolean> {
  const status = await findInvoiceStatus(ctx, invoiceId)
  try {
    if (status === 'draft') await ctx.stripe.invoices.del(invoiceId)
    if (status === 'open' || status === 'uncollectible') await ctx.stripe.invoices.voidInvoice(invoiceId)
  } catch (error) {
    // It was paid, finalised or closed in the meantime; where nothing has changed, the refusal stands.
    if (!isRejectedByStripe(error) || (await findInvoiceStatus(ctx, invoiceId)) === status) throw error
    return closeInvoice(ctx, invoiceId)
  }
  return status !== 'paid'
}

/** Null where the invoice no longer exists: a draft that was deleted. */
async function findInvoiceStatus({ stripe }: HasStripe, invoiceId: string): Promise<Stripe.Invoice.Status | null> {
  try {
    return (await stripe.invoices.retrieve(invoiceId)).status
  } catch (error) {
    if (isRejectedByStripe(error)) return null
    throw error
  }
}

export type InvoiceToPay = {
  invoiceId: string
  status: Stripe.Invoice['status']
  /** What the browser pays it with. */
  clientSecret: string | null
  amountPaid: number
  net: number
  total: number
}

/** The newest invoice of a subscription; null where there is none. Drafts are the provider's to collect. */
export async function findNewestInvoice({ stripe }: HasStripe, subscription: string): Promise<string | null> {
  const { data } = await stripe.invoices.list({ subscription, limit: 100 })
  return data.find(({ status }) => status !== 'void' && status !== 'draft')?.id ?? null
}

/** A draft is finalised, so that it can be paid now. */
export async function readInvoiceToPay({ stripe }: HasStripe, id: string): Promise<InvoiceToPay> {
  const { status } = await stripe.invoices.retrieve(id)
  if (status === 'draft') await ignoreIfRefused(() => stripe.invoices.finalizeInvoice(id))
  const invoice = await stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] })
  return {
    invoiceId: id,
    status: invoice.status,
    clientSecret: invoice.confirmation_secret?.client_secret ?? null,
    amountPaid: invoice.amount_paid,
    net: invoice.total_excluding_tax ?? invoice.total,
    total: invoice.total,
  }
}

/** `subscription` is the one that created the draft; null for a one-off invoice. */
export type Draft = { id: string; subscription: string | null }

/** The customer's invoices that are not final yet. */
export async function listDrafts({ stripe }: HasStripe, customer: string): Promise<Draft[]> {
  const drafts = await stripe.invoices
    .list({ customer, status: 'draft', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  return drafts.flatMap(({ id, parent }) =>
    id === undefined ? [] : [{ id, subscription: idOf(parent?.subscription_details?.subscription) }],
  )
}

/** Whether the subscription behind a draft has not ended: then the draft is still to be paid. */
export async function isOfLiveSubscription({ stripe }: HasStripe, { subscription }: Draft): Promise<boolean> {
  return subscription !== null && isLive((await stripe.subscriptions.retrieve(subscription)).status)
}

/**
 * Removes a draft. The provider deletes none that a subscription created: once its subscription has ended, such a draft is
 * finalised without being charged, and voided. https://docs.stripe.com/api/invoices/delete
 */
export async function removeDraft({ stripe }: HasStripe, { id, subscription }: Draft): Promise<void> {
  if (subscription !== null) {
    const { status } = await stripe.invoices.finalizeInvoice(id, { auto_advance: false })
    // An invoice over nothing is paid as soon as it is final.
    if (status === 'open') await stripe.invoices.voidInvoice(id)
  } else await stripe.invoices.del(id)
}
