import { type SharedOptions, withClient } from './client.ts'
import type { Client } from './connection.ts'
import { usageError } from './exit-codes.ts'
import { type Io, notify } from './io.ts'
import { formatOf, print, tableOutput } from './output.ts'
import type { Table } from './table.ts'

/** The API's own limit. */
const largestPage = 1000
/** Rows on a terminal without `--limit`. Pipes, CSV and JSON get all. */
const terminalRows = 50

export type ListOptions = SharedOptions & { limit?: string }
export type PageQuery = { limit: number; cursor?: string }
type Page<Row> = { value: Row[]; next: string | null }

/** Requests and prints a list; every command that ends in `list` is this and a table. */
export async function printList<Row>(
  io: Io,
  options: ListOptions,
  { table, requestPage }: { table: Table<Row>; requestPage(client: Client, query: PageQuery): Promise<Page<Row>> },
): Promise<void> {
  const standard = formatOf(io, options) === 'terminal' ? terminalRows : Infinity
  const limit = options.limit === undefined ? standard : parseLimit(options.limit)
  const { rows, hasMore } = await withClient(io, options, (client) =>
    collectRows(limit, (query) => requestPage(client, query)),
  )
  await print(io, options, tableOutput(table, rows))
  if (hasMore && options.limit === undefined) {
    await notify(io, `Showing the first ${rows.length}. Use --limit for more, --csv or --json for all.`)
  }
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usageError('--limit takes a whole number, 1 or more.')
  return Number(text)
}

/** Follows the pages of a list until there are enough rows. */
export async function collectRows<Row>(limit: number, requestPage: (query: PageQuery) => Promise<Page<Row>>) {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const pageLimit = Math.min(largestPage, limit - rows.length)
    const page: Page<Row> = await requestPage({ limit: pageLimit, ...(cursor === null ? {} : { cursor }) })
    rows.push(...page.value)
    if (page.next === cursor) break
    cursor = page.next
  } while (cursor !== null && rows.length < limit)
  return { rows, hasMore: cursor !== null }
}
