import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { dropSettledDemands } from './arrears.ts'
import { settleCardChanges } from './card-changes.ts'
import type { Customer } from './consequences.ts'
import { codeOf, isRefusal } from './failures.ts'
import { withdrawDouble } from './withdraw.ts'

/**
 * What our rows say is still to be done at the provider. Whatever fails on the way is done after the next reading, so that
 * a closed browser or a lost answer leaves nothing half done. Returns whether anything was done.
 */
export async function meetObligations(ctx: Context, customer: Customer): Promise<boolean> {
  const hasWithdrawn = await withdrawDoubles(ctx, customer)
  const hasNewCard = await settleCardChanges(ctx, customer)
  const hasDropped = await dropSettledDemands(ctx, customer)
  return hasWithdrawn || hasNewCard || hasDropped
}

/** A second live subscription: recorded in the sync's transaction, so that whatever fails on the way is done by the next. */
export function openWithdrawal(ctx: Context, customer: Customer, subscriptionId: string): void {
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
    .prepare<[string], { subscriptionId: string }>(
      'select stripeSubscriptionId as subscriptionId from withdrawals where customerId = ? and closedAt is null',
    )
    .all(id)
  let hasWithdrawn = false
  for (const { subscriptionId } of owed) {
    if (!(await isWithdrawn(ctx, subscriptionId))) continue
    ctx.sqlite
      .prepare('update withdrawals set closedAt = ? where stripeSubscriptionId = ?')
      .run(ctx.billingNow().toISOString(), subscriptionId)
    hasWithdrawn = true
  }
  return hasWithdrawn
}

/** A refund that the provider refuses stays owed, and is asked for with every reading; the reading itself goes on. */
async function isWithdrawn(ctx: Context, subscription: string): Promise<boolean> {
  try {
    await withdrawDouble(ctx, subscription)
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    ctx.log.error('double subscription not refunded', { subscription, code: codeOf(error) })
    return false
  }
}
