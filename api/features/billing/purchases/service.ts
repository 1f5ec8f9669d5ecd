import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { Person } from '#api/http/session.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type {
  ChangeTierRequest,
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
} from '#shared/contract/billing.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { withVat } from '#shared/rules/money.ts'
import { findBuyer, saveBillingAddress } from './buyer-service.ts'
import { getOrCreateIncompleteSubscription } from './subscription-service.ts'

type Purchase = { answer: CreateSubscriptionResponse; cookie: string | undefined }

/** Begins a membership: an account if need be, then a subscription at the provider that waits for its first payment. */
export async function createSubscription(
  ctx: Context,
  request: CreateSubscriptionRequest,
  person: Person | null,
): Promise<Purchase> {
  const tier = tierAtPrice(ctx, request)
  const buyer = findBuyer(ctx, request, person)
  if (request.billingAddress) saveBillingAddress(ctx, buyer.userId, request.billingAddress)
  try {
    const waiting = await getOrCreateIncompleteSubscription(ctx, buyer, { kind: 'subscription', tier, trialEnd: null })
    return { answer: { ...waiting, ...withVat(tier.price), email: buyer.email }, cookie: buyer.cookie }
  } catch (error) {
    // The account and its session are made: the browser keeps them, so that the next try goes on as the same person.
    const failure = toAppError(ctx, error)
    if (failure instanceof AppError) failure.cookie = buyer.cookie
    throw failure
  }
}

/** The chosen tier, where it can still be had at the price that was shown. */
export function tierAtPrice(ctx: Context, { tierSlug, tierPrice }: ChangeTierRequest): MembershipTier {
  const tier = tierOnSale(ctx, tierSlug)
  if (tierPrice !== undefined && tierPrice !== tier.price) {
    throw new AppError('price_changed', 'The price has changed. Please choose your tier again.')
  }
  return tier
}

export function tierOnSale(ctx: Context, slug: TierSlug): MembershipTier {
  const tier = tierBySlug(ctx, slug)
  if (tier?.isActive) return tier
  const sentence = 'This tier is not on sale. Please choose another.'
  throw new AppError('invalid', sentence, { fields: { tierSlug: sentence } })
}
