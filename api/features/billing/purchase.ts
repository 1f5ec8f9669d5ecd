import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { Person } from '#api/http/session.ts'
import {
  type Attempt,
  type Buyer,
  beginAttempt,
  closeAttempt,
  openAttempt,
  rememberOrder,
  rememberSubscription,
  type SubscriptionOrder,
} from '#api/stripe/attempts.ts'
import { forPeople } from '#api/stripe/failures.ts'
import { clientSecretOf, nextPaymentOn, orderFor, placeOrder, readOrdered } from '#api/stripe/orders.ts'
import { syncCustomer } from '#api/stripe/sync.ts'
import { cancelUnpaid } from '#api/stripe/withdraw.ts'
import type { CreateSubscriptionAnswer, CreateSubscriptionRequest } from '#shared/contract/billing.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import { withVat } from '#shared/rules/money.ts'
import { accessOfUser } from '../access/standing.ts'
import { findBuyer, saveBillingAddress } from './buyer.ts'

type Purchase = { answer: CreateSubscriptionAnswer; cookie: string | undefined }

/** Begins a membership: an account if need be, then a subscription at the provider that waits for its first payment. */
export async function createSubscription(
  ctx: Context,
  request: CreateSubscriptionRequest,
  person: Person | null,
): Promise<Purchase> {
  const tier = tierOnSale(ctx, request)
  const buyer = findBuyer(ctx, request, person)
  if (request.billingAddress) saveBillingAddress(ctx, buyer.userId, request.billingAddress)
  try {
    const waiting = await waitingSubscription(ctx, buyer, tier)
    return { answer: { ...waiting, ...withVat(tier.price), email: buyer.email }, cookie: buyer.cookie }
  } catch (error) {
    // The account and its session are made: the browser keeps them, so that the next try goes on as the same person.
    const failure = forPeople(error)
    if (failure instanceof AppError) failure.cookie = buyer.cookie
    throw failure
  }
}

function tierOnSale(ctx: Context, { tierSlug, tierPrice }: CreateSubscriptionRequest): MembershipTier {
  const tier = tierBySlug(ctx, tierSlug)
  if (tier === undefined || !tier.isActive) {
    const sentence = 'This tier is not on sale. Please choose another.'
    throw new AppError('invalid', sentence, { fields: { tierSlug: sentence } })
  }
  if (tierPrice !== undefined && tierPrice !== tier.price) {
    throw new AppError('price_changed', 'The price has changed. Please choose your tier again.')
  }
  return tier
}

type Waiting = { clientSecret: string; subscriptionId: string; nextPaymentOn: string }
const alreadySubscribed = () =>
  new AppError('already_subscribed', 'You already have a membership. Please open Billing.')

async function waitingSubscription(ctx: Context, buyer: Buyer, tier: MembershipTier): Promise<Waiting> {
  await settleEarlier(ctx, buyer, tier)
  const attempt = beginAttempt(ctx, buyer, tier.slug)
  const wanted = await orderFor(ctx, attempt, tier)
  const order = rememberOrder(ctx, attempt, wanted)
  if (order.price !== wanted.price) {
    // Another tab began with another tier, or the price changed since: that one is taken back first.
    await abandon(ctx, attempt, order, buyer)
    return waitingSubscription(ctx, buyer, tier)
  }
  const made = attempt.stripeSubscriptionId
    ? await readOrdered(ctx, attempt.stripeSubscriptionId)
    : await placeOrder(ctx, attempt, order)
  rememberSubscription(ctx, attempt, made.id)
  await syncCustomer(ctx, order.customer)
  const clientSecret = clientSecretOf(made)
  if (made.status === 'incomplete' && clientSecret !== null)
    return { clientSecret, subscriptionId: made.id, nextPaymentOn: nextPaymentOn(made) }
  if (isLive(accessOfUser(ctx, buyer.userId).status)) throw alreadySubscribed()
  // It ended unpaid since it was begun: start afresh.
  closeAttempt(ctx, attempt.id, made.status)
  return waitingSubscription(ctx, buyer, tier)
}

/** An incomplete subscription of this tier goes on, one of another tier is taken back, any other live one refuses. */
async function settleEarlier(ctx: Context, buyer: Buyer, tier: MembershipTier): Promise<void> {
  const { status, subscriptionId } = accessOfUser(ctx, buyer.userId)
  if (!isLive(status) || subscriptionId === null) return
  if (status !== 'incomplete') throw alreadySubscribed()
  const open = openAttempt(ctx, buyer.userId)
  // Without a subscription on record its answer was lost: asked again, the provider names the same one.
  if (open?.tierSlug === tier.slug && (open.stripeSubscriptionId ?? subscriptionId) === subscriptionId) return
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
  await syncCustomer(ctx, await cancelUnpaid(ctx, subscriptionId))
  if (isLive(accessOfUser(ctx, buyer.userId).status)) throw alreadySubscribed()
}
