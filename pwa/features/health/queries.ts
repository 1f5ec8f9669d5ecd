import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { useQueryState } from '#pwa/lib/use-query-state.ts'
import { Health } from '#shared/contract/health.ts'
import { healthKey } from './health-skeleton.tsx'

const healthQuery = queryOptions({
  queryKey: healthKey,
  queryFn: () => parseResponse(Health, api.api.health.get()),
  staleTime: 0,
})

const everyMs = 5_000

/** The server's health: requested at once, and again every five seconds while the page is visible. */
export function useHealth() {
  const client = useQueryClient()
  const state = useQueryState<Health>(healthQuery.queryKey)
  useEffect(() => {
    const refresh = () => {
      if (!document.hidden) client.prefetchQuery(healthQuery)
    }
    refresh()
    const timer = setInterval(refresh, everyMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [client])
  return {
    health: state?.data,
    isError: state?.status === 'error',
    isFetching: state?.fetchStatus === 'fetching',
    fetchNow: () => client.fetchQuery(healthQuery),
  }
}
