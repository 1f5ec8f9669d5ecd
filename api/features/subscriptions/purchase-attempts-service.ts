import { and, eq, exists, isNull, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isNoneOf, isOneOf } from '#api/db/expressions.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { purchaseAttempts, subscriptions } from '#api/db/schema/subscriptions.ts'
import { AppError } from '#api/errors.ts'
import { agreedTerms } from '#api/site/content.ts'
import type { PricedTier } from '#api/stripe/prices.ts'
import type { NewSubscription } from '#api/stripe/subscriptions.ts'
import { isLive } from '#shared/rules/membership.ts'

export type Buyer = { userId: string; email: string; name: string }

type Row = typeof purchaseAttempts.$inferSelect

/** A purchase that was started. `request` is what we send the provider, and repeats send it byte for byte. */
export type Attempt = Pick<Row, 'id' | 'kind' | 'tierSlug' | 'tierPriceId' | 'request' | 'stripeSubscriptionId'> & {
  userId: string
}

const openAttemptOfUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select()
    .from(purchaseAttempts)
    .where(and(eq(purchaseAttempts.userId, userId), isNull(purchaseAttempts.closedAt))),
)

export function findOpenAttempt(ctx: Context, userId: string): Attempt | null {
  const row = openAttemptOfUser.get(ctx, { userId })
  return row === undefined ? null : { ...row, userId }
}

type Bought = { kind: Attempt['kind']; tier: Pick<PricedTier, 'slug' | 'tierPriceId'>; shownTerms: string | undefined }

/** The user's only open attempt. One that never got an order, because the provider was down, takes on the new sale. */
export function getOrCreateAttempt(
  ctx: Context,
  { userId, email, name }: Buyer,
  { kind, tier, shownTerms }: Bought,
): Attempt {
  return transact(ctx, () => {
    const termsVersion = agreedTerms(ctx, shownTerms)
    const open = findOpenAttempt(ctx, userId)
    if (open !== null) {
      setTerms.run(ctx, { id: open.id, termsVersion })
      if (open.request.order !== null) return open
      const sale = { kind, tierSlug: tier.slug, tierPriceId: tier.tierPriceId }
      setSale.run(ctx, { id: open.id, ...sale })
      return { ...open, ...sale }
    }
    const request = { customer: { email, name }, order: null }
    const { slug: tierSlug, tierPriceId } = tier
    const attempt = { id: ctx.newId(), userId, kind, tierSlug, tierPriceId, request }
    insertRow(ctx, purchaseAttempts, { ...attempt, termsVersion, openedAt: ctx.billingNow().toISOString() })
    return { ...attempt, stripeSubscriptionId: null }
  })
}

const termsOf = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ termsVersion: purchaseAttempts.termsVersion })
    .from(purchaseAttempts)
    .where(eq(purchaseAttempts.stripeSubscriptionId, id)),
)

/** The terms a subscription was bought under; null if it wasn't bought here, or terms had no versions yet. */
export const termsOfSubscription = (ctx: Context, id: string): string | null =>
  termsOf.get(ctx, { id })?.termsVersion ?? null

const setTerms = preparedQuery<{ id: string; termsVersion: string }>()((db, { id, termsVersion }) =>
  db.update(purchaseAttempts).set({ termsVersion }).where(eq(purchaseAttempts.id, id)),
)

const setSale = preparedQuery<Pick<Row, 'id' | 'kind' | 'tierSlug' | 'tierPriceId'>>()(
  (db, { id, kind, tierSlug, tierPriceId }) =>
    db.update(purchaseAttempts).set({ kind, tierSlug, tierPriceId }).where(eq(purchaseAttempts.id, id)),
)

const attemptById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ request: purchaseAttempts.request, closedAt: purchaseAttempts.closedAt })
    .from(purchaseAttempts)
    .where(eq(purchaseAttempts.id, id)),
)

const setRequest = preparedQuery<Pick<Row, 'id' | 'request'>>()((db, { id, request }) =>
  db.update(purchaseAttempts).set({ request }).where(eq(purchaseAttempts.id, id)),
)

/** The first order stored wins. Refused if the attempt was closed without one: its user's data must not be written again. */
export function storeOrder(ctx: Context, { id, request }: Attempt, order: NewSubscription): NewSubscription {
  return transact(ctx, () => {
    const row = attemptById.get(ctx, { id })
    if (row?.request.order) return row.request.order
    if (row?.closedAt !== null) throw new AppError('conflict', 'This purchase has just been cancelled. Start again.')
    setRequest.run(ctx, { id, request: { ...request, order } })
    return order
  })
}

const setSubscription = preparedQuery<{ id: string; stripeSubscriptionId: string }>()(
  (db, { id, stripeSubscriptionId }) =>
    db.update(purchaseAttempts).set({ stripeSubscriptionId }).where(eq(purchaseAttempts.id, id)),
)

export function storeSubscription(ctx: Context, { id }: Attempt, stripeSubscriptionId: string): void {
  setSubscription.run(ctx, { id, stripeSubscriptionId })
}

const close = preparedQuery<{ id: string; closedAt: string; outcome: string }>()((db, { id, closedAt, outcome }) =>
  db
    .update(purchaseAttempts)
    .set({ closedAt, outcome })
    .where(and(eq(purchaseAttempts.id, id), isNull(purchaseAttempts.closedAt))),
)

export function closeAttempt(ctx: Context, id: string, outcome: string): void {
  close.run(ctx, { id, closedAt: ctx.billingNow().toISOString(), outcome })
}

const settledAttemptsClosed = preparedQuery<{ userId: string; closedAt: string }>()((db, { userId, closedAt }) => {
  const isOfAttempt = eq(subscriptions.id, purchaseAttempts.stripeSubscriptionId)
  const isSettled = or(
    isNoneOf(subscriptions.status, 'incomplete', 'trialing'),
    and(isOneOf(subscriptions.status, 'trialing'), eq(subscriptions.isSettled, true)),
  )
  return db
    .update(purchaseAttempts)
    .set({ closedAt, outcome: sql`(select ${subscriptions.status} from ${subscriptions} where ${isOfAttempt})` })
    .where(
      and(
        eq(purchaseAttempts.userId, userId),
        isNull(purchaseAttempts.closedAt),
        exists(db.select({ id: subscriptions.id }).from(subscriptions).where(and(isOfAttempt, isSettled))),
      ),
    )
    .returning({ outcome: purchaseAttempts.outcome })
})

/** Closes a settled attempt. Call it inside a sync's transaction. Returns whether it made the user a member. */
export function closeSettledAttempts(ctx: Context, userId: string): boolean {
  const closed = settledAttemptsClosed.all(ctx, { userId, closedAt: ctx.billingNow().toISOString() })
  return closed.some(({ outcome }) => outcome !== null && isLive(outcome))
}
