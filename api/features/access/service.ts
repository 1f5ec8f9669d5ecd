import { eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { accessOfUser } from './queries.ts'

const subscriptionCreated = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ created: subscriptions.created }).from(subscriptions).where(eq(subscriptions.id, id)),
)

type Columns = Pick<
  typeof users.$inferSelect,
  'id' | 'isMember' | 'membershipTier' | 'stripeSubscriptionId' | 'membershipStartDate' | 'updatedAt'
>

const setColumns = preparedQuery<Columns>()(
  (db, { id, isMember, membershipTier, stripeSubscriptionId, membershipStartDate, updatedAt }) =>
    db
      .update(users)
      .set({
        isMember,
        membershipTier,
        stripeSubscriptionId,
        stripeCustomerId: sql`(select ${customers.stripeCustomerId} from ${customers} where ${eq(customers.userId, users.id)})`,
        membershipStartDate: sql`coalesce(${users.membershipStartDate}, ${membershipStartDate})`,
        updatedAt,
      })
      .where(eq(users.id, id)),
)

/** Rewrites what `users` repeats of the subscription and of the owners' override: the one writer of those columns. */
export function refreshMembershipColumns(ctx: Context, userId: string): void {
  const access = accessOfUser(ctx, userId)
  const created = access.subscriptionId ? subscriptionCreated.get(ctx, { id: access.subscriptionId })?.created : null
  setColumns.run(ctx, {
    id: userId,
    isMember: access.hasAccess,
    membershipTier: access.tier,
    stripeSubscriptionId: access.subscriptionId,
    membershipStartDate: access.subscriptionGivesAccess ? (created ?? null) : null,
    updatedAt: ctx.now().toISOString(),
  })
}
