import type { ListPage } from '#api/db/listing.ts'
import { totalHeader } from '#shared/contract/listing.ts'

type Call = { request: Request; set: { headers: Record<string, string | number | undefined> } }

/** Responds with one page of a list; `Link` holds the address of the next one, which keeps search, order and filters. */
export function respondWithPage<Row>({ request, set }: Call, { rows, next, total }: ListPage<Row>): Row[] {
  set.headers[totalHeader] = String(total)
  if (next !== null) {
    const { pathname, searchParams } = new URL(request.url)
    searchParams.set('cursor', next)
    set.headers.link = `<${pathname}?${searchParams}>; rel="next"`
  }
  return rows
}
