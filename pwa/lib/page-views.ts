import { deviceStorage, tabStorage } from './storage.ts'

const eventName = 'alliance:page-view'

let lastReported: string | undefined

/** Announces that a page is now in view; called once for each change of route. */
export function reportPageView(path: string): void {
  lastReported = path
  window.dispatchEvent(new CustomEvent(eventName, { detail: path }))
}

/** Whether the page that is in view has been announced. */
export const isPageReported = () => lastReported === window.location.pathname

/** Listens to page views; returns a function that unsubscribes. */
export function onPageView(listener: (path: string) => void): () => void {
  const onEvent = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') listener(event.detail)
  }
  window.addEventListener(eventName, onEvent)
  return () => window.removeEventListener(eventName, onEvent)
}

/** The pages that this tab showed before there was a service worker to cache them; they may be left while it installs. */
const uncachedKey = 'uncached-pages'

function takeUncachedPages(): string[] {
  const paths = tabStorage.getItem(uncachedKey)?.split(' ') ?? []
  tabStorage.removeItem(uncachedKey)
  return paths
}

/** The tab's history too: a browser may lose what a page stored just before it was left. */
const historyPaths = () => window.navigation?.entries().flatMap(({ url }) => (url ? [new URL(url).pathname] : [])) ?? []

/** Tells the service worker those pages, once. */
export function reportUncachedPages({ controller }: ServiceWorkerContainer): void {
  const uncached = controller ? takeUncachedPages() : []
  if (uncached.length === 0) return
  for (const path of new Set([...historyPaths(), ...uncached])) controller?.postMessage({ type: 'page-seen', path })
}

const isReturning = () => deviceStorage.keys().length > 0

/**
 * Calls `begin` as soon as there may be updates of the app: at once, except on the first public page of a first visit.
 * Nothing can be newer there, so everything that follows the service worker is loaded with the next page view.
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
  worker.addEventListener('controllerchange', () => reportUncachedPages(worker))
  return onPageView(begin)
}
