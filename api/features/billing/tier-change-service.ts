import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { tierAtPrice } from '#api/features/billing/purchases/service.ts'
import type { Person } from '#api/http/session.ts'
import { tierOfPrice } from '#api/stripe/prices.ts'
import { bookTierChange, releaseSchedule } from '#api/stripe/schedules.ts'
import type { BillingSubscription, ChangeTierRequest, SubscriptionStatus } from '#shared/contract/billing.ts'
import { type OwnSubscription, refuseRevoked, withOwnSubscription } from './own-subscription-service.ts'
import { currentBilling } from './service.ts'

/** Another tier with the next payment; the present one takes a booked change back. */
export async function changeTier(
  ctx: Context,
  person: Person,
  request: ChangeTierRequest,
): Promise<BillingSubscription> {
  refuseRevoked(person)
  await withOwnSubscription(ctx, person, async (subscription) => {
    refuseUnsteady(subscription)
    const { id, stripePriceId } = subscription
    const present = stripePriceId === null ? null : await tierOfPrice(ctx, stripePriceId)
    if (present === request.tierSlug) return undo(ctx, person, id)
    const tier = tierAtPrice(ctx, request)
    await bookTierChange(ctx, id, tier)
    record(ctx, person, 'subscription.change_tier', { subscription: id, from: present, to: tier.slug, net: tier.price })
  })
  return currentBilling(ctx, person)
}

export async function undoTierChange(ctx: Context, person: Person): Promise<BillingSubscription> {
  refuseRevoked(person)
  await withOwnSubscription(ctx, person, ({ id }) => undo(ctx, person, id))
  return currentBilling(ctx, person)
}

async function undo(ctx: Context, person: Person, subscription: string): Promise<void> {
  if (await releaseSchedule(ctx, subscription)) record(ctx, person, 'subscription.keep_tier', { subscription })
}

const first: Partial<Record<SubscriptionStatus, string>> = {
  past_due: 'Please pay your open invoice first. Then you can change your tier.',
  unpaid: 'Please pay your open invoice first. Then you can change your tier.',
  paused: 'Please resume your membership first. Then you can change your tier.',
  incomplete: 'Please finish joining first. You can choose another tier there.',
}

/** A tier is changed between two payments that are both in order. */
function refuseUnsteady({ status, isEnding }: OwnSubscription): void {
  const sentence = status === 'active' || status === 'trialing' ? null : first[status]
  if (sentence !== null) {
    throw new AppError('conflict', sentence ?? 'Your membership has ended. Please start a new one.')
  }
  if (isEnding) {
    throw new AppError(
      'conflict',
      'Your membership is set to end. Please resume it first. Then you can change your tier.',
    )
  }
}

function record(ctx: Context, { id }: Person, action: string, detail: Record<string, unknown>): void {
  audit(ctx, `user:${id}`, action, { targetId: id, detail })
}
