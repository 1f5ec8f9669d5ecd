import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { voidObsoleteInvoices } from '#api/features/billing/arrears-service.ts'
import { cancelAndRefundDuplicate, refundInvoiceInFull } from '#api/features/billing/cancellation/provider-service.ts'
import { settleCardChanges } from '#api/features/billing/cards/changes-service.ts'
import { errorCodeOf, isRejectedByStripe } from '#api/stripe/errors.ts'

/**
 * What our rows say is still to be done at the provider. Whatever fails on the way is done after the next reading, so that
 * a closed browser or a lost answer leaves nothing half done. Returns whether anything was done.
 */
export async function runPendingActions(ctx: Context, customer: Customer): Promise<boolean> {
  const hasWithdrawn = await withdrawDoubles(ctx, customer)
  const hasNewCard = await settleCardChanges(ctx, customer)
  const hasDropped = await voidObsoleteInvoices(ctx, customer)
  const hasReturned = await returnLatePayments(ctx, customer)
  return hasWithdrawn || hasNewCard || hasDropped || hasReturned
}

/** A second live subscription: recorded in the sync's transaction, so that whatever fails on the way is done by the next. */
export function recordDuplicate(ctx: Context, customer: Customer, subscriptionId: string): void {
  const opened = ctx.sqlite
    .prepare(
      'insert into withdrawals (stripeSubscriptionId, customerId, openedAt) values (?, ?, ?) on conflict do nothing',
    )
    .run(subscriptionId, customer.id, ctx.billingNow().toISOString())
  if (opened.changes === 0) return
  const targetId = customer.userId ?? customer.id
  audit(ctx, 'system', 'subscription.double', { targetId, detail: { subscription: subscriptionId } })
}

async function withdrawDoubles(ctx: Context, { id }: Customer): Promise<boolean> {
  const owed = ctx.sqlite
    .prepare<[string], { subscription: string }>(
      'select stripeSubscriptionId as subscription from withdrawals where customerId = ? and closedAt is null',
    )
    .all(id)
  let hasWithdrawn = false
  for (const { subscription } of owed) {
    const withdraw = () => cancelAndRefundDuplicate(ctx, subscription).then(() => true)
    if (!(await isRefunded(ctx, { subscription }, withdraw))) continue
    ctx.sqlite
      .prepare('update withdrawals set closedAt = ? where stripeSubscriptionId = ?')
      .run(ctx.billingNow().toISOString(), subscription)
    hasWithdrawn = true
  }
  return hasWithdrawn
}

/**
 * SQL: what a customer paid for a membership after it had been ended on request. It has bought nothing and goes back, once;
 * where something of it went back before, that was an owner's doing, and is left at that.
 */
export const latePayments = (customer: string) =>
  `select paid.id as invoice from provider_invoices paid join subscriptions on subscriptions.id = paid.subscriptionId
   where paid.customerId = ${customer} and paid.status = 'paid' and paid.amountPaid > 0 and paid.billingReason <> 'manual'
     and subscriptions.status = 'canceled' and subscriptions.cancellationReason = 'cancellation_requested'
     and paid.paidAt > subscriptions.endedAt
     and not exists (select 1 from provider_refunds where providerInvoiceId = paid.id)`

async function returnLatePayments(ctx: Context, customer: Customer): Promise<boolean> {
  const late = ctx.sqlite.prepare<[string], { invoice: string }>(latePayments('?')).all(customer.id)
  let hasReturned = false
  for (const { invoice } of late) {
    const refund = () => refundInvoiceInFull(ctx, invoice, 'requested_by_customer')
    if (!(await isRefunded(ctx, { invoice }, refund))) continue
    audit(ctx, 'system', 'invoice.late_payment', { targetId: customer.userId ?? customer.id, detail: { invoice } })
    hasReturned = true
  }
  return hasReturned
}

/** A refund that the provider refuses stays owed, and is asked for with every reading; the reading itself goes on. */
async function isRefunded(
  ctx: Context,
  owed: Record<string, string>,
  refund: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await refund()
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
    ctx.log.error('not refunded', { ...owed, code: errorCodeOf(error) })
    return false
  }
}
