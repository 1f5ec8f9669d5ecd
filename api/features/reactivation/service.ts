import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, invalidField } from '#api/errors.ts'
import { endWaysInBeforeMembership } from '#api/features/accounts/login/mailbox-service.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { billingAddressOf, saveBillingAddress } from '#api/features/billing/purchases/address-service.ts'
import { insertAccount, namesOf } from '#api/features/billing/purchases/buyer-service.ts'
import { priceToBuy } from '#api/features/billing/purchases/service.ts'
import {
  accessRevoked,
  alreadySubscribed,
  getOrCreateIncompleteSubscription,
} from '#api/features/billing/purchases/subscription-service.ts'
import { findLastPayment, findObstacle, findUserByEmail } from '#api/features/subscriptions/obstacle-queries.ts'
import type { Buyer } from '#api/features/subscriptions/purchase-attempts-service.ts'
import { hasEverPaid } from '#api/features/subscriptions/queries.ts'
import { shownTiers, type Tier, tierToBuy, toWire } from '#api/features/tiers/service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { Person } from '#api/identity/person.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { BillingAddress, ChangeTierRequest } from '#shared/contract/billing.ts'
import type {
  CreateDelayedSubscriptionRequest,
  CreateDelayedSubscriptionResponse,
  DelayedOffers,
  ReactivationLinkQuery,
} from '#shared/contract/reactivation.ts'
import { namelessMember } from '#shared/contract/reactivation.ts'
import { type DelayedBilling, delayedBilling, delayedPaymentAt } from '#shared/rules/delayed-billing.ts'
import { londonDay } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { type Invitation, invalidLink, readInvitation } from './links-service.ts'

/** What a link offers today: the tiers, and when each one's first payment is due. Refused if nothing may be sold. */
export function delayedOffers(ctx: Context, query: ReactivationLinkQuery): DelayedOffers {
  const invitation = readInvitation(ctx, query)
  const obstacle = findObstacle(ctx, invitation.email)
  if (obstacle !== null) throw obstacle === 'access_revoked' ? accessRevoked() : alreadySubscribed()
  const { date } = firstPaymentDate(ctx, invitation)
  const offers: DelayedOffers = {}
  for (const tier of shownTiers(ctx)) {
    if (tier.rejoinsLater) offers[tier.slug] = { date, ...withVat(tier.price), prices: toWire(tier).prices }
  }
  return offers
}

/** A payment we know outranks the link's, which was signed earlier and may be out of date. */
function firstPaymentDate(ctx: Context, { email, lastPayment }: Invitation): DelayedBilling {
  const known = findLastPayment(ctx, email)
  const last = known === null ? lastPayment : londonDay(new Date(known))
  return delayedBilling(last, londonDay(ctx.billingNow()))
}

/** A trial until the date, or an ordinary first payment if it has come. `here` is the login, if there is one. */
export async function createDelayedSubscription(
  ctx: Context,
  request: CreateDelayedSubscriptionRequest,
  here: Person | null,
): Promise<CreateDelayedSubscriptionResponse> {
  const invitation = readInvitation(ctx, request)
  const known = findUserByEmail(ctx, invitation.email)
  const tier = await priceToBuy(ctx, known?.id, request, () => tierForRejoining(ctx, request))
  const { date, isDue } = firstPaymentDate(ctx, invitation)
  if (request.delayedBillingDate !== date) {
    throw new AppError('date_changed', 'The first payment date has changed. Please open your link again.')
  }
  const buyer = transact(ctx, () => findOrCreateInvitedBuyer(ctx, invitation, here))
  try {
    const trialEnd = isDue ? null : delayedPaymentAt(date)
    const { clientSecret, subscriptionId, net } = await getOrCreateIncompleteSubscription(ctx, buyer, {
      kind: 'delayed',
      tier,
      trialEnd,
      shownTerms: request.termsVersion,
    })
    if (request.billingAddress) saveFirstAddress(ctx, buyer.userId, request.billingAddress)
    return { clientSecret, subscriptionId, date, isDue, ...withVat(net), every: tier.every, email: buyer.email }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

function tierForRejoining(ctx: Context, { tierSlug: slug, ...shown }: ChangeTierRequest): Tier {
  const tier = tierToBuy(ctx, 'tierSlug', { ...shown, slug })
  if (tier.rejoinsLater) return tier
  const sentence = 'You can’t choose this tier here. Choose another.'
  throw invalidField('tierSlug', sentence)
}

/**
 * A link isn't a login: it adds a missing address, but never changes one on an account that has paid or that someone could log in
 * to. A new account's mistyped address may be corrected.
 */
function saveFirstAddress(ctx: Context, userId: string, address: BillingAddress): void {
  transact(ctx, () => {
    const hasNone = billingAddressOf(ctx, userId) === null
    if (hasNone || isUnclaimed(ctx, userId)) saveBillingAddress(ctx, userId, address)
  })
}

function isUnclaimed(ctx: Context, userId: string): boolean {
  const user = ctx.db
    .select({ passwordHash: users.passwordHash, passwordChanged: users.passwordChanged, isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.id, userId))
    .get()
  if (user === undefined || user.passwordHash !== null || user.passwordChanged || user.isAdmin) return false
  return !hasEverPaid(ctx, userId)
}

/** Ends every access except by its mailbox or the buying login, so that a stranger can't move the account before payment. */
function findOrCreateInvitedBuyer(ctx: Context, { email, name }: Invitation, here: Person | null): Buyer {
  const user = findUserByEmail(ctx, email)
  if (user === undefined) {
    if (isKnownAddress(ctx, email)) throw invalidLink()
    const names = name === null ? { firstName: null, lastName: null } : namesOf(name)
    return { userId: insertAccount(ctx, email, names), email, name: name ?? namelessMember }
  }
  if (accessOfUser(ctx, user.id).isRevoked) throw accessRevoked()
  endWaysInBeforeMembership(ctx, user.id, here)
  const ownName = fullName(user)
  return { userId: user.id, email, name: ownName || name || namelessMember }
}
