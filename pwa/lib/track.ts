import type { AnalyticsEvent } from '#shared/contract/analytics.ts'
import { analyticsPath, testEventPath } from '#shared/values/analytics-path.ts'
import { deviceStorage, ownersDeviceKey } from './storage.ts'

declare global {
  /** For third-party tools. Defined only while one of them runs, which needs the visitor's consent. */
  var dataLayer: Record<string, unknown>[] | undefined
}

type WithoutPath<Event> = Event extends AnalyticsEvent ? Omit<Event, 'path' | 'currency'> : never

/** `track({ name: 'form_submit', applicationType: 'contact' })`. We add the page and the currency (GBP). */
export type TrackedEvent = WithoutPath<AnalyticsEvent>

/**
 * Counts an event at our own server, without a cookie and not on owners' devices, and for third-party tools if the visitor agreed.
 * Doesn't count events without signal. Nothing waits for it, and it can't fail.
 */
export function track(tracked: TrackedEvent, path: string = globalThis.location.pathname): void {
  const event = {
    ...tracked,
    path: analyticsPath(path),
    ...(tracked.name === 'purchase' ? { currency: 'GBP' } : {}),
  }
  if (path === testEventPath || !deviceStorage.getItem(ownersDeviceKey)) sendToServer(event)
  pushToDataLayer(event)
}

function sendToServer(event: object): void {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
    credentials: 'omit',
    keepalive: true,
  }
  if (navigator.onLine) fetch('/api/analytics/events', init).catch(() => {})
}

/** A tool may have replaced `push` with its own function. */
function pushToDataLayer({ name, ...details }: { name: string }): void {
  try {
    globalThis.dataLayer?.push({ event: name, ...details })
  } catch (error) {
    console.warn('An outside tool failed:', error)
  }
}
