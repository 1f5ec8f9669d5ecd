import { useSyncExternalStore } from 'react'

/** Whether the device has a network. Only a request can tell whether it reaches our server. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  )

function watchConnection(changed: () => void): () => void {
  const change = (how: 'addEventListener' | 'removeEventListener') => {
    for (const name of ['online', 'offline'] as const) window[how](name, changed)
  }
  change('addEventListener')
  return () => change('removeEventListener')
}
