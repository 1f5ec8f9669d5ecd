import type Stripe from 'stripe'
import type { Context } from '../context.ts'

export type Draft = { id: string; isOfSubscription: boolean }

/** The customer's demands that are not final yet. */
export async function listDrafts(ctx: Context, customer: string): Promise<Draft[]> {
  const drafts = await ctx.stripe.invoices
    .list({ customer, status: 'draft', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  return drafts.flatMap(({ id, parent }: Stripe.Invoice) =>
    id === undefined ? [] : [{ id, isOfSubscription: parent?.type === 'subscription_details' }],
  )
}

/**
 * Gets rid of a draft. The provider deletes none that a subscription made: that one is finalised without being charged, and
 * voided. https://docs.stripe.com/api/invoices/delete
 */
export async function removeDraft(ctx: Context, { id, isOfSubscription }: Draft): Promise<void> {
  if (isOfSubscription) {
    const { status } = await ctx.stripe.invoices.finalizeInvoice(id, { auto_advance: false })
    // One over nothing is paid as soon as it is final.
    if (status === 'open') await ctx.stripe.invoices.voidInvoice(id)
  } else await ctx.stripe.invoices.del(id)
}
