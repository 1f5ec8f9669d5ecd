import { askPage } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { type Io, say } from '#cli/io.ts'
import { formatOf, print } from '#cli/output.ts'
import { countOf, rowsOf } from '#cli/pages.ts'
import { ordersReport } from '#cli/reports/quotient.ts'
import { AdminQuotientOrderList } from '#shared/contract/quotient.ts'

type OrdersOptions = SharedOptions & { limit?: string }

/** As many as a terminal shows without being asked for more. */
const screenful = 50

export async function listOrders(io: Io, options: OrdersOptions): Promise<void> {
  const isOnScreen = formatOf(io, options) === 'view'
  const wanted = options.limit === undefined ? (isOnScreen ? screenful : Infinity) : countOf(options.limit)
  const { rows, hasMore } = await withClient(io, options, (client) =>
    rowsOf(wanted, (query) => askPage(AdminQuotientOrderList, client.api.admin['quotient-orders'].get({ query }))),
  )
  await print(io, options, ordersReport(rows))
  if (hasMore && options.limit === undefined) {
    await say(io, `These are the newest ${rows.length}. For more give --limit, for all --csv or --json.`)
  }
}
