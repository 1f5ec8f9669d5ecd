import { useSyncExternalStore } from 'react'

/** The browser's offer to put the site on the home screen; not in TypeScript's list of events. */
type InstallEvent = Event & { prompt: () => Promise<unknown> }

const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event && typeof event.prompt === 'function'

let offer: InstallEvent | undefined
const listeners = new Set<() => void>()

const change = (next: InstallEvent | undefined) => {
  offer = next
  for (const listener of listeners) listener()
}

/** Keeps the browser's offer, which comes once and early, for the place that shows it. */
export const keepInstallOffer = () => {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (isInstallEvent(event)) change(event)
  })
  window.addEventListener('appinstalled', () => change(undefined))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the browser's own question; none where the browser makes no offer. */
export const useInstall = () => {
  const current = useSyncExternalStore(
    subscribe,
    () => offer,
    () => undefined,
  )
  if (!current) return undefined
  return async () => {
    await current.prompt()
    change(undefined)
  }
}

/** An iPad calls itself a Macintosh; no Mac has a touch screen. */
const isAppleTouch = () =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

/** iPhones and iPads make no offer: people add the site by hand, from Safari's share menu. */
export const needsHandInstall = () => isAppleTouch() && !window.matchMedia('(display-mode: standalone)').matches
