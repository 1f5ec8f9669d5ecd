import { and, eq, gt } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { AppError } from '#api/errors.ts'
import { findCustomerBy, listCustomersByEmail } from '#api/stripe/found-customer.ts'
import { type Attempt, closeAttempt } from './attempts-service.ts'

const unknownReport = preparedQuery<{ targetId: string; since: string }>()((db, { targetId, since }) =>
  db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(
      and(eq(auditEntries.targetId, targetId), eq(auditEntries.action, 'customer.unknown'), gt(auditEntries.at, since)),
    )
    .limit(1),
)

const reportAgainMs = 30 * 24 * 60 * 60_000

/**
 * Reports a live subscription to a tier of ours whose customer is nobody here, as after a backup was restored that is older
 * than they are: an owner has to say whose it is. Once a month for as long as it is seen.
 */
export function reportUnknownCustomer(ctx: Context, stripeCustomerId: string, subscription: string): void {
  const since = new Date(ctx.now().getTime() - reportAgainMs).toISOString()
  if (unknownReport.get(ctx, { targetId: stripeCustomerId, since }) !== undefined) return
  audit(ctx, 'system', 'customer.unknown', { targetId: stripeCustomerId, detail: { subscription } })
  ctx.log.warn('customer of a subscription not known', { stripeCustomerId, subscription })
}

const customerAtProvider = preparedQuery<{ stripeCustomerId: string }>()((db, { stripeCustomerId }) =>
  db.select({ id: customers.id }).from(customers).where(eq(customers.stripeCustomerId, stripeCustomerId)),
)

/**
 * Who joined after the backup that was restored is nobody here, but pays at the provider: nothing is sold to them a second
 * time, and the owners are told whom to link. Customers whom our rows know are other accounts' business.
 */
export async function assertNoUnknownMembership(ctx: Context, { id, request }: Attempt): Promise<void> {
  for (const stripeCustomerId of await listCustomersByEmail(ctx, request.customer.email)) {
    if (customerAtProvider.get(ctx, { stripeCustomerId }) !== undefined) continue
    const found = await findCustomerBy(ctx, stripeCustomerId)
    if (found === 'missing' || found === 'deleted') continue
    const paid = found.subscriptions.find((one) => one.isLive && !one.isIncomplete && one.tier !== null)
    if (paid === undefined) continue
    reportUnknownCustomer(ctx, stripeCustomerId, paid.id)
    closeAttempt(ctx, id, 'refused')
    throw new AppError(
      'unknown_membership',
      'You already have a membership, which we have to link to your account. Please contact us.',
    )
  }
}
