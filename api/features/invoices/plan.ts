import type { Context } from '#api/context.ts'
import { readCustomer } from '#api/stripe/provider-state.ts'
import { isRemoved, newestInvoice, newestInvoices } from './chain.ts'
import { canBeMended } from './mend.ts'

/** What the tool would issue for a customer, read from the provider and our rows; nothing is written. */
export async function plannedFixes(
  ctx: Context,
  { customerId, stripeCustomerId }: { customerId: string; stripeCustomerId: string },
): Promise<{ hasPaid: boolean; created: number }> {
  const { invoices } = await readCustomer(ctx, stripeCustomerId)
  const paid = invoices.filter(({ status, amountPaid }) => status === 'paid' && amountPaid > 0)
  const missing = paid.filter(({ id }) => newestInvoice(ctx, id) === undefined)
  const wrong = newestInvoices(ctx, customerId).filter(
    (invoice) => isRemoved(ctx, invoice) || canBeMended(ctx, invoice),
  )
  return { hasPaid: paid.length > 0, created: missing.length + wrong.length }
}
