import type { ListPage } from '#api/db/listing.ts'
import { totalHeader } from '#shared/contract/listing.ts'

export type ListCall = { request: Request; set: { headers: Record<string, string | number | undefined> } }

/** Responds with one page of a list, and how many rows the whole of it has. */
export function respondWithPage<Row>(call: ListCall, { rows, next, total }: ListPage<Row>): Row[] {
  call.set.headers[totalHeader] = String(total)
  linkToNextPage(call, next)
  return rows
}

const defaultPage = 200

/**
 * The same for a list that is not counted. `find` is asked for one row more than the page holds, which tells whether there
 * is a next page.
 */
export function respondWithRows<Row>(
  call: ListCall & { query: { limit?: number | undefined } },
  find: (limit: number) => Row[],
  cursorOf: (row: Row) => string,
): Row[] {
  const { limit = defaultPage } = call.query
  const found = find(limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  linkToNextPage(call, found.length > limit && last !== undefined ? cursorOf(last) : null)
  return page
}

/**
 * Names the next page in the `Link` header, with the search, order and filters of this one. `next` is its cursor, null on
 * the last page.
 */
export function linkToNextPage({ request, set }: ListCall, next: string | null): void {
  if (next === null) return
  const { pathname, searchParams } = new URL(request.url)
  searchParams.set('cursor', next)
  set.headers.link = `<${pathname}?${searchParams}>; rel="next"`
}
