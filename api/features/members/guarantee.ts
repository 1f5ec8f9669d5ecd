import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { isHisCustomer } from '#api/db/whose.ts'
import { AppError, notFound } from '#api/errors.ts'
import { refundAndCancel } from '#api/features/billing/cancellation/provider-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import type { Owner } from '#api/http/session.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { GuaranteeRefund } from '#shared/contract/admin.ts'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { guaranteeEnds } from '#shared/rules/guarantee.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'

type Bought = {
  userId: string
  stripeCustomerId: string
  subscriptionId: string | null
  status: SubscriptionStatus | null
  firstPaidAt: string | null
  paid: number
  refunded: number
}

/**
 * The 14-day guarantee: all that the newest membership has taken goes back, and the membership ends. Every step at the
 * provider may be repeated, so that a call cut short is made good by the next.
 */
export async function refundUnderGuarantee(ctx: Context, owner: Owner, idOrEmail: string): Promise<GuaranteeRefund> {
  const before = newestBought(ctx, idOrEmail)
  const subscriptionId = refundable(ctx, before)
  audit(ctx, owner.actor, 'member.guarantee_refund', {
    targetId: before.userId,
    detail: { subscription: subscriptionId },
  })
  try {
    await refundAndCancel(ctx, subscriptionId)
    await syncCustomer(ctx, before.stripeCustomerId)
  } catch (error) {
    throw toAppError(ctx, error)
  }
  const after = newestBought(ctx, idOrEmail)
  return { refunded: after.refunded, subscriptionId }
}

/** The person's newest subscription that was ever paid, and what was paid for it; a double that was taken back is none. */
function newestBought(ctx: Context, idOrEmail: string): Bought {
  const row = ctx.sqlite
    .prepare<[string, string], Bought>(
      `select users.id as userId, customers.stripeCustomerId, paid.subscriptionId,
         (select status from subscriptions where id = paid.subscriptionId) as status, min(paid.paidAt) as firstPaidAt,
         coalesce(sum(paid.amountPaid), 0) as paid, coalesce(sum(paid.amountRefunded), 0) as refunded
       from users left join customers on ${isHisCustomer('users.id')}
         left join provider_invoices paid on paid.customerId = customers.id and paid.status = 'paid' and paid.amountPaid > 0
           and paid.subscriptionId is not null
           and not exists (select 1 from withdrawals where stripeSubscriptionId = paid.subscriptionId)
       where users.id = ? or users.email = ?
       group by users.id, customers.id, paid.subscriptionId order by max(paid.paidAt) desc limit 1`,
    )
    .get(idOrEmail, idOrEmail.toLowerCase())
  if (row === undefined) throw notFound('This member')
  return row
}

function refundable(ctx: Context, { subscriptionId, status, firstPaidAt, paid, refunded }: Bought): string {
  if (subscriptionId === null || firstPaidAt === null) {
    throw new AppError('conflict', 'This member has not paid for a membership. There is nothing to give back.')
  }
  if (refunded >= paid && !isLive(status ?? 'none')) {
    throw new AppError('conflict', 'This payment has been given back already.')
  }
  const ends = guaranteeEnds(firstPaidAt)
  if (ctx.billingNow() >= ends) {
    throw new AppError('conflict', `The 14-day guarantee ended on ${formatLongDate(ends.toISOString())}.`)
  }
  return subscriptionId
}
