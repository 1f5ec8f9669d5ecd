import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { OnBehalf } from '#api/features/billing/on-behalf-service.ts'
import {
  assertNotRevoked,
  type OwnSubscription,
  withOwnSubscription,
} from '#api/features/billing/own-subscription-service.ts'
import { assertNoneWaits } from '#api/features/billing/purchases/subscription-service.ts'
import { cancelAtPeriodEnd, cancelIfUnpaid, endSubscription } from '#api/features/subscriptions/provider-service.ts'
import { currentBilling } from '#api/features/subscriptions/view-service.ts'
import { resumePausedSubscription, undoCancellation } from '#api/stripe/subscriptions.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isLive } from '#shared/rules/membership.ts'

/** A period or trial is running, and cancelling takes effect at its end. In any other status it ends straight away. */
const running = ['active', 'trialing', 'past_due']

export async function cancelMembership(ctx: Context, onBehalf: OnBehalf): Promise<BillingSubscription> {
  await withOwnSubscription(ctx, onBehalf.person, async (subscription) => {
    const { id, status, isEnding } = subscription
    if (!isLive(status) || (isEnding && running.includes(status))) return
    if (running.includes(status)) await cancelAtPeriodEnd(ctx, id)
    else if (status === 'incomplete') await cancelIncomplete(ctx, id)
    else await endSubscription(ctx, id)
    auditCancellation(ctx, onBehalf, 'subscription.cancel', subscription)
  })
  return currentBilling(ctx, onBehalf.person)
}

/** One that was paid or got its card in the meantime runs to its end. */
async function cancelIncomplete(ctx: Context, id: string): Promise<void> {
  await cancelIfUnpaid(ctx, id)
  const { status } = await ctx.stripe.subscriptions.retrieve(id)
  if (running.includes(status)) await cancelAtPeriodEnd(ctx, id)
}

/** Undoes a cancellation or ends a pause. The cost of resuming becomes an open invoice. */
export async function resumeMembership(ctx: Context, onBehalf: OnBehalf): Promise<BillingSubscription> {
  assertNotRevoked(onBehalf.person)
  await withOwnSubscription(ctx, onBehalf.person, async (subscription) => {
    if (!isLive(subscription.status)) {
      throw new AppError('conflict', 'Your membership has ended. You can start a new one.')
    }
    if (subscription.isEnding) assertNoneWaits(ctx, onBehalf.person.id)
    if (subscription.status === 'paused') {
      if (!(await resumePausedSubscription(ctx, subscription.id))) return
    } else if (subscription.isEnding) await undoCancellation(ctx, subscription)
    else return
    auditCancellation(ctx, onBehalf, 'subscription.resume', subscription)
  })
  return currentBilling(ctx, onBehalf.person)
}

/** Ends a membership whose payments have failed for good and voids its open invoices, so that a new one can start. */
export async function endUnpaidMembership(ctx: Context, onBehalf: OnBehalf): Promise<BillingSubscription> {
  await withOwnSubscription(ctx, onBehalf.person, async (subscription) => {
    if (!isLive(subscription.status)) return
    if (subscription.status !== 'unpaid') {
      throw new AppError('conflict', 'Cancel your membership instead. You keep it to the end of what you’ve paid for.')
    }
    await endSubscription(ctx, subscription.id)
    auditCancellation(ctx, onBehalf, 'subscription.end', subscription)
  })
  return currentBilling(ctx, onBehalf.person)
}

function auditCancellation(
  ctx: Context,
  { person, actor }: OnBehalf,
  action: AuditAction,
  { id, status }: OwnSubscription,
): void {
  audit(ctx, actor, action, { targetId: person.id, detail: { subscription: id, status } })
}
