import { Workbox } from 'workbox-window'
import { onPageView, reportUncachedPages } from './page-views.ts'
import { reloadWhenSafe } from './reload.ts'

type UpdateListeners = {
  /** That of the brand on the page that is shown. */
  look: string
  /** A new version is installed; `load` activates it and reloads this page. */
  onWaiting: (load: () => void) => void
  /** The page that is shown came from the cache, and the server has a newer one. */
  onRenewed: () => void
}

/** How often an open page checks for a new version. */
const updateIntervalMs = 60 * 60_000

/** A browser may keep the old version active while it has work left; once the page is gone, the new one is activated. */
const activationTimeoutMs = 4_000

/** The waits after which a page that is still there is loaded once more. */
const reloadAgainAfterMs = [5_000, 10_000]

/**
 * Chromium may never answer a navigation that begins in the moment in which one version of a worker takes over from the
 * other (2 of 8 on a busy machine, Chromium 156: the new worker is active, and is never asked); the next one gets through.
 */
function reloadUntilGone(): void {
  window.location.reload()
  for (const wait of reloadAgainAfterMs) setTimeout(() => window.location.reload(), wait)
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) run()
    isDone = true
  }
}

const postToWorker = (message: object) => navigator.serviceWorker.controller?.postMessage(message)

/**
 * An hour after the last look, and when somebody comes back to the page after that: an app on the home screen of an iPhone is
 * put aside for days, its timers with it, and never navigates.
 */
function lookForUpdates(look: () => Promise<void>): () => void {
  let lookedAt = Date.now()
  const lookAgain = () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < updateIntervalMs) return
    lookedAt = Date.now()
    look().catch(() => {})
  }
  const timer = setInterval(lookAgain, updateIntervalMs)
  document.addEventListener('visibilitychange', lookAgain)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', lookAgain)
  }
}

/** Registers the service worker, tells it which pages are shown, and reports updates; returns a function that stops it. */
export function followServiceWorker({ look, onWaiting, onRenewed }: UpdateListeners): () => void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return () => {}
  const worker = new Workbox('/sw.js')
  let isLoading = false
  const reload = once(() => reloadWhenSafe(reloadUntilGone))
  const load = () => {
    isLoading = true
    worker.messageSkipWaiting()
    setTimeout(reload, activationTimeoutMs)
  }
  worker.addEventListener('waiting', () => onWaiting(load))
  // Other tabs receive this too, but only the one whose visitor agreed reloads. The visitor may have started a form meanwhile.
  worker.addEventListener('controlling', () => isLoading && reload())
  const onMessage = ({ data }: MessageEvent) => {
    if (data?.type === 'page-renewed') onRenewed()
    // Name and colours of the brand are all over the document, so it is loaded anew.
    if (data?.type === 'look-renewed') reloadWhenSafe(() => window.location.reload())
  }
  navigator.serviceWorker.addEventListener('message', onMessage)
  // In a task of its own, since the same change of page may activate the new version: a busy worker would delay that.
  const reportPage = (path: string) => setTimeout(() => isLoading || postToWorker({ type: 'page-seen', path }))
  const stopReporting = onPageView(reportPage)
  // The page that is open may be older than this listener, and older than the worker.
  const reportThisPage = () => {
    reportPage(window.location.pathname)
    // The worker may have told of another look before this page listened.
    postToWorker({ type: 'look-shown', path: window.location.pathname, look })
    reportUncachedPages(navigator.serviceWorker)
  }
  reportThisPage()
  navigator.serviceWorker.addEventListener('controllerchange', reportThisPage)
  worker.register().catch((error) => console.warn('No service worker:', error))
  const stopLooking = lookForUpdates(() => worker.update())
  return () => {
    stopLooking()
    stopReporting()
    navigator.serviceWorker.removeEventListener('message', onMessage)
    navigator.serviceWorker.removeEventListener('controllerchange', reportThisPage)
  }
}
