import { and, desc, eq, isNotNull, max, notInArray, or } from 'drizzle-orm'
import { auditWish } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { least, tookMoney, total } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { duplicateSubscriptions, subscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { refundAndCancel } from '#api/features/subscriptions/provider-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import type { GuaranteePlan, MemberRecord } from '#shared/contract/member-record.ts'
import type { GuaranteeRefund } from '#shared/contract/members.ts'
import { guaranteeDays, guaranteeEnds } from '#shared/rules/guarantee.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'

/** Refunds all the newest membership charged, and ends it. Safe to repeat, so the next call completes an interrupted one. */
export async function refundUnderGuarantee(
  ctx: Context,
  owner: Owner,
  { memberId: idOrEmail, reason }: { memberId: string; reason?: string | undefined },
): Promise<GuaranteeRefund> {
  const before = newestPurchase(ctx, idOrEmail)
  const { subscriptionId, stripeCustomerId } = assertRefundable(ctx, before)
  const detail = { subscription: subscriptionId, ...(reason === undefined ? {} : { reason }) }
  const record = () =>
    auditWish(ctx, owner.actor, 'member.guarantee_refund', { targetId: before.userId, wish: subscriptionId, detail })
  await lookingAgainForOwner(ctx, async () => {
    await refundAndCancel(ctx, subscriptionId, record)
    await syncCustomer(ctx, stripeCustomerId)
  })
  const after = newestPurchase(ctx, idOrEmail)
  return { refunded: after.refunded, subscriptionId }
}

const isMembershipPayment = (db: Db) =>
  and(
    eq(providerInvoices.customerId, customers.id),
    tookMoney(),
    isNotNull(providerInvoices.subscriptionId),
    notInArray(
      providerInvoices.subscriptionId,
      db.select({ id: duplicateSubscriptions.stripeSubscriptionId }).from(duplicateSubscriptions),
    ),
  )

function newestPurchase(ctx: Context, idOrEmail: string) {
  const { db } = ctx
  const purchase = db
    .select({
      userId: users.id,
      stripeCustomerId: customers.stripeCustomerId,
      subscriptionId: providerInvoices.subscriptionId,
      status: subscriptions.status,
      firstPaidAt: least(providerInvoices.paidAt),
      paid: total(providerInvoices.amountPaid),
      refunded: total(providerInvoices.amountRefunded),
    })
    .from(users)
    .leftJoin(customers, customerBelongsTo(users.id))
    .leftJoin(providerInvoices, isMembershipPayment(db))
    .leftJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
    .where(or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase())))
    .groupBy(users.id, customers.id, providerInvoices.subscriptionId)
    .orderBy(desc(max(providerInvoices.paidAt)))
    .limit(1)
    .get()
  if (purchase === undefined) throw memberNotFound()
  return purchase
}

type Purchase = ReturnType<typeof newestPurchase>

/** The guarantee's last day and what it would refund; null if nothing. */
export function findGuarantee(ctx: Context, memberId: string): MemberRecord['guarantee'] {
  const { subscriptionId, firstPaidAt, paid, refunded } = newestPurchase(ctx, memberId)
  if (subscriptionId === null || firstPaidAt === null || paid <= refunded) return null
  const ends = guaranteeEnds(firstPaidAt)
  return ctx.billingNow() >= ends ? null : { endsOn: londonDay(ends), refundable: paid - refunded }
}

/** What `refundUnderGuarantee` would do now. Refuses the same cases. */
export function planGuarantee(ctx: Context, memberId: string): GuaranteePlan {
  const purchase = newestPurchase(ctx, memberId)
  const { subscriptionId } = assertRefundable(ctx, purchase)
  return { refundable: purchase.paid - purchase.refunded, subscriptionId }
}

function assertRefundable(ctx: Context, purchase: Purchase): { subscriptionId: string; stripeCustomerId: string } {
  const { subscriptionId, stripeCustomerId, status, firstPaidAt, paid, refunded } = purchase
  if (subscriptionId === null || stripeCustomerId === null || firstPaidAt === null) {
    throw new AppError('conflict', 'This member hasn’t paid for a membership, so there’s nothing to refund.')
  }
  if (refunded >= paid && !isLive(status ?? 'none')) {
    throw new AppError('conflict', 'You’ve already refunded this payment.')
  }
  const ends = guaranteeEnds(firstPaidAt)
  if (ctx.billingNow() >= ends) {
    throw new AppError('conflict', `The ${guaranteeDays}-day guarantee ended on ${formatLongDate(ends.toISOString())}.`)
  }
  return { subscriptionId, stripeCustomerId }
}
