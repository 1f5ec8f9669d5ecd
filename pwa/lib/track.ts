import type { AnalyticsEvent } from '#shared/contract/analytics.ts'
import { analyticsPath } from '#shared/rules/analytics-path.ts'

declare global {
  /** Where outside tools read what happens; there only while one of them runs, which needs the visitor's consent. */
  var dataLayer: Record<string, unknown>[] | undefined
}

type WithoutPath<Event> = Event extends AnalyticsEvent ? Omit<Event, 'path' | 'currency'> : never

/** `track({ name: 'form_submit', applicationType: 'contact' })`. The page and the currency (GBP) are added. */
export type Happening = WithoutPath<AnalyticsEvent>

/**
 * Counts something that has happened: at our own server, without a cookie, and for outside tools where the visitor agreed
 * to them. What happens without signal is not counted; nothing waits for it, and it cannot fail.
 */
export const track = (happening: Happening, path: string = globalThis.location.pathname) => {
  const event = {
    ...happening,
    path: analyticsPath(path),
    ...(happening.name === 'purchase' ? { currency: 'GBP' } : {}),
  }
  send(event)
  hand(event)
}

const send = (event: object) => {
  const init: RequestInit = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
    credentials: 'omit',
    keepalive: true,
  }
  if (navigator.onLine) fetch('/api/analytics/events', init).catch(() => {})
}

/** A tool may have put a function of its own in the place of `push`. */
const hand = ({ name, ...details }: { name: string }) => {
  try {
    globalThis.dataLayer?.push({ event: name, ...details })
  } catch (error) {
    console.warn('An outside tool failed:', error)
  }
}
