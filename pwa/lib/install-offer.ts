import { useSyncExternalStore } from 'react'

/** The browser's offer to add the site to the home screen. TypeScript doesn't know the event. */
type InstallEvent = Event & { prompt: () => Promise<unknown> }

const isInstallEvent = (event: Event): event is InstallEvent => 'prompt' in event && typeof event.prompt === 'function'

let offer: InstallEvent | undefined
const listeners = new Set<() => void>()

function setOffer(next: InstallEvent | undefined): void {
  offer = next
  for (const listener of listeners) listener()
}

/** Stores the browser's offer, which comes early and only once, for the component that shows it. */
export function captureInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    if (isInstallEvent(event)) setOffer(event)
  })
  window.addEventListener('appinstalled', () => setOffer(undefined))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the browser's install dialog; undefined if the browser doesn't offer one. */
export function useInstallPrompt(): (() => Promise<void>) | undefined {
  const current = useSyncExternalStore(
    subscribe,
    () => offer,
    () => undefined,
  )
  if (!current) return undefined
  return async () => {
    await current.prompt()
    setOffer(undefined)
  }
}
