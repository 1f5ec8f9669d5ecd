import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { accessRevoked } from '#api/features/billing/purchases/subscription-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import type { Person } from '#api/http/session.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'

export type OwnCustomer = { id: string; userId: string; stripeCustomerId: string }

/** A person's subscription as it was just read. `status` is his standing: a trial without a card is `incomplete`. */
export type OwnSubscription = {
  id: string
  status: SubscriptionStatus
  stripePriceId: string | null
  cancelAtPeriodEnd: boolean
  isEnding: boolean
}

export function ownCustomer(ctx: Context, person: Person): OwnCustomer | null {
  const row = ctx.sqlite
    .prepare<[string], OwnCustomer>('select id, userId, stripeCustomerId from customers where userId = ?')
    .get(person.id)
  return row ?? null
}

/** While the owners have ended somebody's access nothing is sold to him. */
export function refuseRevoked({ access }: Person): void {
  if (access.isRevoked) throw accessRevoked()
}

/**
 * Does something with a person's subscription at the provider: read afresh before, so that nothing is decided on old news,
 * and after, so that the rows say what came of it. Each such work may be asked for twice, and waits for the one before:
 * what two tabs ask for at once is done one after the other.
 */
export async function withOwnSubscription<Result>(
  ctx: Context,
  person: Person,
  work: (subscription: OwnSubscription, customer: OwnCustomer) => Promise<Result>,
): Promise<Result> {
  const customer = ownCustomer(ctx, person)
  if (customer === null) throw noMembership()
  const readAndWork = async () => {
    await syncCustomer(ctx, customer.stripeCustomerId)
    const subscription = ownSubscription(ctx, person)
    if (subscription === null) throw noMembership()
    const result = await work(subscription, customer)
    await syncCustomer(ctx, customer.stripeCustomerId)
    return result
  }
  try {
    return await withKeyLock(ctx, person.id, readAndWork)
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

export const noMembership = () => new AppError('conflict', 'You have no membership yet. Please choose a tier and join.')

type Row = {
  stripePriceId: string | null
  cancelAtPeriodEnd: 0 | 1
  cancelAt: string | null
}

function ownSubscription(ctx: Context, person: Person): OwnSubscription | null {
  const { subscriptionId: id, status } = accessOfUser(ctx, person.id)
  if (id === null) return null
  const row = ctx.sqlite
    .prepare<[string], Row>('select stripePriceId, cancelAtPeriodEnd, cancelAt from subscriptions where id = ?')
    .get(id)
  if (row === undefined) return null
  const cancelAtPeriodEnd = row.cancelAtPeriodEnd === 1
  const isEnding = cancelAtPeriodEnd || row.cancelAt !== null
  return { id, status, stripePriceId: row.stripePriceId, cancelAtPeriodEnd, isEnding }
}
