import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { beginCardChange } from '#api/features/subscriptions/card-changes-service.ts'
import { cancelIfUnpaid } from '#api/features/subscriptions/provider-service.ts'
import {
  type Attempt,
  type Buyer,
  closeAttempt,
  findOpenAttempt,
  getOrCreateAttempt,
  storeOrder,
  storeSubscription,
} from '#api/features/subscriptions/purchase-attempts-service.ts'
import { findCustomer } from '#api/features/subscriptions/queries.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { isRejectedByStripe, toAppError } from '#api/stripe/errors.ts'
import { cardOrPayPal } from '#api/stripe/payment-methods.ts'
import { isPriceReplaced, type PricedTier, readPrice } from '#api/stripe/prices.ts'
import { clientSecretOf, type NewSubscription, nextPaymentOn, retrieveForPayment } from '#api/stripe/subscriptions.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'
import { buildOrder, placeOrder, type Sale } from './orders-service.ts'

/** A subscription at the provider that awaits its first payment, or a trial's card. `net`: pence of its period, excluding VAT. */
export type IncompleteSubscription = {
  clientSecret: string
  subscriptionId: string
  nextPaymentOn: string
  net: number
}

export const alreadySubscribed = () =>
  new AppError('already_subscribed', 'You already have a membership. Please open Billing.')

export const accessRevoked = () =>
  new AppError('access_revoked', 'Your access was ended by the owners. Please contact us.')

/** Owners have set one to begin: a second would be charged beside it. */
export function assertNoneWaits(ctx: Context, userId: string): void {
  const { waitingStart } = accessOfUser(ctx, userId)
  if (waitingStart === null) return
  const day = formatLongDate(waitingStart.at)
  throw new AppError(
    'already_subscribed',
    `Your membership is already set to start on ${day}. Contact us to change it.`,
  )
}

/** A repeated sale returns the same subscription; a different one cancels that first. Creates only one, however often called. */
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
  const held = order.price === wanted.price ? null : await heldPrice(ctx, buyer.userId, sale.tier)
  if ((order.price !== wanted.price && held === null) || order.trialEnd !== wanted.trialEnd) {
    // Another tab chose another tier, the tier costs less now, or the date has changed. Cancel that subscription first.
    if (!(await abandonAttempt(ctx, attempt, order))) throw alreadySubscribed()
    return getOrCreate(ctx, buyer, sale)
  }
  const subscription = await placeOrRetrieve(ctx, attempt, { order, sale })
  // Its price was archived after we read it. The attempt is closed, and we retry at the new price.
  if (subscription === null) return getOrCreate(ctx, buyer, sale)
  storeSubscription(ctx, attempt, subscription.id)
  await syncCustomer(ctx, order.customer)
  assertNoneWaits(ctx, buyer.userId)
  assertStillIncomplete(ctx, buyer)
  if (isEndedBesideAnother(ctx, buyer, subscription.id)) {
    closeAttempt(ctx, attempt.id, 'replaced')
    return getOrCreate(ctx, buyer, sale)
  }
  const clientSecret = clientSecretOf(subscription) ?? (await setUpCardForTrial(ctx, buyer, subscription))
  if (clientSecret !== null) {
    const net = held ?? sale.tier.price
    return { clientSecret, subscriptionId: subscription.id, nextPaymentOn: nextPaymentOn(subscription), net }
  }
  if (isLive(accessOfUser(ctx, buyer.userId).status)) throw alreadySubscribed()
  // It ended unpaid after it was started.
  closeAttempt(ctx, attempt.id, subscription.status)
  return getOrCreate(ctx, buyer, sale)
}

/**
 * What the tier cost when they started paying for it, if that's less than now: an open attempt keeps its price. Null without one.
 */
export async function heldPrice(
  ctx: Context,
  userId: string,
  { slug, price, every }: PricedTier,
): Promise<number | null> {
  const attempt = findOpenAttempt(ctx, userId)
  const order = attempt?.tierSlug === slug ? attempt.request.order : null
  if (order === null) return null
  const { tier, net, interval } = await readPrice(ctx, order.price)
  return tier === slug && interval === every && net < price ? net : null
}

/** Since we retrieved it, the subscription may have been paid, or cancelled as a duplicate. Then nothing is left to pay. */
function assertStillIncomplete(ctx: Context, { userId }: Buyer): void {
  const { status } = accessOfUser(ctx, userId)
  if (isLive(status) && status !== 'incomplete') throw alreadySubscribed()
}

/** The sync keeps the older of two unpaid subscriptions, so ours has been cancelled. */
function isEndedBesideAnother(ctx: Context, { userId }: Buyer, subscription: string): boolean {
  const { status, subscriptionId } = accessOfUser(ctx, userId)
  return isLive(status) && subscriptionId !== subscription
}

/** Null if the provider refused the ordered price and the tier now has another. */
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

/** The provider accepts a card already on file, but a trial waits until the buyer picks how to pay. */
async function setUpCardForTrial(
  ctx: Context,
  { userId }: Buyer,
  subscription: Stripe.Subscription,
): Promise<string | null> {
  if (subscription.status !== 'trialing' || accessOfUser(ctx, userId).status !== 'incomplete') return null
  const customer = findCustomer(ctx, userId)
  return customer === undefined ? null : beginCardChange(ctx, customer, cardOrPayPal)
}

/** Reuses an incomplete subscription for this sale, cancels one for another sale, and refuses if any other is live. */
async function settleEarlierSubscription(ctx: Context, buyer: Buyer, { kind, tier }: Sale): Promise<void> {
  assertNoneWaits(ctx, buyer.userId)
  const { status, subscriptionId } = accessOfUser(ctx, buyer.userId)
  if (!isLive(status) || subscriptionId === null) return
  if (status !== 'incomplete') throw alreadySubscribed()
  const open = findOpenAttempt(ctx, buyer.userId)
  const isSame = open?.kind === kind && open.tierPriceId === tier.tierPriceId
  // An attempt without a subscription lost its response. Sent again, the provider returns the same one.
  if (isSame && (open.stripeSubscriptionId ?? subscriptionId) === subscriptionId) return
  if (!(await cancelUnpaidSubscription(ctx, subscriptionId, buyer))) throw alreadySubscribed()
  if (open) closeAttempt(ctx, open.id, 'replaced')
}

/** Also ends it at the provider, unless it's paid or being paid. Call it within the account's key lock. */
export async function endUnpaidAttempt(ctx: Context, userId: string): Promise<void> {
  const attempt = findOpenAttempt(ctx, userId)
  if (attempt === null) return
  const { order } = attempt.request
  try {
    if (order === null) closeAttempt(ctx, attempt.id, 'replaced')
    else await abandonAttempt(ctx, attempt, order)
  } catch (error) {
    // If the provider refused the order, that has closed the attempt.
    if (findOpenAttempt(ctx, userId) !== null) throw toAppError(ctx, error)
  }
}

async function abandonAttempt(ctx: Context, attempt: Attempt, order: NewSubscription): Promise<boolean> {
  // The order may have reached the provider with its response lost. A repeat returns the subscription it created.
  const subscriptionId = attempt.stripeSubscriptionId ?? (await placeOrder(ctx, attempt, order)).id
  if (!(await cancelUnpaidSubscription(ctx, subscriptionId, attempt))) return false
  closeAttempt(ctx, attempt.id, 'replaced')
  return true
}

/** Returns whether it has ended. One paid in the meantime stays: it's now the buyer's membership. */
async function cancelUnpaidSubscription(
  ctx: Context,
  subscriptionId: string,
  { userId }: Pick<Buyer, 'userId'>,
): Promise<boolean> {
  await syncCustomer(ctx, await cancelIfUnpaid(ctx, subscriptionId))
  return !isLive(accessOfUser(ctx, userId).status)
}
