import { and, eq, exists, gt, isNotNull, isNull, lt, not, notExists, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { firstOf, isNoneOf, isOneOf, jsonFieldOf } from '#api/db/expressions.ts'
import { transact } from '#api/db/open.ts'
import { countWhere } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { endedStatuses, purchaseAttempts, subscriptions } from '#api/db/schema/subscriptions.ts'
import { eraseAccount } from '#api/features/profile/removal-service.ts'
import { deleteLostCustomers } from '#api/features/subscriptions/unknown-customers-service.ts'
import { dayMs } from '#shared/rules/durations.ts'

const retentionDays = 30

/** A purchase that got no further never reached the provider, so nothing there closes it. */
const hasOrder = isNotNull(jsonFieldOf(purchaseAttempts.request, 'order'))

/** Someone moved in from elsewhere gets a year to find the way. */
const isMovedIn = ({ db, now }: Context) => {
  const yearAgo = new Date(now().getTime() - 365 * dayMs).toISOString()
  const { importId, madeId, doneAt } = importRows
  return exists(
    db
      .select({ importId })
      .from(importRows)
      .where(and(eq(madeId, users.id), gt(doneAt, yearAgo))),
  )
}

const isAbandoned = (ctx: Context, before: string) => {
  const { db } = ctx
  return and(
    not(isMovedIn(ctx)),
    isNull(users.passwordHash),
    eq(users.isAdmin, false),
    isNull(users.accessOverride),
    lt(firstOf(users.lastSeenAt, users.createdAt), before),
    notExists(db.select({ id: ownerAddresses.email }).from(ownerAddresses).where(eq(ownerAddresses.userId, users.id))),
    notExists(
      db
        .select({ id: purchaseAttempts.id })
        .from(purchaseAttempts)
        .where(and(eq(purchaseAttempts.userId, users.id), isNull(purchaseAttempts.closedAt), hasOrder)),
    ),
    notExists(
      db
        .select({ id: subscriptions.id })
        .from(customers)
        .innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
        .where(and(eq(customers.userId, users.id), isNoneOf(subscriptions.status, ...endedStatuses))),
    ),
    notExists(
      db
        .select({ id: providerInvoices.id })
        .from(customers)
        .innerJoin(providerInvoices, eq(providerInvoices.customerId, customers.id))
        .where(
          and(
            customerBelongsTo(users.id),
            isOneOf(providerInvoices.status, 'paid'),
            sql`(${providerInvoices.amountPaid} > 0 or ${providerInvoices.fromCredit} > 0)`,
          ),
        ),
    ),
  )
}

/** Removes accounts that never paid, have no password and have been gone 30 days. Keeps applications and audit entries. */
export async function removeAbandonedAccounts(ctx: Context): Promise<{ removed: number }> {
  const before = new Date(ctx.now().getTime() - retentionDays * dayMs).toISOString()
  const account = { id: users.id, email: users.email }
  const found = ctx.db.select(account).from(users).where(isAbandoned(ctx, before)).all()
  let removed = 0
  for (const { id, email } of found) {
    await deleteLostCustomers(ctx, id)
    transact(ctx, () => {
      const isStillAbandoned = and(eq(users.id, id), isAbandoned(ctx, before))
      if (countWhere(ctx, users, isStillAbandoned) === 0) return
      eraseAccount(ctx, { id, email })
      audit(ctx, 'system', 'account.abandoned', { targetId: id })
      removed += 1
    })
  }
  return { removed }
}
