import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { mailPaidOrder } from './mails.ts'
import { findOrder } from './queries.ts'

/**
 * An order is paid once the provider has its money, whoever told us and however late; its mails go with the change. Runs
 * inside the sync's transaction.
 */
export function completeOrders(ctx: Context, { id: customerId }: Customer): void {
  const paid = ctx.sqlite
    .prepare<[string], { id: string }>(
      `update quotient_orders set status = 'paid', paidAt = (
         select min(paidAt) from provider_invoices where provider_invoices.customerId = quotient_orders.customerId
           and quotientOrderId = quotient_orders.id and provider_invoices.status = 'paid' and amountPaid > 0)
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
  markRefunds(ctx, customerId)
}

/** All of its money has gone back. A refund that fails later leaves less than all. */
const isGivenBack = `exists (
  select 1 from provider_invoices where provider_invoices.customerId = quotient_orders.customerId
    and quotientOrderId = quotient_orders.id and amountPaid > 0 and amountRefunded >= amountPaid)`

function markRefunds({ sqlite }: Context, customerId: string): void {
  const mark = (to: string, from: string, condition: string) =>
    sqlite
      .prepare(`update quotient_orders set status = ? where customerId = ? and status = ? and ${condition}`)
      .run(to, customerId, from)
  mark('refunded', 'paid', isGivenBack)
  mark('paid', 'refunded', `not ${isGivenBack}`)
}
