import type { Context } from '#api/context.ts'
import { firstPaymentOf, isInvitedTo } from '#api/features/invitations/service.ts'
import { findOpenAttempt } from '#api/features/subscriptions/purchase-attempts-service.ts'
import {
  atPrice,
  defaultTierSlug,
  priceChanged,
  priceMeant,
  type Tier,
  tierBySlug,
  tierToBuy,
} from '#api/features/tiers/service.ts'
import type { Member } from '#api/identity/person.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { PricedTier } from '#api/stripe/prices.ts'
import type {
  ChangeTierRequest,
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
} from '#shared/contract/billing.ts'
import { delayedPaymentAt } from '#shared/rules/delayed-billing.ts'
import { withVat } from '#shared/rules/money.ts'
import { saveBillingAddress } from './address-service.ts'
import { findOrCreateBuyer } from './buyer-service.ts'
import { getOrCreateIncompleteSubscription, heldPrice } from './subscription-service.ts'

/** Calls `setCookie` as soon as there's an account, so that a retry after any failure comes from the same person. */
export async function createSubscription(
  ctx: Context,
  request: CreateSubscriptionRequest,
  person: Member | null,
  setCookie: (cookie: string) => void,
): Promise<CreateSubscriptionResponse> {
  const { tierSlug = defaultTierSlug(ctx) } = request
  const isInvited = isInvitedTo(ctx, person?.email ?? request.email, tierSlug)
  const tier = await priceToBuy(ctx, person?.id, { ...request, tierSlug }, () =>
    tierToBuy(ctx, 'tierSlug', { ...request, slug: tierSlug }, { isInvited }),
  )
  const buyer = findOrCreateBuyer(ctx, request, person)
  if (buyer.cookie !== undefined) setCookie(buyer.cookie)
  if (request.billingAddress) saveBillingAddress(ctx, buyer.userId, request.billingAddress)
  try {
    const firstPaymentOn = firstPaymentOf(ctx, buyer.email, tier.slug)
    const { net, ...subscription } = await getOrCreateIncompleteSubscription(ctx, buyer, {
      kind: firstPaymentOn === null ? 'subscription' : 'delayed',
      tier,
      trialEnd: firstPaymentOn === null ? null : delayedPaymentAt(firstPaymentOn),
      shownTerms: request.termsVersion,
    })
    return { ...subscription, ...withVat(net), every: tier.every, isDue: firstPaymentOn === null, email: buyer.email }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

/** Someone who has started paying is shown the price of then, and pays it. `onSale` refuses a tier that nobody can start paying for. */
export async function priceToBuy(
  ctx: Context,
  userId: string | undefined,
  { tierSlug, tierPrice, priceId }: ChangeTierRequest,
  onSale: () => Tier,
): Promise<PricedTier> {
  const begun = userId === undefined ? null : begunBy(ctx, userId, { tierSlug, priceId })
  const tier = begun ?? priceMeant(ctx, onSale(), priceId)
  if (userId !== undefined && tierPrice !== undefined && tierPrice < tier.price) {
    if ((await heldPrice(ctx, userId, tier)) === tierPrice) return tier
  }
  assertPriceUnchanged(ctx, tier, tierPrice)
  return tier
}

/** A payment that was begun may be finished, though its tier or price isn't offered any more. */
function begunBy(ctx: Context, userId: string, { tierSlug, priceId }: Pick<ChangeTierRequest, 'tierSlug' | 'priceId'>) {
  const attempt = findOpenAttempt(ctx, userId)
  if (attempt?.tierSlug !== tierSlug || attempt.request.order === null) return null
  const tier = tierBySlug(ctx, tierSlug)
  const price = tier?.prices.find(({ id }) => id === attempt.tierPriceId)
  const isMeant = priceId === undefined ? price?.every === 'month' : price?.id === priceId
  return tier !== undefined && price !== undefined && isMeant ? atPrice(tier, price) : null
}

/** The price that a request names, if it's as the person was shown it. */
export function tierAtShownPrice(ctx: Context, { tierSlug, tierPrice, priceId }: ChangeTierRequest): PricedTier {
  const tier = priceMeant(ctx, tierToBuy(ctx, 'tierSlug', { slug: tierSlug, priceId, tierPrice }), priceId)
  assertPriceUnchanged(ctx, tier, tierPrice)
  return tier
}

function assertPriceUnchanged(ctx: Context, tier: PricedTier, shownPrice: number | undefined): void {
  if (shownPrice !== undefined && shownPrice !== tier.price) throw priceChanged(ctx)
}
