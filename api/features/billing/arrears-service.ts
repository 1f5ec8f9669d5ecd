import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { ignoreIfRefused } from '#api/stripe/errors.ts'

type Demand = { id: string; status: 'draft' | 'open' }

/**
 * Demands that nobody owes any more: those older than the newest that was paid, and all of a membership that was ended on
 * request. Voided at the provider; a draft, which it does not delete, is finalised first, without being collected.
 * Returns whether there were any.
 */
export async function voidObsoleteInvoices(ctx: Context, customer: Customer): Promise<boolean> {
  const settled = ctx.sqlite
    .prepare<[string], Demand>(
      `select demand.id, demand.status from provider_invoices demand
       join subscriptions on subscriptions.id = demand.subscriptionId
       where demand.customerId = ? and demand.status in ('open', 'draft') and demand.billingReason <> 'manual' and (
         (subscriptions.status = 'canceled' and subscriptions.cancellationReason = 'cancellation_requested')
         or demand.created < (select max(paid.created) from provider_invoices paid
           where paid.subscriptionId = demand.subscriptionId and paid.status = 'paid' and paid.amountPaid > 0))`,
    )
    .all(customer.id)
  for (const { id, status } of settled) {
    if (status === 'draft')
      await ignoreIfRefused(() => ctx.stripe.invoices.finalizeInvoice(id, { auto_advance: false }))
    await ignoreIfRefused(() => ctx.stripe.invoices.voidInvoice(id))
  }
  return settled.length > 0
}

export type NewestDemand = {
  invoiceId: string
  status: Stripe.Invoice['status']
  /** What the browser pays it with. */
  clientSecret: string | null
  amountPaid: number
  net: number
  total: number
}

/**
 * The newest demand of a subscription; null where there is none. A draft counts where it is finalised for being paid now:
 * else it is the provider's to collect.
 */
export async function findNewestInvoice(
  ctx: Context,
  subscription: string,
  { finalises }: { finalises: boolean },
): Promise<NewestDemand | null> {
  const { data } = await ctx.stripe.invoices.list({ subscription, limit: 100 })
  const newest = data.find(({ status }) => status !== 'void' && (finalises || status !== 'draft'))
  if (newest?.id === undefined) return null
  const { id } = newest
  if (newest.status === 'draft') await ignoreIfRefused(() => ctx.stripe.invoices.finalizeInvoice(id))
  const invoice = await ctx.stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] })
  return {
    invoiceId: id,
    status: invoice.status,
    clientSecret: invoice.confirmation_secret?.client_secret ?? null,
    amountPaid: invoice.amount_paid,
    net: invoice.total_excluding_tax ?? invoice.total,
    total: invoice.total,
  }
}

/** The card that pays the subscription's next invoice is the one that is charged from then on, whatever it was made with. */
export async function saveCardOfNextPayment(ctx: Context, subscription: string): Promise<void> {
  const payment_settings = { save_default_payment_method: 'on_subscription' } as const
  await ignoreIfRefused(() => ctx.stripe.subscriptions.update(subscription, { payment_settings }))
}
