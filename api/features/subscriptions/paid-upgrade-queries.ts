import { and, eq, gt, lte, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isExtra, isOneOf, isTrue, jsonFieldOf, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'

/** Refunds on their way count, and so do disputes that the books treat as lost. */
const wentBack = sql`(select ${total(providerRefunds.amount)} from ${providerRefunds}
  where ${and(eq(providerRefunds.providerInvoiceId, providerInvoices.id), isOneOf(providerRefunds.status, 'pending', 'requires_action', 'succeeded'))})`

// The index of disputes has the invoice as text.
const disputedInvoice = sql`cast(json_extract(${auditEntries.detail}, '$.invoice') as text)`

const wasDisputed = sql`(select ${total(jsonFieldOf(auditEntries.detail, 'amount'))} from ${auditEntries}
  where ${and(isOneOf(auditEntries.action, 'invoice.disputed'), eq(disputedInvoice, providerInvoices.id))})`

const taken = sql`max(0, ${providerInvoices.amountPaid} + ${providerInvoices.fromCredit} - ${wentBack} - ${wasDisputed})`

/** An upgrade's invoice is for the rest of the period, so now is within that too. */
const isOfPeriod = (subscriptionId: SQLWrapper, now: SQLWrapper) =>
  and(
    eq(providerInvoices.subscriptionId, subscriptionId),
    not(isExtra()),
    lte(providerInvoices.periodStart, now),
    gt(providerInvoices.periodEnd, now),
  )

/** One that asked for nothing settles its period, and one that's still to be paid has a sentence of its own. */
const isAnswered = sql`iif(${isOneOf(providerInvoices.status, 'paid')},
  ${providerInvoices.amountPaid} + ${providerInvoices.fromCredit} = 0 or ${taken} > 0,
  ${isOneOf(providerInvoices.status, 'draft', 'open')} and not ${providerInvoices.isKept})`

/**
 * For a query of `subscriptions`: the current period has invoices, and none of them took anything that stayed. What's charged for the
 * rest of it alone, as an upgrade or an add-on is, doesn't pay for the period.
 */
export const isNotPaid = (subscriptionId: SQLWrapper, now: SQLWrapper): SQL<boolean> =>
  isTrue(sql`(select max(${isAnswered}) = 0 from ${providerInvoices}
    where ${and(isOfPeriod(subscriptionId, now), eq(providerInvoices.isUpgrade, false))})`)

const paidForPeriod = preparedQuery<{ subscriptionId: string; now: string }>()((db, { subscriptionId, now }) =>
  db
    .select({
      paid: total(taken),
    })
    .from(providerInvoices)
    .where(isOfPeriod(subscriptionId, now)),
)

/**
 * What a subscription's current period has brought in, upgrades included, in pence with VAT: by card, outside Stripe or from credit
 * that came from money, less what went back or was disputed.
 */
export const paidThisPeriod = (ctx: Context, subscriptionId: string): number =>
  paidForPeriod.get(ctx, { subscriptionId, now: ctx.billingNow().toISOString() })?.paid ?? 0
