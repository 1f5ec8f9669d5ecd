import type Stripe from 'stripe'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { ignoreIfRefused, isRejectedByStripe } from './errors.ts'
import { idOf } from './ids-and-times.ts'

export const listInvoicesOfSubscription = ({ stripe }: HasStripe, subscription: string): Promise<Stripe.Invoice[]> =>
  stripe.invoices.list({ subscription, limit: 100 }).autoPagingToArray({ limit: 1000 })

/** Stripe refuses to void a paid or void invoice, and we leave it as it is. */
export const voidInvoiceIfOpen = ({ stripe }: HasStripe, invoiceId: string): Promise<void> =>
  ignoreIfRefused(() => stripe.invoices.voidInvoice(invoiceId))

/** Voids a draft. Stripe can't delete drafts a subscription created, so we finalise it first, without collecting it. */
export async function voidDraftInvoice(ctx: HasStripe, invoiceId: string): Promise<void> {
  await ignoreIfRefused(() => ctx.stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false }))
  await voidInvoiceIfOpen(ctx, invoiceId)
}

/** Makes sure an invoice can't be paid any more, whatever its state. False if it was already paid. Idempotent. */
export async function closeInvoice(ctx: HasStripe, invoiceId: string): Promise<boolean> {
  const status = await findInvoiceStatus(ctx, invoiceId)
  try {
    if (status === 'draft') await ctx.stripe.invoices.del(invoiceId)
    if (status === 'open' || status === 'uncollectible') await ctx.stripe.invoices.voidInvoice(invoiceId)
  } catch (error) {
    // It was paid, finalised or closed since we read it. If nothing changed, rethrow.
    if (!isRejectedByStripe(error) || (await findInvoiceStatus(ctx, invoiceId)) === status) throw error
    return closeInvoice(ctx, invoiceId)
  }
  return status !== 'paid'
}

/** Null if the invoice is gone, because it was a draft and deleted. */
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
  clientSecret: string | null
  amountPaid: number
  net: number
  total: number
  /** What's left to pay, in pence. */
  due: number
}

/** A subscription's newest invoice. Null if there's none. Ignores drafts, as Stripe collects those. */
export async function findNewestInvoice({ stripe }: HasStripe, subscription: string): Promise<string | null> {
  const { data } = await stripe.invoices.list({ subscription, limit: 100 })
  return data.find(({ status }) => status !== 'void' && status !== 'draft')?.id ?? null
}

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
    due: invoice.amount_remaining,
  }
}

/** `subscription` created the draft. Null for a one-off invoice. */
export type Draft = { id: string; subscription: string | null }

export async function listDrafts({ stripe }: HasStripe, customer: string): Promise<Draft[]> {
  const drafts = await stripe.invoices
    .list({ customer, status: 'draft', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  return drafts.flatMap(({ id, parent }) =>
    id === undefined ? [] : [{ id, subscription: idOf(parent?.subscription_details?.subscription) }],
  )
}

/** Whether the draft's subscription is still live, so that the draft is still to be paid. */
export async function isOfLiveSubscription({ stripe }: HasStripe, { subscription }: Draft): Promise<boolean> {
  return subscription !== null && isLive((await stripe.subscriptions.retrieve(subscription)).status)
}

/**
 * Removes a draft. Stripe can't delete drafts a subscription created, so after the subscription has ended we finalise it
 * uncharged and void it. https://docs.stripe.com/api/invoices/delete
 */
export async function removeDraft({ stripe }: HasStripe, { id, subscription }: Draft): Promise<void> {
  if (subscription !== null) {
    const { status } = await stripe.invoices.finalizeInvoice(id, { auto_advance: false })
    // An invoice for nothing is paid as soon as it's final.
    if (status === 'open') await stripe.invoices.voidInvoice(id)
  } else await stripe.invoices.del(id)
}
