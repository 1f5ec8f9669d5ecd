import { and, eq, isNull } from 'drizzle-orm'
import { auditWish } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { preparedQuery } from '#api/db/query.ts'
import { duplicateSubscriptions } from '#api/db/schema/subscriptions.ts'
import { selectLatePayments, voidObsoleteInvoices } from '#api/features/subscriptions/arrears-service.ts'
import { settleCardChanges } from '#api/features/subscriptions/card-changes-service.ts'
import { tellProviderAddress } from '#api/features/subscriptions/provider-address-service.ts'
import { cancelAndRefundDuplicate } from '#api/features/subscriptions/provider-service.ts'
import { settleUpgrade } from '#api/features/subscriptions/upgrade-attempts-service.ts'
import { errorCodeOf, isRejectedByStripe } from '#api/stripe/errors.ts'
import { refundInvoiceInFull } from '#api/stripe/refunds.ts'

/** Whatever fails is retried after the next sync, so a lost response leaves nothing half done. True if it did anything. */
export async function runPendingActions(ctx: Context, customer: Customer): Promise<boolean> {
  if (customer.userId !== null) await tellProviderAddress(ctx, customer.userId)
  const hasRefundedDuplicates = await refundDuplicates(ctx, customer)
  const hasNewCard = await settleCardChanges(ctx, customer)
  const hasEndedUpgrade = await settleUpgrade(ctx, customer.id)
  const hasVoided = await voidObsoleteInvoices(ctx, customer)
  const hasRefundedLate = await refundLatePayments(ctx, customer)
  return hasRefundedDuplicates || hasNewCard || hasEndedUpgrade || hasVoided || hasRefundedLate
}

const pendingDuplicates = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ subscription: duplicateSubscriptions.stripeSubscriptionId })
    .from(duplicateSubscriptions)
    .where(and(eq(duplicateSubscriptions.customerId, customerId), isNull(duplicateSubscriptions.closedAt))),
)

async function refundDuplicates(ctx: Context, { id: customerId }: Customer): Promise<boolean> {
  let hasRefunded = false
  for (const { subscription } of pendingDuplicates.all(ctx, { customerId })) {
    const refund = () => cancelAndRefundDuplicate(ctx, subscription).then(() => true)
    if (!(await isRefunded(ctx, { subscription }, refund))) continue
    ctx.db
      .update(duplicateSubscriptions)
      .set({ closedAt: ctx.billingNow().toISOString() })
      .where(eq(duplicateSubscriptions.stripeSubscriptionId, subscription))
      .run()
    hasRefunded = true
  }
  return hasRefunded
}

const latePayments = preparedQuery<{ customerId: string }>()((db, { customerId }) => selectLatePayments(db, customerId))

async function refundLatePayments(ctx: Context, customer: Customer): Promise<boolean> {
  let hasRefunded = false
  for (const { invoice } of latePayments.all(ctx, { customerId: customer.id })) {
    const refund = () => refundInvoiceInFull(ctx, invoice, 'requested_by_customer')
    if (!(await isRefunded(ctx, { invoice }, refund))) continue
    // Two concurrent syncs both find it refunded.
    const targetId = customer.userId ?? customer.id
    auditWish(ctx, 'system', 'invoice.late_payment', { targetId, wish: invoice, detail: { invoice } })
    hasRefunded = true
  }
  return hasRefunded
}

/** A refused refund stays pending and is retried after every sync. It doesn't stop the sync itself. */
async function isRefunded(
  ctx: Context,
  pending: Record<string, string>,
  refund: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await refund()
  } catch (error) {
    if (!isRejectedByStripe(error)) throw error
    ctx.log.error('not refunded', { ...pending, code: errorCodeOf(error) })
    return false
  }
}
