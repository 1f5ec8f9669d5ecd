import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useQueryState } from '#pwa/lib/use-query-state.ts'
import type { Health } from '#shared/contract/health.ts'
import { healthQuery } from './ask-for-health.ts'

const everyMs = 5_000

/** How the server says it is: asked at once, and again every five seconds while the page is looked at. */
export const useHealth = () => {
  const client = useQueryClient()
  const state = useQueryState<Health>(healthQuery.queryKey)
  useEffect(() => {
    const ask = () => {
      if (!document.hidden) client.prefetchQuery(healthQuery)
    }
    ask()
    const timer = setInterval(ask, everyMs)
    document.addEventListener('visibilitychange', ask)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', ask)
    }
  }, [client])
  return {
    health: state?.data,
    isError: state?.status === 'error',
    isAsking: state?.fetchStatus === 'fetching',
    askAgain: () => client.fetchQuery(healthQuery),
  }
}
