import type { Context } from '#api/context.ts'
import type { Mrr } from '#shared/contract/admin.ts'
import { londonDay } from '#shared/rules/london.ts'
import { customerGoal, defaultRate, forecastCommission, revenueRule } from '#shared/rules/mrr.ts'
import { revenueStatements } from './queries.ts'

type Page = { limit: number; cursor: string | undefined }

/** Monthly recurring revenue now, with a page of the subscriptions and the rule that counted or dropped each; ended ones are left out. */
export function monthlyRevenue(ctx: Context, { limit, cursor }: Page): { mrr: Mrr; next: string | null } {
  const statements = revenueStatements(ctx)
  const counted = statements.counted.all()
  const total = (of: 'count' | 'monthlyNet' | 'paying', rows = counted) => rows.reduce((sum, row) => sum + row[of], 0)
  const tiers = statements.tiers.all(londonDay(ctx.billingNow())).map(({ slug, name, rate }) => {
    const rows = counted.filter(({ tierSlug }) => tierSlug === slug)
    return { slug, name, count: total('count', rows), monthlyNet: total('monthlyNet', rows), rate: rate ?? defaultRate }
  })
  const since = cursor === undefined ? '' : (statements.created.get(cursor)?.created ?? '')
  const rows = statements.details.all(since, since, cursor ?? '', limit + 1)
  const page = rows.slice(0, limit)
  const mrr: Mrr = {
    totalMRR: total('monthlyNet'),
    activeSubscriptions: total('count'),
    lastUpdated: ctx.billingNow().toISOString(),
    commission: { partner: ctx.settings.salesPartner, isForecast: true, ...forecastCommission(tiers) },
    subscriptionDetails: page.map(({ isSettled, monthlyNet, ...row }) => {
      const status = row.status === 'trialing' && isSettled === 0 ? 'incomplete' : row.status
      const { isCounted, rule } = revenueRule(status)
      return { ...row, status, monthlyAmount: isCounted ? monthlyNet : 0, rule }
    }),
    target: { customers: total('paying') - (statements.payingOwners.get()?.count ?? 0), goal: customerGoal },
  }
  return { mrr, next: rows.length > limit ? (page.at(-1)?.subscriptionId ?? null) : null }
}
