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
import { saveBillingAddress } from './address-service.ts'
import { findOrCreateBuyer } from './buyer-service.ts'
import { getOrCreateIncompleteSubscription } from './subscription-service.ts'

type Purchase = { response: CreateSubscriptionResponse; cookie: string | undefined }

/** Begins a membership: an account where there is none, then a subscription at the provider that waits for its first payment. */
export async function createSubscription(
  ctx: Context,
  request: CreateSubscriptionRequest,
  person: Person | null,
): Promise<Purchase> {
  const tier = tierAtShownPrice(ctx, request)
  const buyer = findOrCreateBuyer(ctx, request, person)
  if (request.billingAddress) saveBillingAddress(ctx, buyer.userId, request.billingAddress)
  try {
    const subscription = await getOrCreateIncompleteSubscription(ctx, buyer, {
      kind: 'subscription',
      tier,
      trialEnd: null,
      shownTerms: request.termsVersion,
    })
    return { response: { ...subscription, ...withVat(tier.price), email: buyer.email }, cookie: buyer.cookie }
  } catch (error) {
    // The account and its session exist: the browser gets the cookie, so that the next try is made by the same person.
    const failure = toAppError(ctx, error)
    if (failure instanceof AppError) failure.cookie = buyer.cookie
    throw failure
  }
}

/** The chosen tier, where it is still sold at the price that was shown. */
export function tierAtShownPrice(ctx: Context, { tierSlug, tierPrice }: ChangeTierRequest): MembershipTier {
  const tier = tierOnSale(ctx, tierSlug)
  assertPriceUnchanged(tier, tierPrice)
  return tier
}

function assertPriceUnchanged(tier: MembershipTier, shownPrice: number | undefined): void {
  if (shownPrice !== undefined && shownPrice !== tier.price) {
    throw new AppError('price_changed', 'The price has changed. Please choose your tier again.')
  }
}

export function tierOnSale(ctx: Context, slug: TierSlug): MembershipTier {
  const tier = tierBySlug(ctx, slug)
  if (tier?.isActive) return tier
  const sentence = 'This tier is not on sale. Please choose another.'
  throw new AppError('invalid', sentence, { fields: { tierSlug: sentence } })
}
