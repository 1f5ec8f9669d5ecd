import { useSyncExternalStore } from 'react'

/** If a response takes longer than this, we treat it as no signal for now: show what the phone has, and refresh it later. */
const patienceMs = 1_000

/** Requests that are late right now. */
const overdue = new Set<object>()
const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** Follows a request until its response. Only reads count: a payment may take its time. */
export function watchResponse(init: RequestInit, response: Promise<Response>): Promise<Response> {
  if ((init.method ?? 'GET') !== 'GET') return response
  const request = {}
  const timer = setTimeout(() => {
    overdue.add(request)
    notifyListeners()
  }, patienceMs)
  const settle = (hasResponse: boolean) => {
    clearTimeout(timer)
    // The signal is back, whatever other requests are still pending.
    if (hasResponse) overdue.clear()
    overdue.delete(request)
    notifyListeners()
  }
  response.then(
    () => settle(true),
    () => settle(false),
  )
  return response
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsSignalWeak = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => overdue.size > 0,
    () => false,
  )
