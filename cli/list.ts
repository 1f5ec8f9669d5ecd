import { Done } from '#shared/contract/auth.ts'
import { mostPeopleUnasked } from '#shared/contract/move-out.ts'
import { type SharedOptions, serverOrigin, withClient } from './client.ts'
import type { Client } from './connection.ts'
import { escapeControlCharacters } from './control-characters.ts'
import { usageError } from './exit-codes.ts'
import { type Io, write } from './io.ts'
import {
  chosenFields,
  csvOfRows,
  csvWithFields,
  formatOf,
  note,
  print,
  tableOutput,
  toCsv,
  withFields,
} from './output.ts'
import { reportRows } from './progress.ts'
import { request } from './request.ts'
import { createTableWriter, type Table } from './table.ts'

const largestPage = 1000
/** Rows on a terminal without `--limit`. Pipes, CSV and JSON get all. */
const terminalRows = 50

export type ListOptions = SharedOptions & { limit?: string }
export type PageQuery = { limit: number; cursor?: string }
/** One page. `next` is the next page's cursor; `total` is the whole list's, if the server says. */
export type RowPage<Row> = { value: Row[]; next: string | null; total?: number | null }

/** Requests and prints a list; every command ending in `list` is this and a table. */
export async function printList<Row>(
  io: Io,
  options: ListOptions,
  { table, requestPage }: { table: Table<Row>; requestPage(client: Client, query: PageQuery): Promise<RowPage<Row>> },
): Promise<void> {
  const format = formatOf(io, options)
  const standard = format === 'terminal' ? terminalRows : Infinity
  const limit = options.limit === undefined ? standard : parseLimit(options.limit)
  if (format === 'json' || format === 'csv' || format === 'text') {
    const writePage = pageWriter(table, { format, options })
    const progress = reportRows(io, options)
    return withClient(io, options, async (client) => {
      for await (const page of pagesOf(limit, (query) => requestPage(client, query))) {
        if (format === 'csv' && page.isFirst && table.isOfPeople)
          await askForCsv(io, options, { client, table, limit, page })
        await write(io.stdout, await writePage(page))
        await progress.add(page.rows.length, page.total)
      }
    }).finally(progress.end)
  }
  const { rows, hasMore, siteUrl } = await withClient(io, options, async (client, siteUrl) => {
    const collected = await collectRows(limit, (query) => requestPage(client, query))
    return { ...collected, siteUrl }
  })
  await print(io, options, tableOutput(table, rows, siteUrl))
  if (hasMore && options.limit === undefined) {
    await note(io, options, `Showing the first ${rows.length}. Use --limit for more, --csv or --json for all.`)
  }
}

type AskedFor<Row> = { client: Client; table: Table<Row>; limit: number; page: ListedPage<Row> }

/** From afar. On the machine itself nothing is asked. */
async function askForCsv<Row>(io: Io, options: SharedOptions, { client, table, limit, page }: AskedFor<Row>) {
  const rows = Math.min(limit, page.total ?? (page.isLast ? page.rows.length : limit))
  if (rows <= mostPeopleUnasked || serverOrigin(io, options) === null) return
  const list = table.title.toLowerCase().replace(/[^a-z]+/g, '-')
  await request(
    Done,
    client.api.admin.exports.lists.post({ list, rows: Number.isFinite(rows) ? rows : page.rows.length }),
  )
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usageError('--limit takes a whole number, 1 or more.')
  return Number(text)
}

type ListedPage<Row> = { rows: Row[]; isFirst: boolean; hasMore: boolean; isLast: boolean; total: number | null }

/** Formats page by page, so we never hold a list of a hundred thousand rows in memory. */
function pageWriter<Row>(
  table: Table<Row>,
  { format, options }: { format: 'json' | 'csv' | 'text'; options: SharedOptions },
): (page: ListedPage<Row>) => string | Promise<string> {
  if (format === 'csv') {
    const all = chosenFields(options.csv) === null
    return ({ rows, isFirst: hasHead }) => {
      const csv = csvOfRows(table.csv, rows)
      return all ? toCsv(csv, { hasHead }) : csvWithFields(csv, options.csv).then((part) => toCsv(part, { hasHead }))
    }
  }
  if (format === 'json') {
    if (chosenFields(options.json) === null) return jsonOfPage
    return async (page) => {
      const rows = await Promise.all(page.rows.map((row) => withFields(row, options.json)))
      return jsonOfPage({ ...page, rows })
    }
  }
  const writeRows = createTableWriter(table.columns)
  return ({ rows, isFirst }) => (isFirst && rows.length === 0 ? `${table.empty}\n` : writeRows(rows))
}

/** Joined, the pages are what `JSON.stringify` makes of the whole list. */
function jsonOfPage({ rows, isFirst, isLast }: ListedPage<unknown>): string {
  if (isFirst && rows.length === 0) return '[]\n'
  const items = rows.map((row) => JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')).join(',\n  ')
  return escapeControlCharacters(`${isFirst ? '[\n  ' : ',\n  '}${items}${isLast ? '\n]\n' : ''}`)
}

/** Follows a list's pages until there are enough rows. */
async function* pagesOf<Row>(
  limit: number,
  requestPage: (query: PageQuery) => Promise<RowPage<Row>>,
): AsyncGenerator<ListedPage<Row>> {
  let count = 0
  let cursor: string | null = null
  for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
    const pageLimit = Math.min(largestPage, limit - count)
    const {
      value: rows,
      next,
      total = null,
    }: RowPage<Row> = await requestPage({
      limit: pageLimit,
      ...(cursor === null ? {} : { cursor }),
    })
    count += rows.length
    // A server that repeats a page's cursor has no more.
    const hasMore = next !== null && next !== cursor
    isLast = !hasMore || count >= limit
    cursor = next
    yield { rows, isFirst, hasMore, isLast, total }
  }
}

/** The same for a list we need whole. */
export async function collectRows<Row>(limit: number, requestPage: (query: PageQuery) => Promise<RowPage<Row>>) {
  const collected: Row[] = []
  let hasMoreRows = false
  for await (const { rows, hasMore } of pagesOf(limit, requestPage)) {
    collected.push(...rows)
    hasMoreRows = hasMore
  }
  return { rows: collected, hasMore: hasMoreRows }
}
