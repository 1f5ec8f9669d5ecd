import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { jsonFieldOf, nullable, writtenOrder } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { purchaseAttempts } from '#api/db/schema/subscriptions.ts'
import { AppError } from '#api/errors.ts'
import { type FoundSubscription, findCustomerBy, listCustomersByEmail } from '#api/stripe/found-customer.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { type Attempt, closeAttempt } from './purchase-attempts-service.ts'

type Report = { targetId: string; subscription: string; since: string }

const lastReport = preparedQuery<Report>()((db, { targetId, subscription, since }) =>
  db
    .select({ problem: nullable(auditEntries.targetId, jsonFieldOf(auditEntries.detail, 'problem')) })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.targetId, targetId),
        eq(auditEntries.action, 'customer.unknown'),
        eq(jsonFieldOf(auditEntries.detail, 'subscription'), subscription),
        gt(auditEntries.at, since),
      ),
    )
    .orderBy(desc(writtenOrder(auditEntries)))
    .limit(1),
)

const reportAgainMs = 30 * dayMs

/** After restoring an older backup, for example. An owner has to say whose it is. Reports monthly, and when `problem` changes. */
export function reportUnknownCustomer(
  ctx: Context,
  stripeCustomerId: string,
  { id: subscription, problem }: Pick<FoundSubscription, 'id' | 'problem'>,
): void {
  const since = new Date(ctx.now().getTime() - reportAgainMs).toISOString()
  const last = lastReport.get(ctx, { targetId: stripeCustomerId, subscription, since })
  if (last !== undefined && last.problem === problem) return
  audit(ctx, 'system', 'customer.unknown', { targetId: stripeCustomerId, detail: { subscription, problem } })
  ctx.log.warn('customer of a subscription not known', { stripeCustomerId, subscription, problem })
}

/** The same for a subscription an event names. Events are only hints, so this reads the subscription. */
export async function reportUnknownSubscription(ctx: Context, stripeCustomerId: string, id: string): Promise<void> {
  const found = await findCustomerBy(ctx, stripeCustomerId)
  if (found === 'missing' || found === 'deleted') return
  const subscription = found.subscriptions.find((one) => one.id === id)
  if (subscription?.isLive) reportUnknownCustomer(ctx, stripeCustomerId, subscription)
}

const customerAtProvider = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db.select({ id: customers.id }).from(customers).where(eq(customers.stripeCustomerId, stripeCustomerId)),
)

const unorderedOfUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ request: purchaseAttempts.request })
    .from(purchaseAttempts)
    .where(
      and(
        eq(purchaseAttempts.userId, userId),
        isNull(purchaseAttempts.closedAt),
        isNull(jsonFieldOf(purchaseAttempts.request, 'order')),
      ),
    ),
)

/**
 * Deletes customers made for this account that a lost response left behind. Call it before removing the account, because nothing
 * leads to them afterwards. Keeps those with a subscription, who joined after the restored backup.
 */
export async function deleteLostCustomers(ctx: Context, userId: string): Promise<void> {
  const emails = new Set(unorderedOfUser.all(ctx, { userId }).map(({ request }) => request.customer.email))
  for (const email of emails) {
    for (const stripeCustomerId of await listCustomersByEmail(ctx, email)) {
      if (customerAtProvider.get(ctx, { stripeCustomerId }) !== undefined) continue
      const found = await findCustomerBy(ctx, stripeCustomerId)
      if (found === 'missing' || found === 'deleted') continue
      if (found.accountId === userId && found.subscriptions.length === 0)
        await ctx.stripe.customers.del(stripeCustomerId)
    }
  }
}

/** A customer who joined after the restored backup pays at the provider. Don't sell to them twice; tell the owners whom to link. */
export async function assertNoUnknownMembership(ctx: Context, { id, request }: Attempt): Promise<void> {
  for (const stripeCustomerId of await listCustomersByEmail(ctx, request.customer.email)) {
    if (customerAtProvider.get(ctx, { stripeCustomerId }) !== undefined) continue
    const found = await findCustomerBy(ctx, stripeCustomerId)
    if (found === 'missing' || found === 'deleted') continue
    const paid = found.subscriptions.find((one) => one.isLive && !one.isIncomplete && one.tier !== null)
    if (paid === undefined) continue
    reportUnknownCustomer(ctx, stripeCustomerId, paid)
    closeAttempt(ctx, id, 'refused')
    throw new AppError(
      'unknown_membership',
      'You already have a membership, but it isn’t linked to your account yet. Contact us and we’ll link it.',
    )
  }
}
