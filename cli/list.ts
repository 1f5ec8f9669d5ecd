import { type SharedOptions, withClient } from './client.ts'
import type { Client } from './connection.ts'
import { escapeControlCharacters } from './control-characters.ts'
import { usageError } from './exit-codes.ts'
import { type Io, notify, write } from './io.ts'
import { csvSheet, formatOf, print, tableOutput, toCsv } from './output.ts'
import { createTableWriter, type Table } from './table.ts'

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
  const format = formatOf(io, options)
  const standard = format === 'terminal' ? terminalRows : Infinity
  const limit = options.limit === undefined ? standard : parseLimit(options.limit)
  if (format !== 'terminal') {
    const writePage = pageWriter(table, format)
    return withClient(io, options, async (client) => {
      for await (const page of pagesOf(limit, (query) => requestPage(client, query)))
        await write(io.stdout, writePage(page))
    })
  }
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

type ListedPage<Row> = { rows: Row[]; isFirst: boolean; hasMore: boolean; isLast: boolean }

/** The text of each page in turn, so that a list of a hundred thousand rows is never held as a whole. */
function pageWriter<Row>(table: Table<Row>, format: 'json' | 'csv' | 'text'): (page: ListedPage<Row>) => string {
  if (format === 'csv') return ({ rows, isFirst }) => toCsv(csvSheet(table.csv, rows), { hasHead: isFirst })
  if (format === 'json') return jsonOfPage
  const writeRows = createTableWriter(table.columns)
  return ({ rows, isFirst }) => (isFirst && rows.length === 0 ? `${table.empty}\n` : writeRows(rows))
}

/** All pages together are what `JSON.stringify` makes of the whole list. */
function jsonOfPage<Row>({ rows, isFirst, isLast }: ListedPage<Row>): string {
  if (isFirst && rows.length === 0) return '[]\n'
  const items = rows.map((row) => JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')).join(',\n  ')
  return escapeControlCharacters(`${isFirst ? '[\n  ' : ',\n  '}${items}${isLast ? '\n]\n' : ''}`)
}

/** Follows the pages of a list until there are enough rows. */
async function* pagesOf<Row>(
  limit: number,
  requestPage: (query: PageQuery) => Promise<Page<Row>>,
): AsyncGenerator<ListedPage<Row>> {
  let count = 0
  let cursor: string | null = null
  for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
    const pageLimit = Math.min(largestPage, limit - count)
    const { value: rows, next }: Page<Row> = await requestPage({
      limit: pageLimit,
      ...(cursor === null ? {} : { cursor }),
    })
    count += rows.length
    // A server that names the same page again has no more.
    const hasMore = next !== null && next !== cursor
    isLast = !hasMore || count >= limit
    cursor = next
    yield { rows, isFirst, hasMore, isLast }
  }
}

/** The same for a list that is needed as a whole. */
export async function collectRows<Row>(limit: number, requestPage: (query: PageQuery) => Promise<Page<Row>>) {
  const collected: Row[] = []
  let hasMoreRows = false
  for await (const { rows, hasMore } of pagesOf(limit, requestPage)) {
    collected.push(...rows)
    hasMoreRows = hasMore
  }
  return { rows: collected, hasMore: hasMoreRows }
}
