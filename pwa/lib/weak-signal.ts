import { useSyncExternalStore } from 'react'

/** What has not answered by then counts as no signal for now: what the phone holds is shown, and renewed behind it. */
const patienceMs = 1_000

/** The requests that are late now. */
const overdue = new Set<object>()
const listeners = new Set<() => void>()

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** Follows a request of the app until it is answered. Only reading counts: a payment may take its time. */
export function watchResponse(init: RequestInit, response: Promise<Response>): Promise<Response> {
  if ((init.method ?? 'GET') !== 'GET') return response
  const request = {}
  const timer = setTimeout(() => {
    overdue.add(request)
    notifyListeners()
  }, patienceMs)
  const settle = (hasResponse: boolean) => {
    clearTimeout(timer)
    // The signal is back, whatever else is still on its way.
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

/** Whether something that was asked for has not come for a second. */
export const useIsSignalWeak = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => overdue.size > 0,
    () => false,
  )
