import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { tookMoney } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { type Access, accessOfUser } from './access-queries.ts'

const subscriptionCreated = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ created: subscriptions.created }).from(subscriptions).where(eq(subscriptions.id, id)),
)

const firstPaidSubscription = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ created: subscriptions.created })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .innerJoin(providerInvoices, eq(providerInvoices.subscriptionId, subscriptions.id))
    .where(and(customerBelongsTo(userId), tookMoney()))
    .orderBy(subscriptions.created)
    .limit(1),
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

/** The only writer of the `users` columns that repeat the subscription and the owners' override. */
export function refreshMembershipColumns(ctx: Context, userId: string): void {
  const access = accessOfUser(ctx, userId)
  setColumns.run(ctx, {
    id: userId,
    isMember: access.hasAccess,
    membershipTier: access.tier,
    stripeSubscriptionId: access.subscriptionId,
    membershipStartDate: startOf(ctx, userId, access),
    updatedAt: ctx.now().toISOString(),
  })
}

/** Since when a subscription gives or gave access. If no one recorded it, the payment tells. */
function startOf(ctx: Context, userId: string, { subscriptionGivesAccess, subscriptionId }: Access): string | null {
  const created =
    subscriptionGivesAccess && subscriptionId !== null
      ? subscriptionCreated.get(ctx, { id: subscriptionId })?.created
      : firstPaidSubscription.get(ctx, { userId })?.created
  return created ?? null
}
