import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import { Mrr, RevenueMonthList } from '#shared/contract/revenue.ts'

/** Starts every admin query’s key, so an owner’s own change can invalidate them all. */
export const adminKey = 'admin'

/** Counts this owner’s changes since the page opened. After each, lists show rows that have come or gone. */
export const ownChangesQuery = queryOptions({ queryKey: ['admin-own-changes'], queryFn: () => 0, initialData: 0 })

const fiveMinutes = 5 * 60_000

export const mrrQuery = queryOptions({
  queryKey: [adminKey, 'mrr'],
  queryFn: () => parseResponse(Mrr, api.api.admin.mrr.get({ query: { limit: 1 } })),
  staleTime: 0,
  refetchInterval: fiveMinutes,
  refetchOnReconnect: true,
})

/** Oldest first. The last is the current month. */
export const revenueMonthsQuery = queryOptions({
  queryKey: [adminKey, 'revenue-months'],
  queryFn: () => parseResponse(RevenueMonthList, api.api.admin['revenue-months'].get({ query: { limit: 240 } })),
  staleTime: 0,
  refetchInterval: fiveMinutes,
  refetchOnReconnect: true,
})

export const currentMonthQuery = queryOptions({
  queryKey: [adminKey, 'revenue-months', 'current'],
  queryFn: () => parseResponse(RevenueMonthList, api.api.admin['revenue-months'].get({ query: { limit: 1 } })),
  select: (months) => months.at(-1),
  staleTime: 0,
  refetchInterval: fiveMinutes,
  refetchOnReconnect: true,
})

export type ListPage<Row> = { rows: Row[]; total: number; next: string | null }

type ListCall = PromiseLike<{ data: unknown; error: { value: unknown } | null; response?: Response | undefined }>

/** The total and the next page’s cursor come in response headers. */
export const requestListPage = <Schema extends v.GenericSchema>(
  row: Schema,
  call: ListCall,
): Promise<ListPage<v.InferOutput<Schema>>> => requestPageOf(v.array(row), call, (rows) => rows)

export async function requestPageOf<Schema extends v.GenericSchema, Row>(
  schema: Schema,
  call: ListCall,
  rowsOf: (response: v.InferOutput<Schema>) => Row[],
): Promise<ListPage<Row>> {
  const result = await call
  const rows = rowsOf(await parseResponse(schema, Promise.resolve(result)))
  const headers = result.response?.headers
  const next = /^<([^>]+)>; rel="next"$/.exec(headers?.get('link') ?? '')?.[1]
  return {
    rows,
    total: Number(headers?.get(totalHeader) ?? rows.length),
    next: next === undefined ? null : new URL(next, window.location.origin).searchParams.get('cursor'),
  }
}
