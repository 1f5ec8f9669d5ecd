import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import type { SiteContent } from '#shared/contract/site-content.ts'

export type RouterContext = {
  queryClient: QueryClient
  content: SiteContent
  /** On the server: the queries the page was rendered from, whose data goes with it. */
  needed?: QueryKey[]
}

/** For loaders: data the page can't show without. Uses the cache if it has it. */
export async function requireQuery<Data, Key extends QueryKey>(
  { queryClient, needed }: RouterContext,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const known = queryClient.getQueryState<Data>(query.queryKey)
  const fetchNow = () => queryClient.fetchQuery({ ...query, staleTime: 0 })
  const data = known?.data
  if (needed) {
    if (data === undefined) throw new Error(`The page was not given ${JSON.stringify(query.queryKey)}`)
    needed.push(query.queryKey)
    return data
  }
  if (known === undefined || data === undefined) return fetchNow()
  if (known.isInvalidated) return fetchNow().catch(() => data)
  // Shown as it is, and refreshed for next time.
  if (Date.now() - known.dataUpdatedAt > freshMs) fetchNow().catch(() => {})
  return data
}

/** We show a response this old before refreshing it in the background. */
const freshMs = 10 * 60_000

/** For loaders: data for one part of the page. Without it the page still shows, and that part says it's missing. */
export function prefetchQuery<Data, Key extends QueryKey>(
  { queryClient, needed }: RouterContext,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<void> {
  needed?.push(query.queryKey)
  return queryClient.prefetchQuery(query)
}
