import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { cancelIfUnpaid } from '#api/features/billing/cancellation/provider-service.ts'
import { beginCardChange } from '#api/features/billing/cards/changes-service.ts'
import { findCustomer } from '#api/features/billing/queries.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { withKeyLock } from '#api/key-lock.ts'
import { isRejectedByStripe, toAppError } from '#api/stripe/errors.ts'
import { cardOrPayPal } from '#api/stripe/payment-methods.ts'
import { isPriceReplaced } from '#api/stripe/prices.ts'
import { clientSecretOf, type NewSubscription, nextPaymentOn, retrieveForPayment } from '#api/stripe/subscriptions.ts'
import { isLive } from '#shared/rules/membership.ts'
import {
  type Attempt,
  type Buyer,
  closeAttempt,
  findOpenAttempt,
  getOrCreateAttempt,
  storeOrder,
  storeSubscription,
} from './attempts-service.ts'
import { buildOrder, placeOrder, type Sale } from './orders-service.ts'

/** A subscription at the provider that waits for its first payment, or for the card of a trial. */
export type IncompleteSubscription = { clientSecret: string; subscriptionId: string; nextPaymentOn: string }

export const alreadySubscribed = () =>
  new AppError('already_subscribed', 'You already have a membership. Please open Billing.')

export const accessRevoked = () =>
  new AppError('access_revoked', 'Your access was ended by the owners. Please contact us.')

/**
 * The same sale again returns the same subscription; another sale cancels that one first. However often it is asked for,
 * one subscription is created.
 */
export const getOrCreateIncompleteSubscription = (
  ctx: Context,
  buyer: Buyer,
  sale: Sale,
): Promise<IncompleteSubscription> => withKeyLock(ctx, buyer.userId, () => getOrCreate(ctx, buyer, sale))

async function getOrCreate(ctx: Context, buyer: Buyer, sale: Sale): Promise<IncompleteSubscription> {
  await settleEarlierSubscription(ctx, buyer, sale)
  const attempt = getOrCreateAttempt(ctx, buyer, sale)
  const wanted = await buildOrder(ctx, attempt, sale)
  const order = storeOrder(ctx, attempt, wanted)
  if (order.price !== wanted.price || order.trialEnd !== wanted.trialEnd) {
    // Another tab began with another tier, or the price or the date has changed since: that subscription is cancelled first.
    if (!(await abandonAttempt(ctx, attempt, order))) throw alreadySubscribed()
    return getOrCreate(ctx, buyer, sale)
  }
  const subscription = await placeOrRetrieve(ctx, attempt, { order, sale })
  // Its price was archived since it was read: the attempt is closed, and the tier is sold at another price.
  if (subscription === null) return getOrCreate(ctx, buyer, sale)
  storeSubscription(ctx, attempt, subscription.id)
  await syncCustomer(ctx, order.customer)
  assertStillIncomplete(ctx, buyer)
  if (isEndedBesideAnother(ctx, buyer, subscription.id)) {
    closeAttempt(ctx, attempt.id, 'replaced')
    return getOrCreate(ctx, buyer, sale)
  }
  const clientSecret = clientSecretOf(subscription) ?? (await setUpCardForTrial(ctx, buyer, subscription))
  if (clientSecret !== null) {
    return { clientSecret, subscriptionId: subscription.id, nextPaymentOn: nextPaymentOn(subscription) }
  }
  if (isLive(accessOfUser(ctx, buyer.userId).status)) throw alreadySubscribed()
  // It has ended unpaid since it was started.
  closeAttempt(ctx, attempt.id, subscription.status)
  return getOrCreate(ctx, buyer, sale)
}

/**
 * What was retrieved for payment is older than the reading: it may have been paid since, or cancelled as the second beside a
 * membership that was begun elsewhere. Then there is nothing left to pay.
 */
function assertStillIncomplete(ctx: Context, { userId }: Buyer): void {
  const { status } = accessOfUser(ctx, userId)
  if (isLive(status) && status !== 'incomplete') throw alreadySubscribed()
}

/** The reading keeps one of two that wait for their payment, the older: ours has been cancelled beside it. */
function isEndedBesideAnother(ctx: Context, { userId }: Buyer, subscription: string): boolean {
  const { status, subscriptionId } = accessOfUser(ctx, userId)
  return isLive(status) && subscriptionId !== subscription
}

/** Null where the provider refused the price that was ordered, and the tier is sold at another price now. */
async function placeOrRetrieve(
  ctx: Context,
  attempt: Attempt,
  { order, sale }: { order: NewSubscription; sale: Sale },
): Promise<Stripe.Subscription | null> {
  if (attempt.stripeSubscriptionId) return retrieveForPayment(ctx, attempt.stripeSubscriptionId)
  try {
    return await placeOrder(ctx, attempt, order)
  } catch (error) {
    if (isRejectedByStripe(error) && (await isPriceReplaced(ctx, sale.tier, order.price))) return null
    throw error
  }
}

/** The provider does not ask for a card where the customer has one on file, but a trial still waits until the buyer has chosen how to pay. */
async function setUpCardForTrial(
  ctx: Context,
  { userId }: Buyer,
  subscription: Stripe.Subscription,
): Promise<string | null> {
  if (subscription.status !== 'trialing' || accessOfUser(ctx, userId).status !== 'incomplete') return null
  const customer = findCustomer(ctx, userId)
  return customer === undefined ? null : beginCardChange(ctx, customer, cardOrPayPal)
}

/** An incomplete subscription of this sale is used, one of another sale is cancelled, and any other live one refuses the sale. */
async function settleEarlierSubscription(ctx: Context, buyer: Buyer, { kind, tier }: Sale): Promise<void> {
  const { status, subscriptionId } = accessOfUser(ctx, buyer.userId)
  if (!isLive(status) || subscriptionId === null) return
  if (status !== 'incomplete') throw alreadySubscribed()
  const open = findOpenAttempt(ctx, buyer.userId)
  const isSame = open?.kind === kind && open.tierSlug === tier.slug
  // Where the attempt has no subscription its response was lost: sent again, the provider names the same one.
  if (isSame && (open.stripeSubscriptionId ?? subscriptionId) === subscriptionId) return
  if (!(await cancelUnpaidSubscription(ctx, subscriptionId, buyer))) throw alreadySubscribed()
  if (open) closeAttempt(ctx, open.id, 'replaced')
}

/**
 * Ends the purchase that an account has begun and not paid, at the provider too. Called within the key lock of the account, so
 * that no other begins meanwhile. One that is paid, or whose payment is being taken, stays as it is.
 */
export async function endUnpaidAttempt(ctx: Context, userId: string): Promise<void> {
  const attempt = findOpenAttempt(ctx, userId)
  if (attempt === null) return
  const { order } = attempt.request
  try {
    if (order === null) closeAttempt(ctx, attempt.id, 'replaced')
    else await abandonAttempt(ctx, attempt, order)
  } catch (error) {
    // An order that the provider has refused closed the attempt.
    if (findOpenAttempt(ctx, userId) !== null) throw toAppError(ctx, error)
  }
}

/** Returns whether it has ended. */
async function abandonAttempt(ctx: Context, attempt: Attempt, order: NewSubscription): Promise<boolean> {
  // The order may have reached the provider without a response: repeated, it returns the subscription that was created.
  const subscriptionId = attempt.stripeSubscriptionId ?? (await placeOrder(ctx, attempt, order)).id
  if (!(await cancelUnpaidSubscription(ctx, subscriptionId, attempt))) return false
  closeAttempt(ctx, attempt.id, 'replaced')
  return true
}

/** Returns whether it has ended: one that was paid in the meantime stays, and is the membership that the buyer has. */
async function cancelUnpaidSubscription(
  ctx: Context,
  subscriptionId: string,
  { userId }: Pick<Buyer, 'userId'>,
): Promise<boolean> {
  await syncCustomer(ctx, await cancelIfUnpaid(ctx, subscriptionId))
  return !isLive(accessOfUser(ctx, userId).status)
}
