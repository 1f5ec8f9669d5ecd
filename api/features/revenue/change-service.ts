import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { londonMonth, startOfMonth } from '#shared/rules/london.ts'
import {
  type Counted,
  type RevenueStep,
  revenueSteps,
  type SubscriptionRevenue,
} from '#shared/rules/revenue-changes.ts'
import { openMonth } from './frozen-months-queries.ts'

type Flag = 0 | 1
type SubscriptionRow = Omit<SubscriptionRevenue, 'isWithdrawn' | 'isRecorded' | 'hasRenewed' | 'hasUnpaidRenewal'> & {
  isWithdrawn: Flag
  isRecorded: Flag
  hasRenewed: Flag
  hasUnpaidRenewal: Flag
}

const paid = `from provider_invoices paid where paid.subscriptionId = subscriptions.id and paid.status = 'paid' and paid.amountPaid > 0`
const renewal = `from provider_invoices renewal where renewal.subscriptionId = subscriptions.id
  and renewal.billingReason = 'subscription_cycle' and renewal.net > 0`

function prepare({ sqlite }: Context) {
  return {
    last: sqlite.prepare<[string], Counted>(
      `select subscriptionId, tierSlug, after, at from revenue_changes where customerId = ? order by at desc, id desc limit 1`,
    ),
    subscriptions: sqlite.prepare<[string], SubscriptionRow>(
      `select id, case when status = 'trialing' and isSettled = 0 then 'incomplete' else status end as status, tierSlug,
         monthlyNet, created, trialEnd, currentPeriodStart, coalesce(endedAt, canceledAt) as endedAt, cancellationReason,
         exists (select 1 from withdrawals where stripeSubscriptionId = subscriptions.id) as isWithdrawn,
         exists (select 1 from revenue_changes recorded
           where recorded.customerId = subscriptions.customerId and recorded.subscriptionId = subscriptions.id) as isRecorded,
         (select min(coalesce(paidAt, paid.created)) ${paid}) as firstPaidAt,
         (select max(coalesce(paidAt, paid.created)) ${paid}) as lastPaidAt,
         exists (select 1 ${renewal} and renewal.status not in ('draft', 'void')) as hasRenewed,
         exists (select 1 ${renewal} and renewal.status in ('open', 'uncollectible')) as hasUnpaidRenewal
       from subscriptions where customerId = ?`,
    ),
    append: sqlite.prepare(
      `insert into revenue_changes
         (id, customerId, subscriptionId, kind, tierSlug, tierBefore, before, after, at, month, createdAt)
       values (@id, @customerId, @subscriptionId, @kind, @tierSlug, @tierBefore, @before, @after, @at, @month, @createdAt)`,
    ),
  }
}

const kept = new WeakMap<Context, ReturnType<typeof prepare>>()
function statements(ctx: Context) {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

/** Writes down how what a customer brings in a month has changed since it was last written. */
export function recordRevenueChanges(ctx: Context, { id }: Pick<Customer, 'id'>): void {
  const { last, subscriptions } = statements(ctx)
  const rows = subscriptions.all(id).map((row) => ({
    ...row,
    isWithdrawn: row.isWithdrawn === 1,
    isRecorded: row.isRecorded === 1,
    hasRenewed: row.hasRenewed === 1,
    hasUnpaidRenewal: row.hasUnpaidRenewal === 1,
  }))
  const steps = revenueSteps(last.get(id) ?? null, rows, ctx.billingNow().toISOString())
  for (const step of steps) append(ctx, id, step)
}

/** What took effect in a month that is frozen by now counts from the first instant that is not. */
function append(ctx: Context, customerId: string, step: RevenueStep): void {
  const ownMonth = londonMonth(new Date(step.at))
  const month = openMonth(ctx, ownMonth)
  const at = month === ownMonth ? step.at : startOfMonth(month).toISOString()
  const createdAt = ctx.billingNow().toISOString()
  statements(ctx).append.run({ ...step, id: ctx.newId(), customerId, at, month, createdAt })
}
