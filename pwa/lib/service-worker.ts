import { Workbox } from 'workbox-window'
import { onPageView } from './page-views.ts'
import { reloadWhenFree } from './reload-when-free.ts'

type News = {
  /** A new version waits; `load` puts it in place and reloads this page. */
  onWaiting: (load: () => void) => void
  /** The page shown came from this device, and the server has a newer one. */
  onRenewed: () => void
}

/** How often an open page asks for a new version. */
const checkEveryMs = 60 * 60_000

/** A browser may keep the old version in charge while that has work left; with the page gone, the new one takes over. */
const activationMs = 4_000

const once = (act: () => void) => {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

const tell = (news: object) => navigator.serviceWorker.controller?.postMessage(news)

/** Registers the service worker, tells it what is seen, and passes on its news; returns how to stop. */
export const followServiceWorker = ({ onWaiting, onRenewed }: News) => {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return () => {}
  const worker = new Workbox('/sw.js')
  let isLoading = false
  const reload = once(() => reloadWhenFree(() => window.location.reload()))
  const load = () => {
    isLoading = true
    worker.messageSkipWaiting()
    setTimeout(reload, activationMs)
  }
  worker.addEventListener('waiting', () => onWaiting(load))
  // Other tabs are told too, but only the one whose reader said yes reloads.
  // It can take its time, in which he may have begun a form.
  worker.addEventListener('controlling', () => isLoading && reload())
  const hear = ({ data }: MessageEvent) => data?.type === 'page-renewed' && onRenewed()
  navigator.serviceWorker.addEventListener('message', hear)
  // In a task of its own, since the same change of page may call in the new version: a busy worker would keep it waiting.
  const tellPage = (path: string) => setTimeout(() => isLoading || tell({ type: 'page-seen', path }))
  const stopTelling = onPageView(tellPage)
  // The page that is open may be older than this listener, and older than the worker.
  const tellThisPage = () => tellPage(window.location.pathname)
  tellThisPage()
  navigator.serviceWorker.addEventListener('controllerchange', tellThisPage)
  worker.register().catch((error) => console.warn('No service worker:', error))
  const timer = setInterval(() => worker.update().catch(() => {}), checkEveryMs)
  return () => {
    clearInterval(timer)
    stopTelling()
    navigator.serviceWorker.removeEventListener('message', hear)
    navigator.serviceWorker.removeEventListener('controllerchange', tellThisPage)
  }
}
