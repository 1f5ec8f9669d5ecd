import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useQueryState } from '#pwa/lib/query-client.ts'
import type { Health, HealthHistory } from '#shared/contract/health.ts'
import { healthKey } from './health-skeleton.tsx'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isHealth = (body: unknown): body is Health =>
  isObject(body) &&
  (body.status === 'ok' || body.status === 'error') &&
  typeof body.timestamp === 'string' &&
  isObject(body.services) &&
  Object.values(body.services).every((word) => typeof word === 'string')

/** Without the API client and schemas: they'd double what this page loads, and people open it when things are slow. */
async function requestHealth(): Promise<Health> {
  const response = await fetch('/api/health', { signal: AbortSignal.timeout(30_000) })
  const body: unknown = await response.json()
  if (!response.ok || !isHealth(body)) throw new Error(`${response.status}: not a report of the server's health`)
  return body
}

const healthQuery = queryOptions({ queryKey: healthKey, queryFn: requestHealth, staleTime: 0 })

const isHistory = (body: unknown): body is HealthHistory => isObject(body) && Array.isArray(body.incidents)

async function requestHistory(): Promise<HealthHistory> {
  const response = await fetch('/api/health/history', { signal: AbortSignal.timeout(30_000) })
  const body: unknown = await response.json()
  if (!response.ok || !isHistory(body)) throw new Error(`${response.status}: not a history of the server's health`)
  return body
}

const historyQuery = queryOptions({ queryKey: ['health-history'], queryFn: requestHistory })

/** Undefined until it has come. */
export function useHealthHistory(): HealthHistory | undefined {
  const client = useQueryClient()
  useEffect(() => void client.prefetchQuery(historyQuery), [client])
  return useQueryState<HealthHistory>(historyQuery.queryKey)?.data
}

const everyMs = 5_000

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
