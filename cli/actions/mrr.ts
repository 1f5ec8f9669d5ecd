import { ask, askPage } from '#cli/ask.ts'
import { type Client, type SharedOptions, withClient } from '#cli/client.ts'
import type { Io } from '#cli/io.ts'
import { print } from '#cli/output.ts'
import { mrrReport } from '#cli/reports/mrr.ts'
import { revenueMonthsReport } from '#cli/reports/revenue-months.ts'
import { Mrr } from '#shared/contract/admin.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'

export async function showMrr(io: Io, options: SharedOptions): Promise<void> {
  await print(io, options, mrrReport(await withClient(io, options, wholeMrr)))
}

/** The totals of the first answer, the subscriptions of all pages. */
async function wholeMrr(client: Client): Promise<Mrr> {
  const first = await askPage(Mrr, client.api.admin.mrr.get({ query: { limit: 1000 } }))
  const rows = [...first.value.subscriptionDetails]
  for (let cursor = first.next; cursor !== null; ) {
    const page = await askPage(Mrr, client.api.admin.mrr.get({ query: { limit: 1000, cursor } }))
    rows.push(...page.value.subscriptionDetails)
    cursor = page.next === cursor ? null : page.next
  }
  return { ...first.value, subscriptionDetails: rows }
}

export async function showRevenueMonths(io: Io, options: SharedOptions): Promise<void> {
  const months = await withClient(io, options, (client) =>
    ask(RevenueMonthList, client.api.admin['revenue-months'].get({ query: {} })),
  )
  await print(io, options, revenueMonthsReport(months))
}
