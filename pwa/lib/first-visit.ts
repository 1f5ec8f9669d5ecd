import { onPageView } from './page-views.ts'
import { deviceStorage } from './storage.ts'

const hasBeenHere = () => deviceStorage.keys().length > 0

/**
 * Calls `begin` when there may be news about the app: at once, except on the first public page of a first visit. There
 * nothing can be new yet, so all that follows the service worker comes with the next page view.
 */
export const whenNewsIsPossible = (begin: () => void) => {
  const worker = navigator.serviceWorker
  const isFirstPage = document.getElementById('root')?.dataset.page === 'page'
  if (!isFirstPage || !worker || worker.controller || hasBeenHere()) {
    begin()
    return () => {}
  }
  if (import.meta.env.PROD) worker.register('/sw.js').catch((error) => console.warn('No service worker:', error))
  return onPageView(begin)
}
