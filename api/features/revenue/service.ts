import type { Context } from '#api/context.ts'
import type { Mrr } from '#shared/contract/admin.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { forecastCommission, revenueRule } from '#shared/rules/revenue.ts'

/** Per cent, where no rate was ever set for a tier. */
const defaultRate = 10

type DetailRow = {
  subscriptionId: string
  customerName: string
  status: (typeof subscriptionStatuses)[number]
  isSettled: 0 | 1
  monthlyNet: number
}
type TierRow = { slug: TierSlug; name: string; count: number; monthlyNet: number; rate: number | null }

/** Monthly recurring revenue now: every subscription with the rule that counted or dropped it, ended ones left out. */
export function monthlyRevenue(ctx: Context): Mrr {
  const details = ctx.sqlite
    .prepare<[], DetailRow>(
      `select subscriptions.id as subscriptionId, case when users.id is null then 'Removed member'
           else coalesce(nullif(trim(coalesce(users.firstName, '') || ' ' || coalesce(users.lastName, '')), ''), users.email) end as customerName,
         subscriptions.status, subscriptions.isSettled, subscriptions.monthlyNet
       from subscriptions join customers on customers.id = subscriptions.customerId left join users on users.id = customers.userId
       where subscriptions.status not in ('canceled', 'incomplete_expired') order by subscriptions.created`,
    )
    .all()
  const rows = details.map(({ isSettled, monthlyNet, ...row }) => {
    const status = row.status === 'trialing' && isSettled === 0 ? 'incomplete' : row.status
    const { isCounted, rule } = revenueRule(status)
    return {
      ...row,
      status,
      monthlyAmount: isCounted ? monthlyNet : 0,
      rule,
      isCounted,
    }
  })
  return {
    totalMRR: rows.reduce((sum, row) => sum + row.monthlyAmount, 0),
    activeSubscriptions: rows.filter((row) => row.isCounted).length,
    lastUpdated: ctx.now().toISOString(),
    commission: { partner: ctx.settings.salesPartner, isForecast: true, ...forecastCommission(tierRevenue(ctx)) },
    subscriptionDetails: rows.map(({ isCounted: _, ...row }) => row),
  }
}

function tierRevenue(ctx: Context) {
  const counted = subscriptionStatuses.filter((status) => revenueRule(status).isCounted)
  const rows = ctx.sqlite
    .prepare<string[], TierRow>(
      `select membership_tiers.slug, membership_tiers.name, count(subscriptions.id) as count,
         coalesce(sum(subscriptions.monthlyNet), 0) as monthlyNet,
         (select rate from commission_rates where tierSlug = membership_tiers.slug and validFrom <= ? order by validFrom desc limit 1) as rate
       from membership_tiers left join subscriptions on subscriptions.tierSlug = membership_tiers.slug
         and subscriptions.status in (${counted.map(() => '?').join(', ')})
       group by membership_tiers.slug order by membership_tiers.orderIndex`,
    )
    .all(londonDay(ctx.billingNow()), ...counted)
  return rows.map((row) => ({ ...row, rate: row.rate ?? defaultRate }))
}
