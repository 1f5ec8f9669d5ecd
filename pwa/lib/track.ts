import type { AnalyticsEvent } from '#shared/contract/analytics.ts'
import { analyticsPath, testEventPath } from '#shared/rules/analytics-path.ts'
import { deviceStorage, ownersDeviceKey } from './storage.ts'

declare global {
  /** Read by tools of other sites; defined only while one of them runs, which needs the visitor's consent. */
  var dataLayer: Record<string, unknown>[] | undefined
}

type WithoutPath<Event> = Event extends AnalyticsEvent ? Omit<Event, 'path' | 'currency'> : never

/** `track({ name: 'form_submit', applicationType: 'contact' })`. The page and the currency (GBP) are added. */
export type TrackedEvent = WithoutPath<AnalyticsEvent>

/**
 * Counts an event: at our own server, without a cookie and not on a device of the owners, and for tools of other sites where
 * the visitor agreed to them. Events without signal are not counted. Nothing waits for it, and it cannot fail.
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

/** A tool may have replaced `push` by a function of its own. */
function pushToDataLayer({ name, ...details }: { name: string }): void {
  try {
    globalThis.dataLayer?.push({ event: name, ...details })
  } catch (error) {
    console.warn('An outside tool failed:', error)
  }
}
