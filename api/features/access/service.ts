import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { accessOfUser } from './queries.ts'

/** Rewrites what `users` repeats of the subscription and of the owners' word on it: the one writer of those columns. */
export function refreshMembershipColumns(ctx: Context, userId: string): void {
  const access = accessOfUser(ctx, userId)
  const subscription = access.subscriptionId
    ? ctx.db.select().from(subscriptions).where(eq(subscriptions.id, access.subscriptionId)).get()
    : undefined
  ctx.sqlite
    .prepare(
      `update users set isMember = ?, membershipTier = ?, stripeSubscriptionId = ?,
         stripeCustomerId = (select stripeCustomerId from customers where customers.userId = users.id),
         membershipStartDate = coalesce(membershipStartDate, ?), updatedAt = ? where id = ?`,
    )
    .run(
      access.hasAccess ? 1 : 0,
      access.tier,
      access.subscriptionId,
      access.subscriptionGivesAccess ? (subscription?.created ?? null) : null,
      ctx.now().toISOString(),
      userId,
    )
}
