import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { type BilledSubscription, findCustomer, findSubscription } from '#api/features/subscriptions/queries.ts'
import { dropUpgrade } from '#api/features/subscriptions/upgrade-attempts-service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Member } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { type Asked, toAppError } from '#api/stripe/errors.ts'
import { lookingAgain } from '#api/stripe/look-again.ts'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { accessRevoked } from './purchases/subscription-service.ts'

/** A person's subscription as just read. `status` is the membership's: a trial without a card is `incomplete`. */
export type OwnSubscription = Pick<
  BilledSubscription,
  | 'stripePriceId'
  | 'cancelAtPeriodEnd'
  | 'tierSlug'
  | 'nextTierSlug'
  | 'nextTierNet'
  | 'nextTierPrice'
  | 'isNextFree'
  | 'chargeMonths'
  | 'chargeDays'
> & {
  id: string
  status: SubscriptionStatus
  /** When it's charged next; null if it isn't. */
  nextBillingAt: string | null
  isEnding: boolean
  /** Payments are paused, though the subscription is active. */
  isCollectionPaused: boolean
  /** The owners put the next payment off, by a trial at the provider. */
  isPutOff: boolean
}

/** Throws if the person never bought a membership. */
export function ownCustomer(ctx: Context, person: Member) {
  const customer = findCustomer(ctx, person.id)
  if (customer === undefined) throw noMembership()
  return customer
}

/** We sell nothing to someone whose access the owners have revoked. */
export function assertNotRevoked({ access }: Member): void {
  if (access.isRevoked) throw accessRevoked()
}

/**
 * Syncs before, so that we never decide on old state, and after, so that our rows have the result. `work` must be safe to repeat.
 * First ends an upgrade that's waiting for payment, unless `work` is about it.
 */
export async function withOwnSubscription<Result>(
  ctx: Context,
  person: Member,
  work: (subscription: OwnSubscription) => Promise<Result>,
  { keepsUpgrade = false, asked = 'change' }: { keepsUpgrade?: boolean; asked?: Asked } = {},
): Promise<Result> {
  const { id: customerId, stripeCustomerId } = ownCustomer(ctx, person)
  const readAndWork = async () => {
    if (!keepsUpgrade) await dropUpgrade(ctx, customerId)
    await syncCustomer(ctx, stripeCustomerId)
    const subscription = ownSubscription(ctx, person)
    if (subscription === null) throw noMembership()
    const result = await work(subscription)
    await syncCustomer(ctx, stripeCustomerId)
    return result
  }
  try {
    return await withKeyLock(ctx, person.id, () => lookingAgain(readAndWork))
  } catch (error) {
    throw toAppError(ctx, error, asked)
  }
}

export const noMembership = () => new AppError('conflict', 'You don’t have a membership yet. Choose a tier and join.')

export function ownSubscription(ctx: Context, person: Member): OwnSubscription | null {
  const { subscriptionId: id, status, nextBillingAt } = accessOfUser(ctx, person.id)
  const row = id === null ? undefined : findSubscription(ctx, id)
  if (id === null || row === undefined) return null
  const { cancelAtPeriodEnd, cancelAt, nextTierSlug, nextTierNet, nextTierPrice } = row
  return {
    id,
    status,
    stripePriceId: row.stripePriceId,
    tierSlug: row.tierSlug,
    chargeMonths: row.chargeMonths,
    chargeDays: row.chargeDays,
    nextBillingAt,
    cancelAtPeriodEnd,
    nextTierSlug,
    nextTierNet,
    nextTierPrice,
    isNextFree: row.isNextFree,
    isEnding: cancelAtPeriodEnd || cancelAt !== null,
    isCollectionPaused: row.collectionPause !== null,
    isPutOff: status === 'active' && row.trialEnd !== null && row.trialEnd > ctx.billingNow().toISOString(),
  }
}
