import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { cancelIfUnpaid } from '#api/features/billing/cancellation/provider-service.ts'
import { beginCardChange } from '#api/features/billing/cards/changes-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { isRejectedByStripe } from '#api/stripe/errors.ts'
import { isPriceReplaced } from '#api/stripe/prices.ts'
import { isLive } from '#shared/rules/membership.ts'
import {
  type Attempt,
  type Buyer,
  beginAttempt,
  closeAttempt,
  openAttempt,
  rememberOrder,
  rememberSubscription,
  type SubscriptionOrder,
} from './attempts-service.ts'
import { clientSecretOf, nextPaymentOn, orderFor, placeOrder, readOrdered, type Sale } from './orders-service.ts'

/** A subscription at the provider that waits for its first payment, or for the card of a trial. */
export type Waiting = { clientSecret: string; subscriptionId: string; nextPaymentOn: string }

export const alreadySubscribed = () =>
  new AppError('already_subscribed', 'You already have a membership. Please open Billing.')

export const accessRevoked = () =>
  new AppError('access_revoked', 'Your access was ended by the owners. Please contact us.')

/** The same sale again goes on with the same subscription; another one takes it back first. One is made, however often asked. */
export const getOrCreateIncompleteSubscription = (ctx: Context, buyer: Buyer, sale: Sale): Promise<Waiting> =>
  withKeyLock(ctx, buyer.userId, () => begin(ctx, buyer, sale))

async function begin(ctx: Context, buyer: Buyer, sale: Sale): Promise<Waiting> {
  await settleEarlier(ctx, buyer, sale)
  const attempt = beginAttempt(ctx, buyer, { kind: sale.kind, tierSlug: sale.tier.slug })
  const wanted = await orderFor(ctx, attempt, sale)
  const order = rememberOrder(ctx, attempt, wanted)
  if (order.price !== wanted.price || order.trialEnd !== wanted.trialEnd) {
    // Another tab began with another tier, or the price or the date changed since: that one is taken back first.
    await abandon(ctx, attempt, order, buyer)
    return begin(ctx, buyer, sale)
  }
  const made = await ordered(ctx, attempt, { order, sale })
  // Its price was archived since it was found: the attempt is closed, and another price on sale.
  if (made === null) return begin(ctx, buyer, sale)
  rememberSubscription(ctx, attempt, made.id)
  await syncCustomer(ctx, order.customer)
  const clientSecret = clientSecretOf(made) ?? (await cardForTrial(ctx, buyer, made))
  if (clientSecret !== null) return { clientSecret, subscriptionId: made.id, nextPaymentOn: nextPaymentOn(made) }
  if (isLive(accessOfUser(ctx, buyer.userId).status)) throw alreadySubscribed()
  // It ended unpaid since it was begun: start afresh.
  closeAttempt(ctx, attempt.id, made.status)
  return begin(ctx, buyer, sale)
}

/** Null where the provider refused the price that was ordered, and now there is another. */
async function ordered(
  ctx: Context,
  attempt: Attempt,
  { order, sale }: { order: SubscriptionOrder; sale: Sale },
): Promise<Stripe.Subscription | null> {
  if (attempt.stripeSubscriptionId) return readOrdered(ctx, attempt.stripeSubscriptionId)
  try {
    return await placeOrder(ctx, attempt, order)
  } catch (error) {
    if (isRejectedByStripe(error) && (await isPriceReplaced(ctx, sale.tier, order.price))) return null
    throw error
  }
}

/** A customer whose card is on file is asked for none by the provider: a trial still waits until he has said how he pays. */
async function cardForTrial(ctx: Context, { userId }: Buyer, made: Stripe.Subscription): Promise<string | null> {
  if (made.status !== 'trialing' || accessOfUser(ctx, userId).status !== 'incomplete') return null
  const customer = ctx.sqlite
    .prepare<[string], { id: string; userId: string; stripeCustomerId: string }>(
      'select id, userId, stripeCustomerId from customers where userId = ?',
    )
    .get(userId)
  return customer === undefined ? null : beginCardChange(ctx, customer)
}

/** An incomplete subscription of this sale goes on, one of another is taken back, any other live one refuses. */
async function settleEarlier(ctx: Context, buyer: Buyer, { kind, tier }: Sale): Promise<void> {
  const { status, subscriptionId } = accessOfUser(ctx, buyer.userId)
  if (!isLive(status) || subscriptionId === null) return
  if (status !== 'incomplete') throw alreadySubscribed()
  const open = openAttempt(ctx, buyer.userId)
  const isSame = open?.kind === kind && open.tierSlug === tier.slug
  // Without a subscription on record its answer was lost: asked again, the provider names the same one.
  if (isSame && (open.stripeSubscriptionId ?? subscriptionId) === subscriptionId) return
  await takeBack(ctx, subscriptionId, buyer)
  if (open) closeAttempt(ctx, open.id, 'replaced')
}

async function abandon(ctx: Context, attempt: Attempt, order: SubscriptionOrder, buyer: Buyer): Promise<void> {
  // Its order may have reached the provider without an answer: repeated, it tells which subscription came of it.
  const subscriptionId = attempt.stripeSubscriptionId ?? (await placeOrder(ctx, attempt, order)).id
  await takeBack(ctx, subscriptionId, buyer)
  closeAttempt(ctx, attempt.id, 'replaced')
}

/** Takes an unpaid subscription back. One that was paid in the meantime stays, and is what the person has. */
async function takeBack(ctx: Context, subscriptionId: string, buyer: Buyer): Promise<void> {
  await syncCustomer(ctx, await cancelIfUnpaid(ctx, subscriptionId))
  if (isLive(accessOfUser(ctx, buyer.userId).status)) throw alreadySubscribed()
}
