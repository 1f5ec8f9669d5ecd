import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { isHisCustomer } from '#api/db/whose.ts'
import { AppError } from '#api/errors.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { isKnownAddress } from '#api/features/auth/queries.ts'
import type { Buyer } from '#api/features/billing/purchases/attempts-service.ts'
import {
  billingAddressOf,
  hasEverPaid,
  insertAccount,
  namesOf,
  saveBillingAddress,
} from '#api/features/billing/purchases/buyer-service.ts'
import { tierOnSale } from '#api/features/billing/purchases/service.ts'
import {
  accessRevoked,
  alreadySubscribed,
  getOrCreateIncompleteSubscription,
} from '#api/features/billing/purchases/subscription-service.ts'
import { listTiers } from '#api/features/tiers/service.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
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
import { type Invitation, invalidLink, readInvitation } from './links-service.ts'
import { obstacleFor } from './obstacle-service.ts'

/** What a link offers today: each tier but the smallest, and when its first payment is taken. Refused where it sells nothing. */
export function delayedOffers(ctx: Context, query: ReactivationLinkQuery): DelayedOffers {
  const invitation = readInvitation(ctx, query)
  const obstacle = obstacleFor(ctx, invitation.email)
  if (obstacle !== null) throw obstacle === 'access_revoked' ? accessRevoked() : alreadySubscribed()
  const { date } = dateFor(ctx, invitation)
  const offers: DelayedOffers = {}
  for (const { slug, price } of listTiers(ctx).tiers) {
    if (slug !== 'lite') offers[slug] = { date, ...withVat(price) }
  }
  return offers
}

/** A payment we know of outranks what the link says: that was signed before, and may be older. */
function dateFor(ctx: Context, { email, lastPayment }: Invitation): DelayedBilling {
  const known = ctx.sqlite
    .prepare<[string], { at: string | null }>(
      `select max(coalesce(paidAt, created)) as at from provider_invoices
       join customers on customers.id = provider_invoices.customerId join users on ${isHisCustomer('users.id')}
       where users.email = ? and provider_invoices.status = 'paid' and amountPaid > 0 and quotientOrderId is null`,
    )
    .get(email)
  const last = known?.at ? londonDay(new Date(known.at)) : lastPayment
  return delayedBilling(last, londonDay(ctx.billingNow()))
}

/** Begins a membership by a signed link: a trial until the date, or an ordinary first payment where the date has come. */
export async function createDelayedSubscription(
  ctx: Context,
  request: CreateDelayedSubscriptionRequest,
): Promise<CreateDelayedSubscriptionResponse> {
  const invitation = readInvitation(ctx, request)
  if (request.tierSlug === 'lite') {
    const sentence = 'This tier is not offered here. Please choose another.'
    throw new AppError('invalid', sentence, { fields: { tierSlug: sentence } })
  }
  const tier = tierOnSale(ctx, request.tierSlug)
  const { date, isDue } = dateFor(ctx, invitation)
  if (request.delayedBillingDate !== date) {
    throw new AppError('date_changed', 'The first payment date has changed. Please open your link again.')
  }
  const buyer = transact(ctx, () => invitedBuyer(ctx, invitation))
  try {
    const trialEnd = isDue ? null : delayedPaymentAt(date)
    const { clientSecret, subscriptionId } = await getOrCreateIncompleteSubscription(ctx, buyer, {
      kind: 'delayed',
      tier,
      trialEnd,
    })
    if (request.billingAddress) saveFirstAddress(ctx, buyer.userId, request.billingAddress)
    return { clientSecret, subscriptionId, date, isDue, ...withVat(tier.price), email: buyer.email }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}

/**
 * Once something is begun. A link is no session: it gives an account the address that it lacks, and never changes one that
 * somebody has paid under or can log in to. What was mistyped in a new one may be put right.
 */
function saveFirstAddress(ctx: Context, userId: string, address: BillingAddress): void {
  transact(ctx, () => {
    const hasNone = billingAddressOf(ctx, userId) === null
    if (hasNone || isUnclaimed(ctx, userId)) saveBillingAddress(ctx, userId, address)
  })
}

function isUnclaimed(ctx: Context, userId: string): boolean {
  const isOpen = ctx.sqlite
    .prepare('select 1 from users where id = ? and passwordHash is null and isAdmin = 0')
    .get(userId)
  return isOpen !== undefined && !hasEverPaid(ctx, userId)
}

type InvitedRow = { id: string; firstName: string | null; lastName: string | null }

/** The account of the signed address; made, without a session, where there is none. */
function invitedBuyer(ctx: Context, { email, name }: Invitation): Buyer {
  const user = ctx.sqlite
    .prepare<[string], InvitedRow>('select id, firstName, lastName from users where email = ?')
    .get(email)
  if (user === undefined) {
    if (isKnownAddress(ctx, email)) throw invalidLink()
    const names = name === null ? { firstName: null, lastName: null } : namesOf(name)
    return { userId: insertAccount(ctx, email, names), email, name: name ?? namelessMember }
  }
  if (accessOfUser(ctx, user.id).isRevoked) throw accessRevoked()
  const ownName = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return { userId: user.id, email, name: ownName || name || namelessMember }
}
