import { and, eq, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { paymentMethods, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { revenueChanges, revenueMonths } from '#api/db/schema/revenue.ts'
import { sessions } from '#api/db/schema/sessions.ts'
import {
  adoptedSubscriptions,
  cancellations,
  cardChanges,
  duplicateSubscriptions,
  purchaseAttempts,
  subscriptions,
  tierUpgrades,
} from '#api/db/schema/subscriptions.ts'
import { findAdoption } from '#api/features/subscriptions/adoption-queries.ts'
import { refreshMembershipColumns } from '#api/identity/membership-columns.ts'
import type { Owner } from '#api/identity/person.ts'

/**
 * Gives a subscription back, as if it had never been adopted, unless something of ours has followed from it. Nothing changes at
 * Stripe, where it goes on.
 */
export function undoAdoption(ctx: Context, { actor }: Pick<Owner, 'actor'>, subscriptionId: string): 'undone' | 'used' {
  return transact(ctx, () => {
    const adoption = findAdoption(ctx, subscriptionId)
    if (adoption === undefined) return 'undone'
    const customer = ctx.db
      .select({ id: customers.id, userId: customers.userId })
      .from(customers)
      .where(eq(customers.stripeCustomerId, adoption.stripeCustomerId))
      .get()
    const { isAccountMade } = adoption
    if (customer === undefined || isUsed(ctx, { ...customer, isAccountMade }, subscriptionId)) return 'used'
    deleteRows(ctx, customer.id, subscriptionId)
    if (customer.userId !== null) {
      if (isAccountMade) ctx.db.delete(users).where(eq(users.id, customer.userId)).run()
      else refreshMembershipColumns(ctx, customer.userId)
    }
    const targetId = isAccountMade ? null : customer.userId
    audit(ctx, actor, 'subscription.adoption_undone', { targetId, detail: { subscription: subscriptionId } })
    return 'undone'
  })
}

type Adopted = { id: string; userId: string | null; isAccountMade: boolean }

/** Ours are a document, commission, a purchase or change, MRR of our own, a closed month, or a login to the account it made. */
function isUsed(ctx: Context, { id, userId, isAccountMade }: Adopted, subscriptionId: string): boolean {
  if (userId === null) return true
  const { db } = ctx
  const ofCustomer = [
    invoices,
    commissionLedger,
    cancellations,
    renewalNotices,
    cardChanges,
    duplicateSubscriptions,
    tierUpgrades,
  ]
  const has = (table: SQLiteTable, condition: SQL | undefined) =>
    db.select({ one: sql`1` }).from(table).where(condition).limit(1).get() !== undefined
  const ofClosedMonth = inArray(revenueChanges.month, db.select({ month: revenueMonths.month }).from(revenueMonths))
  const isNoLongerHistory = or(eq(revenueChanges.isHistory, false), ofClosedMonth)
  return (
    ofCustomer.some((table) => has(table, eq(table.customerId, id))) ||
    has(subscriptions, and(eq(subscriptions.customerId, id), ne(subscriptions.id, subscriptionId))) ||
    has(revenueChanges, and(eq(revenueChanges.customerId, id), isNoLongerHistory)) ||
    has(priceMoves, eq(priceMoves.subscriptionId, subscriptionId)) ||
    has(purchaseAttempts, eq(purchaseAttempts.userId, userId)) ||
    (isAccountMade && has(sessions, eq(sessions.userId, userId))) ||
    (isAccountMade && has(users, and(eq(users.id, userId), isNotNull(users.lastSeenAt))))
  )
}

/** In the order the foreign keys ask for. */
function deleteRows({ db }: Context, customerId: string, subscriptionId: string): void {
  for (const table of [providerRefunds, providerInvoices, revenueChanges, subscriptions, paymentMethods]) {
    db.delete(table).where(eq(table.customerId, customerId)).run()
  }
  db.delete(customers).where(eq(customers.id, customerId)).run()
  db.delete(adoptedSubscriptions).where(eq(adoptedSubscriptions.id, subscriptionId)).run()
}
