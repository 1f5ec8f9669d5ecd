import type { Context } from '#api/context.ts'
import { customersOf } from '#api/db/whose.ts'
import { readCustomer } from '#api/stripe/read-customer.ts'
import { isRemoved, newestInvoice, newestInvoices } from './queries.ts'
import { canGetAddress } from './reissue-service.ts'

/** What the tool would issue for a customer, read from the provider and our rows; nothing is written. */
export async function plannedFixes(
  ctx: Context,
  { memberId, stripeCustomerId }: { memberId: string; stripeCustomerId: string },
): Promise<{ hasPaid: boolean; created: number; removed: string[] }> {
  const { invoices } = await readCustomer(ctx, stripeCustomerId)
  const paid = invoices.filter(({ status, amountPaid }) => status === 'paid' && amountPaid > 0)
  const missing = paid.filter(({ id }) => newestInvoice(ctx, id) === undefined)
  const issued = customersOf(ctx, memberId).flatMap(({ id }) => newestInvoices(ctx, id))
  const removed = issued.filter((invoice) => isRemoved(ctx, invoice))
  const wrong = issued.filter((invoice) => canGetAddress(ctx, invoice))
  return {
    hasPaid: paid.length + issued.length > 0,
    created: missing.length + removed.length + wrong.length,
    removed: removed.map(({ number }) => number),
  }
}
