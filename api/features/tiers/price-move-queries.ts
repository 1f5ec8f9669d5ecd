import { and, asc, count, eq, isNull, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { displayName } from '#api/db/customers.ts'
import { isOneOf, isTrue, nullable } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { type priceMoveOutcomes, priceMoves } from '#api/db/schema/price-moves.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { isPaymentDue } from '#api/identity/access-queries.ts'
import { refusalOfNewestMail } from '#api/mail/outbox-queries.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

/** Paid, or owed. Excludes a first payment that was only started, and who pays at a price that names no tier. */
export const isBilled = and(
  or(isOneOf(subscriptions.status, 'active', 'trialing', 'paused'), isPaymentDue),
  eq(subscriptions.isSettled, true),
)

const payersByPrice = preparedQuery()((db) =>
  db
    .select({ tierSlug: subscriptions.tierSlug, priceId: subscriptions.tierPriceId, members: count() })
    .from(subscriptions)
    .where(isBilled)
    .groupBy(subscriptions.tierSlug, subscriptions.tierPriceId),
)

const openMovesByPrice = preparedQuery()((db) =>
  db
    .select({ tierSlug: priceMoves.tierSlug, priceId: priceMoves.tierPriceId, moving: count() })
    .from(priceMoves)
    .where(isNull(priceMoves.closedAt))
    .groupBy(priceMoves.tierSlug, priceMoves.tierPriceId),
)

type OfPrice = { tierSlug: TierSlug; priceId: string | null }

/** How many pay for a tier, or by one of its prices, and how many of these have had notice of a new price. Each table is read once. */
export function countPayers(ctx: Context): (is: (one: OfPrice) => boolean) => { members: number; moving: number } {
  const [payers, moves] = [payersByPrice.all(ctx), openMovesByPrice.all(ctx)]
  return (is) => ({
    members: payers.filter(is).reduce((sum, { members }) => sum + members, 0),
    moving: moves.filter(is).reduce((sum, { moving }) => sum + moving, 0),
  })
}

const payerFields = {
  subscriptionId: subscriptions.id,
  status: subscriptions.status,
  collectionPause: subscriptions.collectionPause,
  tierSlug: subscriptions.tierSlug,
  stripePriceId: subscriptions.stripePriceId,
  yearlyNet: subscriptions.yearlyNet,
  chargeTotal: subscriptions.chargeTotal,
  chargeVatRate: subscriptions.chargeVatRate,
  chargeMonths: subscriptions.chargeMonths,
  chargeDays: subscriptions.chargeDays,
  currentPeriodEnd: subscriptions.currentPeriodEnd,
  trialEnd: subscriptions.trialEnd,
  created: subscriptions.created,
  isEnding: isTrue(sql`${subscriptions.cancelAtPeriodEnd} or ${subscriptions.cancelAt} is not null`),
  nextTierSlug: subscriptions.nextTierSlug,
  nextTierPriceId: subscriptions.nextTierPriceId,
  nextTierNet: subscriptions.nextTierNet,
  nextTierPrice: subscriptions.nextTierPrice,
  userId: nullable(users.id),
  firstName: users.firstName,
  email: nullable(users.email),
  name: nullable(users.email, displayName),
  accessOverride: users.accessOverride,
  isMailRefused: isTrue(sql`${refusalOfNewestMail} is not null`),
  /** Pence, if they've been told of a move that hasn't happened yet. */
  movingTo: nullable(priceMoves.toNet),
}

const selectPayers = (db: Db) =>
  db
    .select(payerFields)
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .leftJoin(users, eq(users.id, customers.userId))
    .leftJoin(priceMoves, and(eq(priceMoves.subscriptionId, subscriptions.id), isNull(priceMoves.closedAt)))
    .$dynamic()

const payersBySlug = preparedQuery<{ slug: TierSlug }>()((db, { slug }) =>
  selectPayers(db)
    .where(and(isBilled, or(eq(subscriptions.tierSlug, slug), eq(subscriptions.nextTierSlug, slug))))
    .orderBy(asc(sql`fold(${displayName})`), asc(subscriptions.id)),
)

export type Payer = ReturnType<typeof payersOfTier>[number]

export const payersOfTier = (ctx: Context, slug: TierSlug) => payersBySlug.all(ctx, { slug })

const payerBySubscription = preparedQuery<{ id: string }>()((db, { id }) =>
  selectPayers(db).where(and(isBilled, eq(subscriptions.id, id))),
)

export const findPayer = (ctx: Context, subscriptionId: string) => payerBySubscription.get(ctx, { id: subscriptionId })

const moveFields = {
  id: priceMoves.id,
  subscriptionId: priceMoves.subscriptionId,
  tierSlug: priceMoves.tierSlug,
  tierPriceId: priceMoves.tierPriceId,
  fromNet: priceMoves.fromNet,
  toNet: priceMoves.toNet,
  stripePriceId: priceMoves.stripePriceId,
  toldAt: priceMoves.toldAt,
  movesAt: priceMoves.movesAt,
  notices: priceMoves.notices,
}

const openMoveOfSubscription = preparedQuery<{ subscriptionId: string }>()((db, { subscriptionId }) =>
  db
    .select(moveFields)
    .from(priceMoves)
    .where(and(eq(priceMoves.subscriptionId, subscriptionId), isNull(priceMoves.closedAt))),
)

/** A subscription's pending move; at most one. */
export type PriceMove = NonNullable<ReturnType<typeof findOpenMove>>
export const findOpenMove = (ctx: Context, subscriptionId: string) =>
  openMoveOfSubscription.get(ctx, { subscriptionId })

const openMovesOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      id: priceMoves.id,
      userId: customers.userId,
      tierSlug: priceMoves.tierSlug,
      priceId: priceMoves.stripePriceId,
      status: subscriptions.status,
      stripePriceId: subscriptions.stripePriceId,
      isEnding: isTrue(sql`${subscriptions.cancelAtPeriodEnd} or ${subscriptions.cancelAt} is not null`),
      presentTier: subscriptions.tierSlug,
      nextTierSlug: subscriptions.nextTierSlug,
      nextTierPrice: subscriptions.nextTierPrice,
      chargeMonths: subscriptions.chargeMonths,
      chargeDays: subscriptions.chargeDays,
    })
    .from(priceMoves)
    .innerJoin(subscriptions, eq(subscriptions.id, priceMoves.subscriptionId))
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .where(and(isNull(priceMoves.closedAt), eq(subscriptions.customerId, customerId))),
)

export const listOpenMovesOfCustomer = (ctx: Context, customerId: string) =>
  openMovesOfCustomer.all(ctx, { customerId })

const allOpenMoves = preparedQuery()((db) =>
  db
    .select({
      ...moveFields,
      customerId: subscriptions.customerId,
      stripeCustomerId: customers.stripeCustomerId,
      userId: nullable(users.id),
      email: nullable(users.email),
      firstName: users.firstName,
      currentPeriodEnd: subscriptions.currentPeriodEnd,
      bookedNet: subscriptions.nextTierNet,
      bookedSlug: subscriptions.nextTierSlug,
    })
    .from(priceMoves)
    .innerJoin(subscriptions, eq(subscriptions.id, priceMoves.subscriptionId))
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .leftJoin(users, eq(users.id, customers.userId))
    .where(isNull(priceMoves.closedAt)),
)

export type OpenMove = ReturnType<typeof listOpenMoves>[number]
export const listOpenMoves = (ctx: Context) => allOpenMoves.all(ctx)

export const noticeCause = ({ id, notices }: Pick<PriceMove, 'id' | 'notices'>) => `price-move:${id}:${notices}`

const noticeByCause = preparedQuery<{ cause: string }>()((db, { cause }) =>
  db
    .select({ status: mailOutbox.status, createdAt: mailOutbox.createdAt, sentAt: mailOutbox.sentAt })
    .from(mailOutbox)
    .where(eq(mailOutbox.cause, cause)),
)

export const findNotice = (ctx: Context, move: PriceMove) => noticeByCause.get(ctx, { cause: noticeCause(move) })

const closeOpenMove = preparedQuery<{ id: string; closedAt: string; outcome: (typeof priceMoveOutcomes)[number] }>()(
  (db, { id, closedAt, outcome }) =>
    db
      .update(priceMoves)
      .set({ closedAt, outcome })
      .where(and(eq(priceMoves.id, id), isNull(priceMoves.closedAt))),
)

/** False if it was already closed. */
export const markMoveClosed = (ctx: Context, id: string, outcome: (typeof priceMoveOutcomes)[number]): boolean =>
  closeOpenMove.run(ctx, { id, outcome, closedAt: ctx.billingNow().toISOString() }).changes > 0
