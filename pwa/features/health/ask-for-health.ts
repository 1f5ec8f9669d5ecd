import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '#pwa/lib/api.ts'
import { Health } from '#shared/contract/health.ts'

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => ask(Health, api.api.health.get()),
  networkMode: 'always',
  staleTime: 0,
})
