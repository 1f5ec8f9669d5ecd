import { deviceStorage, tabStorage } from './storage.ts'

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

/** Pages this tab showed before a service worker could cache them. The visitor may leave them while it installs. */
const uncachedKey = 'uncached-pages'

function takeUncachedPages(): string[] {
  const paths = tabStorage.getItem(uncachedKey)?.split(' ') ?? []
  tabStorage.removeItem(uncachedKey)
  return paths
}

/** Uses the tab's history too: a browser may lose what a page stored just before it was left. */
const historyPaths = () => window.navigation?.entries().flatMap(({ url }) => (url ? [new URL(url).pathname] : [])) ?? []

/**
 * Reports to the worker once it's active, which may be long after this page opened. It needn't control the page: one that was
 * requested before the worker came, and answered after, isn't claimed.
 */
export async function reportUncachedPages(container: ServiceWorkerContainer): Promise<void> {
  const { active } = await container.ready
  const uncached = takeUncachedPages()
  if (uncached.length === 0) return
  for (const path of new Set([...historyPaths(), ...uncached])) active?.postMessage({ type: 'page-seen', path })
}

const isReturning = () => deviceStorage.keys().length > 0

/**
 * Calls `begin` as soon as the app may have updates: straight away, except on the first public page of a first visit. Nothing can
 * be newer there, so we load the update code with the next page view. Until then this registers the service worker itself and
 * notes the page, which the worker caches once it's in control.
 */
export function whenUpdatesArePossible(begin: () => void): () => void {
  const worker = navigator.serviceWorker
  const isFirstPage = document.getElementById('root')?.dataset.page === 'page'
  if (!isFirstPage || !worker || worker.controller || isReturning()) {
    begin()
    return () => {}
  }
  if (import.meta.env.PROD) worker.register('/sw.js').catch((error) => console.warn('No service worker:', error))
  tabStorage.setItem(uncachedKey, [...takeUncachedPages(), window.location.pathname].join(' '))
  reportUncachedPages(worker).catch(reportError)
  return onPageView(begin)
}
