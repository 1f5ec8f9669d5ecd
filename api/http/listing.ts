import type { ListPage } from '#api/db/listing.ts'
import { totalHeader } from '#shared/contract/listing.ts'

export type ListCall = { request: Request; set: { headers: Record<string, string | number | undefined> } }

/** Responds with one page of a list. The first page also says how many rows there are. */
export function respondWithPage<Row>(call: ListCall, { rows, next, total }: ListPage<Row>): Row[] {
  if (!new URL(call.request.url).searchParams.has('cursor')) call.set.headers[totalHeader] = String(total())
  linkToNextPage(call, next)
  return rows
}

/** Sets the `Link` header to the next page of the same search. `next` is its cursor, or null on the last page. */
export function linkToNextPage({ request, set }: ListCall, next: string | null): void {
  if (next === null) return
  const { pathname, searchParams } = new URL(request.url)
  searchParams.set('cursor', next)
  set.headers.link = `<${pathname}?${searchParams}>; rel="next"`
}
