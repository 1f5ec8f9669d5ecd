import { and, eq, gt, lt, notExists, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { isNoneOf, isOneOf, settledPeriod, tookMoney } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { voidDraftInvoice, voidInvoiceIfOpen } from '#api/stripe/invoices.ts'

const hasEnded = isOneOf(subscriptions.status, 'canceled')

const paid = alias(providerInvoices, 'paid')

const obsoleteInvoices = preparedQuery<{ customerId: string }>()((db, { customerId }) => {
  const newestPayment = sql`(select max(${paid.created}) from ${providerInvoices} ${paid}
    where ${and(eq(paid.subscriptionId, providerInvoices.subscriptionId), settledPeriod(paid))})`
  return db
    .select({ id: providerInvoices.id, status: providerInvoices.status })
    .from(providerInvoices)
    .innerJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
    .where(
      and(
        eq(providerInvoices.customerId, customerId),
        isOneOf(providerInvoices.status, 'open', 'draft'),
        eq(providerInvoices.isKept, false),
        isNoneOf(providerInvoices.billingReason, 'manual'),
        or(hasEnded, lt(providerInvoices.created, newestPayment)),
      ),
    )
})

/** Voids invoices older than the newest payment for a period, and all of an ended membership. Returns whether there were any. */
export async function voidObsoleteInvoices(ctx: Context, { id: customerId }: Customer): Promise<boolean> {
  const obsolete = obsoleteInvoices.all(ctx, { customerId })
  for (const { id, status } of obsolete) await (status === 'draft' ? voidDraftInvoice : voidInvoiceIfOpen)(ctx, id)
  return obsolete.length > 0
}

/** Payments made after a membership ended. Refunded once, unless an owner has already refunded part. */
export const selectLatePayments = (db: Db, customerId: SQLWrapper) =>
  db
    .select({ invoice: providerInvoices.id })
    .from(providerInvoices)
    .innerJoin(subscriptions, eq(subscriptions.id, providerInvoices.subscriptionId))
    .where(
      and(
        eq(providerInvoices.customerId, customerId),
        tookMoney(),
        eq(providerInvoices.isHistory, false),
        isNoneOf(providerInvoices.billingReason, 'manual'),
        hasEnded,
        gt(providerInvoices.paidAt, subscriptions.endedAt),
        notExists(
          db
            .select({ id: providerRefunds.id })
            .from(providerRefunds)
            .where(eq(providerRefunds.providerInvoiceId, providerInvoices.id)),
        ),
      ),
    )
