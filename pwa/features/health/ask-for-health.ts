import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '#pwa/lib/api.ts'
import { Health } from '#shared/contract/health.ts'

const everyMs = 5_000

/** Asked again every five seconds, while the page is looked at. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => ask(Health, api.api.health.get()),
  refetchInterval: everyMs,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
  networkMode: 'always',
  staleTime: 0,
})
