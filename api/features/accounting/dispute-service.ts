import { and, eq, sql } from 'drizzle-orm'
import { auditWish } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { displayName, userIdOfCustomer } from '#api/db/customers.ts'
import { jsonFieldOf, nullable } from '#api/db/expressions.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { lostDisputeReason, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { notFound } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { endSubscription } from '#api/features/subscriptions/provider-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import type { LostDispute } from '#shared/contract/payments.ts'
import { isLive } from '#shared/rules/membership.ts'

const disputedPayments = preparedQuery<{ charge: string }>()((db, { charge }) =>
  db
    .select({
      amount: jsonFieldOf(auditEntries.detail, 'amount').mapWith(Number),
      invoice: providerInvoices.id,
      customerId: customers.id,
      stripeCustomerId: customers.stripeCustomerId,
      memberId: userIdOfCustomer().mapWith(users.id),
      name: nullable(users.email, displayName),
      paid: providerInvoices.amountPaid,
      refunded: providerInvoices.amountRefunded,
      subscriptionId: subscriptions.id,
      status: subscriptions.status,
    })
    .from(auditEntries)
    .innerJoin(providerInvoices, eq(providerInvoices.id, sql`${jsonFieldOf(auditEntries.detail, 'invoice')}`))
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .leftJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
    .where(and(eq(auditEntries.action, 'invoice.disputed'), eq(jsonFieldOf(auditEntries.detail, 'charge'), charge)))
    .limit(1),
)

function findDisputed(ctx: Context, charge: string) {
  const found = disputedPayments.get(ctx, { charge })
  if (found === undefined) throw notFound('This dispute')
  const { amount, paid, refunded, status } = found
  return { ...found, taken: Math.min(amount, Math.max(paid - refunded, 0)), ends: isLive(status ?? 'none') }
}

type Asked = { charge: string; dryRun: boolean }

/** The books treat a lost dispute as a refund: the next sync credits the invoice and claws back the commission. Safe to repeat. */
export async function recordLostDispute(ctx: Context, owner: Owner, { charge, dryRun }: Asked): Promise<LostDispute> {
  const { name, taken, ends, customerId } = findDisputed(ctx, charge)
  if (dryRun) return { charge, name, taken, ends, dryRun }
  return withKeyLock(ctx, `dispute:${customerId}`, () => bookLoss(ctx, owner, charge))
}

function bookLoss(ctx: Context, owner: Owner, charge: string): Promise<LostDispute> {
  let before: ReturnType<typeof findDisputed> | undefined
  return lookingAgainForOwner(ctx, async () => {
    await syncCustomer(ctx, findDisputed(ctx, charge).stripeCustomerId)
    const now = findDisputed(ctx, charge)
    before ??= now
    const { customerId, stripeCustomerId, invoice, taken, subscriptionId, ends, memberId, name } = before
    if (now.ends && subscriptionId !== null) await endSubscription(ctx, subscriptionId)
    transact(ctx, () => {
      if (taken > 0)
        insertIfAbsent(ctx, providerRefunds, {
          id: `lost_${charge}`,
          customerId,
          providerInvoiceId: invoice,
          amount: taken,
          status: 'succeeded',
          reason: lostDisputeReason,
          created: ctx.billingNow().toISOString(),
        })
      const detail = { charge, invoice, amount: taken }
      auditWish(ctx, owner.actor, 'invoice.dispute_lost', { targetId: memberId ?? customerId, wish: charge, detail })
    })
    await syncCustomer(ctx, stripeCustomerId)
    return { charge, name, taken, ends, dryRun: false }
  })
}
