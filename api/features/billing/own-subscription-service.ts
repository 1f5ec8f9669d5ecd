import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import type { Person } from '#api/http/session.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { accessRevoked } from './purchases/subscription-service.ts'
import { type BilledSubscription, findCustomer, findSubscription } from './queries.ts'
import { dropUpgrade } from './upgrades/attempts-service.ts'

/** A person's subscription as it was just read. `status` is that of the membership: a trial without a card is `incomplete`. */
export type OwnSubscription = Pick<
  BilledSubscription,
  'stripePriceId' | 'cancelAtPeriodEnd' | 'tierSlug' | 'nextTierSlug' | 'nextTierNet' | 'isNextFree'
> & {
  id: string
  status: SubscriptionStatus
  isEnding: boolean
}

/** Throws where the person has never bought a membership. */
export function ownCustomer(ctx: Context, person: Person) {
  const customer = findCustomer(ctx, person.id)
  if (customer === undefined) throw noMembership()
  return customer
}

/** While the owners have ended somebody's access, nothing is sold to them. */
export function assertNotRevoked({ access }: Person): void {
  if (access.isRevoked) throw accessRevoked()
}

/**
 * Does something with a person's subscription at the provider. It is read before, so that nothing is decided on an old
 * state, and after, so that the rows have the result. Each such work may be asked for twice; what two tabs ask for at once
 * is done one after the other. An upgrade that waits for its payment ends first, unless the work is about that.
 */
export async function withOwnSubscription<Result>(
  ctx: Context,
  person: Person,
  work: (subscription: OwnSubscription) => Promise<Result>,
  { keepsUpgrade = false } = {},
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
    return await withKeyLock(ctx, person.id, readAndWork)
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

const noMembership = () => new AppError('conflict', 'You don’t have a membership yet. Choose a tier and join.')

function ownSubscription(ctx: Context, person: Person): OwnSubscription | null {
  const { subscriptionId: id, status } = accessOfUser(ctx, person.id)
  const row = id === null ? undefined : findSubscription(ctx, id)
  if (id === null || row === undefined) return null
  const { stripePriceId, cancelAtPeriodEnd, cancelAt, tierSlug, nextTierSlug, nextTierNet, isNextFree } = row
  return {
    id,
    status,
    stripePriceId,
    cancelAtPeriodEnd,
    tierSlug,
    nextTierSlug,
    nextTierNet,
    isNextFree,
    isEnding: cancelAtPeriodEnd || cancelAt !== null,
  }
}
