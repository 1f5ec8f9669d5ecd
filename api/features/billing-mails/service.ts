import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { queueAccessEnds, queuePaymentFailed, queueReceipts, queueRefunds } from './payment-mails.ts'
import { findMember, type Member, subscriptionById } from './queries.ts'
import { queueEnded, queueEnding, queuePaused, queueTierChange } from './subscription-mails.ts'
import { queueWelcome } from './welcome-mails.ts'

/** One mail per cause, whatever order events come in, none about the time before we knew the customer. Runs last in a sync. */
export function queueBillingMails(ctx: Context, customer: Customer): void {
  const member = customer.userId === null ? null : findMember(ctx, customer.userId)
  if (member !== null) queueAboutMembership(ctx, member, customer.id)
  queueReceipts(ctx, customer)
  queueRefunds(ctx, customer)
}

function queueAboutMembership(ctx: Context, member: Member, customerId: string): void {
  queueEnded(ctx, member, customerId)
  const { subscriptionId } = member.access
  if (subscriptionId === null) return
  const subscription = subscriptionById.get(ctx, { id: subscriptionId })
  if (subscription === undefined) return
  queueWelcome(ctx, member, subscription)
  queuePaymentFailed(ctx, member, subscription)
  queueAccessEnds(ctx, member, subscription)
  queuePaused(ctx, member, subscription)
  queueEnding(ctx, member, subscription)
  queueTierChange(ctx, member, subscription)
}
