import { and, eq } from 'drizzle-orm'
import { auditWish } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError, notFound } from '#api/errors.ts'
import { refreshBalance } from '#api/features/earnings/earned/balance-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { endSubscription } from '#api/features/subscriptions/provider-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import { findPartRefund, refundInvoiceInPart } from '#api/stripe/refunds.ts'
import type { PaymentRefund, PaymentRefundRequest, RefundRequest } from '#shared/contract/member-record.ts'
import type { GuaranteeRefund } from '#shared/contract/members.ts'
import { isLive } from '#shared/rules/membership.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { refundUnderGuarantee } from './guarantee-service.ts'

const paymentOfUser = preparedQuery<{ id: string; userId: string }>()((db, { id, userId }) =>
  db
    .select({
      id: providerInvoices.id,
      status: providerInvoices.status,
      paid: providerInvoices.amountPaid,
      refunded: providerInvoices.amountRefunded,
      stripeCustomerId: customers.stripeCustomerId,
      subscriptionId: subscriptions.id,
      subscriptionStatus: subscriptions.status,
    })
    .from(providerInvoices)
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .leftJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
    .where(and(eq(providerInvoices.id, id), customerBelongsTo(userId))),
)

type Asked = { memberId: string; request: PaymentRefundRequest }

/** One payment if the request names it, else everything under the guarantee. */
export async function refund(
  ctx: Context,
  owner: Owner,
  { memberId, request }: { memberId: string; request: RefundRequest },
): Promise<GuaranteeRefund | PaymentRefund> {
  const refunded =
    request.paymentId === undefined
      ? await refundUnderGuarantee(ctx, owner, { memberId, reason: request.reason })
      : await refundPayment(ctx, owner, { memberId, request })
  // The webhook comes later than the owner looks.
  await refreshBalance(ctx)
  return refunded
}

/** Refunds part or all of one payment, once per key. Access stays. The sync adds credit note and claw-back. */
const refundPayment = (ctx: Context, owner: Owner, asked: Asked): Promise<PaymentRefund> =>
  withKeyLock(ctx, asked.memberId, () => lookingAgainForOwner(ctx, () => readAndRefund(ctx, owner, asked)))

async function readAndRefund(ctx: Context, owner: Owner, { memberId, request }: Asked): Promise<PaymentRefund> {
  const { id, paymentId, amount, reason, endsMembership } = request
  const { stripeCustomerId } = findPayment(ctx, memberId, paymentId)
  await syncCustomer(ctx, stripeCustomerId)
  const payment = findPayment(ctx, memberId, paymentId)
  if (!(await findPartRefund(ctx, { invoice: paymentId, id }))) {
    assertLeft(payment, amount)
    await refundInvoiceInPart(ctx, { invoice: paymentId, amount, id })
  }
  const detail = { payment: paymentId, amount, reason, endsMembership }
  auditWish(ctx, owner.actor, 'member.refund', { targetId: memberId, wish: id, detail })
  const { subscriptionId, subscriptionStatus } = payment
  if (endsMembership && subscriptionId !== null && isLive(subscriptionStatus ?? 'none')) {
    await endSubscription(ctx, subscriptionId)
  }
  await syncCustomer(ctx, stripeCustomerId)
  const { paid, refunded } = findPayment(ctx, memberId, paymentId)
  return { refunded, left: paid - refunded }
}

function findPayment(ctx: Context, userId: string, id: string) {
  const payment = paymentOfUser.get(ctx, { id, userId })
  if (payment === undefined) throw notFound('This payment')
  return payment
}

function assertLeft({ status, paid, refunded }: ReturnType<typeof findPayment>, amount: number): void {
  const left = status === 'paid' ? paid - refunded : 0
  if (left === 0) throw new AppError('conflict', 'This payment is already fully refunded.')
  if (amount <= left) return
  const sentence = `You can refund up to ${formatPoundsAndPence(left)} of this payment.`
  throw new AppError('invalid', sentence, { fields: { amount: sentence } })
}
