import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { queueReceipts, queueRefunds } from './payment-mails.ts'
import { findMember, type Member, queriesOf } from './queries.ts'
import { queuePaymentFailed } from './renewal-mails.ts'
import { queueEnded, queueEnding } from './subscription-mails.ts'
import { queueTierChange } from './tier-change-mails.ts'
import { queueHello } from './welcome-mails.ts'

/**
 * Puts in the outbox what a customer's rows give to tell: one mail for each cause, whatever the number, order or delay of
 * the news, and none about what was before we knew the customer. Runs inside the sync's transaction, last.
 */
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
  const subscription = queriesOf(ctx).subscription.get(subscriptionId)
  if (subscription === undefined) return
  queueHello(ctx, member, subscription)
  queuePaymentFailed(ctx, member, subscription)
  queueEnding(ctx, member, subscription)
  queueTierChange(ctx, member, subscription)
}
