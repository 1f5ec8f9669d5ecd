import { reportUncachedPages } from '#pwa/lib/uncached-pages.ts'

/** Blocked storage has none. */
function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch (_) {
    return []
  }
}

/** Something is stored on this device that the app looks after: a login, a draft, a form to send. */
export const isKnownDevice = (): boolean => storedKeys().length > 0

/** In a first visit: for times without signal. */
export async function keepForLater(): Promise<void> {
  const worker = navigator.serviceWorker
  if (!worker || worker.controller) return
  worker.register('/sw.js').catch((error: unknown) => console.warn('No service worker:', error))
  await nextTask()
  reportUncachedPages(worker, location.pathname).catch(reportError)
}

/** Lets the page respond to a press in between. */
export const nextTask = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** As `track` does. The server takes out of the path what could point at a person, and the key is `ownersDeviceKey` of our storage. */
export function countView(): void {
  if (!navigator.onLine || storedKeys().includes('owners-device')) return
  const from = new URLSearchParams(location.search).get('utm_source') || document.referrer
  fetch('/api/analytics/events', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'page_view', from, path: location.pathname }),
    credentials: 'omit',
    keepalive: true,
  }).catch(() => {})
}
