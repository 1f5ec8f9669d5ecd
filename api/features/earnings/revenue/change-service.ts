import { and, desc, eq, not, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { gaveFreeMonth, isExtra, isNoneOf, isOneOf, isTrue, nullable, tookMoney } from '#api/db/expressions.ts'
import { insertRow } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { adoptedSubscriptions, duplicateSubscriptions, subscriptions } from '#api/db/schema/subscriptions.ts'
import { londonMonth, startOfMonth } from '#shared/rules/london.ts'
import { settledStatus } from '#shared/rules/mrr.ts'
import { type RevenueStep, revenueSteps } from '#shared/rules/revenue-changes.ts'
import { holdBookings } from './clock-service.ts'
import { openMonth } from './month-queries.ts'

const lastChange = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      subscriptionId: revenueChanges.subscriptionId,
      tierSlug: revenueChanges.tierSlug,
      afterYearly: revenueChanges.afterYearly,
      at: revenueChanges.at,
    })
    .from(revenueChanges)
    .where(eq(revenueChanges.customerId, customerId))
    .orderBy(desc(revenueChanges.at), desc(revenueChanges.id))
    .limit(1),
)

const paid = alias(providerInvoices, 'paid')
const renewal = alias(providerInvoices, 'renewal')
const recorded = alias(revenueChanges, 'recorded')

/** What owners charge beside it is for no period. */
const payments = sql`from ${providerInvoices} ${paid}
  where ${and(eq(paid.subscriptionId, subscriptions.id), tookMoney(paid), not(isExtra(paid)))}`
const paidAt = sql`coalesce(${paid.paidAt}, ${paid.created})`

/** A free month also counts as a renewal, though its invoice asked for nothing. */
const renewals = sql`from ${providerInvoices} ${renewal} where ${renewal.subscriptionId} = ${subscriptions.id}
  and ${isOneOf(renewal.billingReason, 'subscription_cycle')}
  and (${renewal.net} > 0 or ${gaveFreeMonth(renewal)})`

const duplicate = sql`from ${duplicateSubscriptions} where ${duplicateSubscriptions.stripeSubscriptionId} = ${subscriptions.id}`

const changes = sql`from ${revenueChanges} ${recorded} where ${recorded.customerId} = ${subscriptions.customerId}
  and ${recorded.subscriptionId} = ${subscriptions.id}`

const adoption = sql`from ${adoptedSubscriptions} where ${adoptedSubscriptions.id} = ${subscriptions.id}`

const subscriptionsOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({
      id: subscriptions.id,
      status: subscriptions.status,
      isSettled: subscriptions.isSettled,
      collectionPause: subscriptions.collectionPause,
      tierSlug: subscriptions.tierSlug,
      yearlyNet: subscriptions.yearlyNet,
      created: subscriptions.created,
      trialEnd: subscriptions.trialEnd,
      currentPeriodStart: subscriptions.currentPeriodStart,
      canceledAt: subscriptions.canceledAt,
      endedAt: subscriptions.endedAt,
      cancellationReason: subscriptions.cancellationReason,
      isDuplicate: isTrue(sql`exists (select 1 ${duplicate})`),
      isRecorded: isTrue(sql`exists (select 1 ${changes})`),
      isAdopted: isTrue(sql`exists (select 1 ${adoption})`),
      firstPaidAt: nullable(providerInvoices.created, sql`(select min(${paidAt}) ${payments})`),
      lastPaidAt: nullable(providerInvoices.created, sql`(select max(${paidAt}) ${payments})`),
      upgradedAt: nullable(providerInvoices.created, sql`(select max(${paidAt}) ${payments} and ${paid.isUpgrade})`),
      hasRenewed: isTrue(sql`exists (select 1 ${renewals} and ${isNoneOf(renewal.status, 'draft', 'void')})`),
      hasUnpaidRenewal: isTrue(
        sql`exists (select 1 ${renewals} and ${isOneOf(renewal.status, 'open', 'uncollectible')})`,
      ),
    })
    .from(subscriptions)
    .where(eq(subscriptions.customerId, customerId)),
)

/** Records how a customer's part of MRR has changed since the last record, unless bookings are held. */
export function recordRevenueChanges(ctx: Context, { id: customerId }: Pick<Customer, 'id'>): void {
  if (holdBookings(ctx)) return
  const rows = subscriptionsOfCustomer
    .all(ctx, { customerId })
    .map(({ isSettled, collectionPause, canceledAt, ...row }) => ({
      ...row,
      status: settledStatus({ ...row, isSettled, collectionPause }),
      endedAt: row.endedAt ?? canceledAt,
    }))
  const last = lastChange.get(ctx, { customerId }) ?? null
  // What an adopted subscription brought in before we first read it is Stripe's record.
  const history = new Set(rows.filter((row) => row.isAdopted && !row.isRecorded).map(({ id }) => id))
  for (const step of revenueSteps(last, rows, ctx.billingNow().toISOString())) {
    appendChange(ctx, customerId, { ...step, isHistory: history.has(step.subscriptionId) })
  }
}

/** A step dated in a month that's already closed counts from the start of the first open month. */
function appendChange(ctx: Context, customerId: string, step: RevenueStep & { isHistory: boolean }): void {
  const ownMonth = londonMonth(new Date(step.at))
  const month = openMonth(ctx, ownMonth)
  const at = month === ownMonth ? step.at : startOfMonth(month).toISOString()
  const createdAt = ctx.billingNow().toISOString()
  insertRow(ctx, revenueChanges, { ...step, id: ctx.newId(), customerId, at, month, createdAt })
}
