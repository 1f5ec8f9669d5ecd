import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import {
  type OwnSubscription,
  refuseRevoked,
  withOwnSubscription,
} from '#api/features/billing/own-subscription-service.ts'
import { currentBilling } from '#api/features/billing/service.ts'
import type { Person } from '#api/http/session.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isLive } from '#shared/rules/membership.ts'
import { cancelIfUnpaid, endNow, endPause, endWithPeriod, goOn } from './provider-service.ts'

/** Whose period, or trial, is running: cancelled, it ends with that. What gives nothing now ends at once. */
const running = ['active', 'trialing', 'past_due']

export async function cancelMembership(ctx: Context, person: Person): Promise<BillingSubscription> {
  await withOwnSubscription(ctx, person, async (subscription) => {
    const { id, status, isEnding } = subscription
    if (!isLive(status) || (isEnding && running.includes(status))) return
    if (running.includes(status)) await endWithPeriod(ctx, id)
    else if (status === 'incomplete') await cancelIfUnpaid(ctx, id)
    else await endNow(ctx, id)
    record(ctx, person, 'subscription.cancel', subscription)
  })
  return currentBilling(ctx, person)
}

/** Takes a cancellation back, or ends a pause; what a pause’s end costs waits as an open invoice. */
export async function resumeMembership(ctx: Context, person: Person): Promise<BillingSubscription> {
  refuseRevoked(person)
  await withOwnSubscription(ctx, person, async (subscription) => {
    if (!isLive(subscription.status)) {
      throw new AppError('conflict', 'Your membership has ended. Please start a new one.')
    }
    const isPaused = subscription.status === 'paused'
    if (isPaused) await endPause(ctx, subscription.id)
    else if (subscription.isEnding) await goOn(ctx, subscription)
    else return
    record(ctx, person, 'subscription.resume', subscription)
  })
  return currentBilling(ctx, person)
}

/** Ends a membership whose payments were given up, so that a new one can begin. What it still asked for is dropped. */
export async function endUnpaid(ctx: Context, person: Person): Promise<BillingSubscription> {
  await withOwnSubscription(ctx, person, async (subscription) => {
    if (!isLive(subscription.status)) return
    if (subscription.status !== 'unpaid') {
      throw new AppError('conflict', 'Your membership can be cancelled. It then ends with the time that is paid for.')
    }
    await endNow(ctx, subscription.id)
    record(ctx, person, 'subscription.end', subscription)
  })
  return currentBilling(ctx, person)
}

function record(ctx: Context, person: Person, action: string, { id, status }: OwnSubscription): void {
  audit(ctx, `user:${person.id}`, action, { targetId: person.id, detail: { subscription: id, status } })
}
