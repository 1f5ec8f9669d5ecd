import type { Context } from '#api/context.ts'
import type { Customer } from '#api/stripe/consequences.ts'
import { mailPaidOrder } from './mail.ts'
import { findOrder } from './queries.ts'

/**
 * An order is paid once the provider has its money, whoever told us and however late; its mails go with the change. Runs
 * inside the sync's transaction.
 */
export function completeOrders(ctx: Context, { id: customerId }: Customer): void {
  const paid = ctx.sqlite
    .prepare<[string], { id: string }>(
      `update quotient_orders set status = 'paid', paidAt = (
         select paidAt from provider_invoices where quotientOrderId = quotient_orders.id and status = 'paid' limit 1)
       where customerId = ? and status in ('pending', 'cancelled') and exists (
         select 1 from provider_invoices where provider_invoices.customerId = quotient_orders.customerId
           and quotientOrderId = quotient_orders.id and provider_invoices.status = 'paid' and amountPaid > 0)
       returning id`,
    )
    .all(customerId)
  for (const { id } of paid) {
    const order = findOrder(ctx, id)
    if (order) mailPaidOrder(ctx, order)
  }
  ctx.sqlite
    .prepare(
      `update quotient_orders set status = 'refunded' where customerId = ? and status = 'paid' and exists (
         select 1 from provider_invoices where provider_invoices.customerId = quotient_orders.customerId
           and quotientOrderId = quotient_orders.id and amountPaid > 0 and amountRefunded >= amountPaid)`,
    )
    .run(customerId)
}
