import type { Statement } from 'better-sqlite3'
import type { Context } from '#api/context.ts'
import { isHisCustomer } from '#api/db/whose.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import {
  type AccessOverride,
  accessOf,
  type Standing,
  type SubscriptionFacts,
  standingOf,
} from '#shared/rules/membership.ts'

/** What a person may do now, computed on each request from rows and the billing clock. */
export type Access = Standing & {
  hasAccess: boolean
  isComplimentary: boolean
  isRevoked: boolean
  /** The tier whose videos he sees; null without access. */
  tier: TierSlug | null
  subscriptionId: string | null
}

export type StandingRow = {
  accessOverride: AccessOverride
  subscriptionId: string | null
  status: SubscriptionFacts['status'] | null
  isSettled: 0 | 1 | null
  tierSlug: TierSlug | null
  currentPeriodEnd: string | null
  trialEnd: string | null
  cancelAt: string | null
  cancelAtPeriodEnd: 0 | 1 | null
  oldestUnpaidRenewal: string | null
  lastPaidTier: TierSlug | null
}

/**
 * Columns and joins that turn `users` into standings. The subscription is the live one, else the newest; the unpaid
 * renewal is the oldest open (or given up) one since the last that was paid. A paid invoice took more than £0.
 */
export const standingColumns = `
  users.accessOverride, subscriptions.id as subscriptionId, subscriptions.status, subscriptions.isSettled,
  subscriptions.tierSlug, subscriptions.currentPeriodEnd, subscriptions.trialEnd, subscriptions.cancelAt,
  subscriptions.cancelAtPeriodEnd,
  case when subscriptions.status = 'past_due' then (
    select min(open.created) from provider_invoices open
    where open.subscriptionId = subscriptions.id and open.status in ('open', 'uncollectible') and open.billingReason = 'subscription_cycle'
      and open.created > coalesce((
        select max(paid.created) from provider_invoices paid
        where paid.subscriptionId = subscriptions.id and paid.status = 'paid' and paid.amountPaid > 0), '')
  ) end as oldestUnpaidRenewal,
  case when users.accessOverride = 'granted' then (
    select paid.tierSlug from provider_invoices paid join customers his on his.id = paid.customerId
    where ${isHisCustomer('users.id', 'his')} and paid.status = 'paid' and paid.amountPaid > 0 and paid.tierSlug is not null
    order by paid.created desc limit 1
  ) end as lastPaidTier`
export const standingJoins = `
  left join customers on customers.userId = users.id
  left join subscriptions on subscriptions.id = (
    select id from subscriptions candidate where candidate.customerId = customers.id
    order by candidate.status in ('canceled', 'incomplete_expired'), candidate.created desc limit 1)`

export function accessFrom(row: StandingRow, billingNow: Date): Access {
  const standing = standingOf(factsOf(row), billingNow)
  const access = accessOf(row.accessOverride, standing.subscriptionGivesAccess)
  const ownTier = standing.subscriptionGivesAccess ? row.tierSlug : (row.lastPaidTier ?? 'standard')
  return { ...standing, ...access, tier: access.hasAccess ? ownTier : null, subscriptionId: row.subscriptionId }
}

function factsOf(row: StandingRow): SubscriptionFacts | null {
  if (row.status === null || row.tierSlug === null) return null
  return {
    status: row.status,
    isSettled: row.isSettled === 1,
    tierSlug: row.tierSlug,
    currentPeriodEnd: row.currentPeriodEnd,
    trialEnd: row.trialEnd,
    endsAt: row.cancelAt ?? (row.cancelAtPeriodEnd === 1 ? row.currentPeriodEnd : null),
    oldestUnpaidRenewal: row.oldestUnpaidRenewal,
  }
}

export const accessOfUser = (ctx: Context, userId: string): Access =>
  accessFrom(lookupOf(ctx).get(userId) ?? withoutRows, ctx.billingNow())

const kept = new WeakMap<Context, Statement<[string], StandingRow>>()
/** Prepared once: `+?` hides the value from SQLite's planner, which would prepare the join anew for each. */
function lookupOf(ctx: Context): Statement<[string], StandingRow> {
  const sql = `select ${standingColumns} from users ${standingJoins} where users.id = +?`
  const found = kept.get(ctx) ?? ctx.sqlite.prepare<[string], StandingRow>(sql)
  kept.set(ctx, found)
  return found
}

const withoutRows: StandingRow = {
  accessOverride: null,
  subscriptionId: null,
  status: null,
  isSettled: null,
  tierSlug: null,
  currentPeriodEnd: null,
  trialEnd: null,
  cancelAt: null,
  cancelAtPeriodEnd: null,
  oldestUnpaidRenewal: null,
  lastPaidTier: null,
}
