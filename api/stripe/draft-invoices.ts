import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'

/** `subscription` is the one that made it; null for a one-off. */
export type Draft = { id: string; subscription: string | null }

/** The customer's demands that are not final yet. */
export async function listDrafts(ctx: Context, customer: string): Promise<Draft[]> {
  const drafts = await ctx.stripe.invoices
    .list({ customer, status: 'draft', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  return drafts.flatMap(({ id, parent }: Stripe.Invoice) => {
    const subscription = parent?.subscription_details?.subscription ?? null
    return id === undefined
      ? []
      : [{ id, subscription: typeof subscription === 'object' ? (subscription?.id ?? null) : subscription }]
  })
}

/** Whether the subscription behind it has not ended: its draft is a demand that is still to be paid. */
export async function isOfLiveSubscription(ctx: Context, { subscription }: Draft): Promise<boolean> {
  if (subscription === null) return false
  const { status } = await ctx.stripe.subscriptions.retrieve(subscription)
  return status !== 'canceled' && status !== 'incomplete_expired'
}

/**
 * Gets rid of a draft. The provider deletes none that a subscription made: that one, its subscription having ended, is
 * finalised without being charged, and voided. https://docs.stripe.com/api/invoices/delete
 */
export async function removeDraft(ctx: Context, { id, subscription }: Draft): Promise<void> {
  if (subscription !== null) {
    const { status } = await ctx.stripe.invoices.finalizeInvoice(id, { auto_advance: false })
    // One over nothing is paid as soon as it is final.
    if (status === 'open') await ctx.stripe.invoices.voidInvoice(id)
  } else await ctx.stripe.invoices.del(id)
}
