import { deviceStorage } from './storage.ts'

const eventName = 'alliance:page-view'

let lastReported: string | undefined

/** Announces that a page is now in view. Call it once for each route change. */
export function reportPageView(path: string): void {
  lastReported = path
  window.dispatchEvent(new CustomEvent(eventName, { detail: path }))
}

export const isPageReported = () => lastReported === window.location.pathname

export function onPageView(listener: (path: string) => void): () => void {
  const onEvent = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') listener(event.detail)
  }
  window.addEventListener(eventName, onEvent)
  return () => window.removeEventListener(eventName, onEvent)
}

const isReturning = () => deviceStorage.keys().length > 0

/**
 * Calls `begin` as soon as the app may have updates: straight away, except on the first public page of a first visit. Nothing can
 * be newer there, so we load the update code with the next page view. Until then the page's own script (`pwa/inline/visit.ts`) has
 * registered the service worker.
 */
export function whenUpdatesArePossible(begin: () => void): () => void {
  const worker = navigator.serviceWorker
  const isFirstPage = document.getElementById('root')?.dataset.page === 'page'
  if (!isFirstPage || !worker || worker.controller || isReturning()) {
    begin()
    return () => {}
  }
  return onPageView(begin)
}
