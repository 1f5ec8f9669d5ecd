import type { Context } from '#api/context.ts'
import { siteSettings } from '#api/site/settings.ts'
import type { Mrr } from '#shared/contract/revenue.ts'
import { defaultCommissionRate, forecastCommission } from '#shared/rules/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { customerGoal, monthlyOf, mrrRule, settledStatus } from '#shared/rules/mrr.ts'
import {
  countedSubscriptions,
  liveSubscriptionsAfter,
  payingOwners,
  subscriptionCreated,
  tiersWithRate,
  uncountedLiveSubscriptions,
} from './queries.ts'

type Page = { limit: number; cursor: string | undefined }

/** Current MRR, and one page of subscriptions with the rule by which each counts or doesn't. Leaves out ended ones. */
export function monthlyRevenue(
  ctx: Context,
  { limit, cursor }: Page,
): {
  mrr: Mrr
  next: string | null
  /** Across all pages. */
  total: number
} {
  const counted = countedSubscriptions.all(ctx)
  const sumOf = (of: 'count' | 'yearlyNet' | 'nextYearlyNet' | 'paying', rows = counted) =>
    rows.reduce((sum, row) => sum + row[of], 0)
  const tiers = tiersWithRate
    .all(ctx, { day: londonDay(ctx.billingNow()) })
    .flatMap(({ slug, name, rate, isActive }) => {
      const rows = counted.filter(({ tierSlug }) => tierSlug === slug)
      if (!isActive && rows.length === 0) return []
      const sums = { count: sumOf('count', rows), nextYearlyNet: sumOf('nextYearlyNet', rows) }
      return { slug, name, ...sums, rate: rate ?? defaultCommissionRate }
    })
  const rows = subscriptionsAfter(ctx, cursor, limit + 1)
  const page = rows.slice(0, limit)
  const mrr: Mrr = {
    totalMRR: monthlyOf(sumOf('yearlyNet')),
    activeSubscriptions: sumOf('count'),
    lastUpdated: ctx.billingNow().toISOString(),
    commission: { partner: siteSettings(ctx).salesPartner, isForecast: true, ...forecastCommission(tiers) },
    subscriptionDetails: page.map(({ isSettled, collectionPause, yearlyNet, ...row }) => {
      const status = settledStatus({ ...row, isSettled, collectionPause })
      const { isCounted, rule } = mrrRule(status)
      const yearlyAmount = isCounted ? yearlyNet : 0
      return { ...row, status, monthlyAmount: monthlyOf(yearlyAmount), yearlyAmount, rule }
    }),
    target: { customers: sumOf('paying') - (payingOwners.get(ctx)?.count ?? 0), goal: customerGoal },
  }
  return {
    mrr,
    next: rows.length > limit ? (page.at(-1)?.subscriptionId ?? null) : null,
    total: [...counted, ...uncountedLiveSubscriptions.all(ctx)].reduce((sum, row) => sum + row.count, 0),
  }
}

function subscriptionsAfter(ctx: Context, id: string | undefined, limit: number) {
  const created = id === undefined ? '' : (subscriptionCreated.get(ctx, { id })?.created ?? '')
  return liveSubscriptionsAfter.all(ctx, { created, id: id ?? '', limit })
}
