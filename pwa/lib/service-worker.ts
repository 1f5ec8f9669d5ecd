import { Workbox } from 'workbox-window'
import { noteUnloads } from './leaving.ts'
import { onPageView } from './page-views.ts'
import { reloadWhenSafe } from './reload.ts'
import { reportUncachedPages } from './uncached-pages.ts'

type UpdateListeners = {
  /** The look of the page on screen. */
  look: string
  onWaiting: (load: () => void) => void
  onRenewed: () => void
}

const updateIntervalMs = 60 * 60_000

/** A browser may keep the old version active while it still has work, and activate the new one only when the page is gone. */
const activationTimeoutMs = 4_000

/** If the page is still there after each of these waits, we load it again. */
const reloadAgainAfterMs = [5_000, 10_000]

/**
 * Chromium may never answer a navigation that starts just as one service worker takes over from another (2 of 8 on a busy machine,
 * Chromium 156: the new worker is active, but never asked). The next navigation gets through.
 */
function reloadUntilGone(): void {
  window.location.reload()
  for (const wait of reloadAgainAfterMs) setTimeout(() => reloadWhenSafe(() => window.location.reload()), wait)
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) run()
    isDone = true
  }
}

/** Waits for a worker that's still on its way. */
async function postToWorker(message: object): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage(message)
}

/**
 * Checks an hour after the last check, and when the visitor returns to the page after that. On an iPhone, a home screen app is
 * suspended for days with its timers, and never navigates.
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

/** The new version, once this page's visitor has agreed to it. */
function createUpdate(worker: Workbox) {
  let isLoading = false
  let stopNoting = () => {}
  const reload = once(() =>
    reloadWhenSafe(() => {
      stopNoting()
      reloadUntilGone()
    }),
  )
  const load = () => {
    isLoading = true
    stopNoting = noteUnloads()
    worker.messageSkipWaiting()
    setTimeout(reload, activationTimeoutMs)
  }
  return { load, reload, isLoading: () => isLoading }
}

/** Registers the service worker, tells it which pages are shown, and reports updates; returns a function that stops it. */
export function followServiceWorker({ look, onWaiting, onRenewed }: UpdateListeners): () => void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return () => {}
  const worker = new Workbox('/sw.js')
  const update = createUpdate(worker)
  worker.addEventListener('waiting', async ({ sw }) => {
    const { active } = (await navigator.serviceWorker.getRegistration()) ?? {}
    // In Firefox a second page that opens while the first version installs finds it waiting. There's nothing it would replace.
    if (active && active !== sw) onWaiting(update.load)
  })
  // Other tabs receive this too, but only the one whose visitor agreed reloads. The visitor may have started a form since.
  worker.addEventListener('controlling', () => update.isLoading() && update.reload())
  const onMessage = ({ data }: MessageEvent) => {
    if (data?.type === 'page-renewed') onRenewed()
    // The brand's name and colours are all over the document, so we reload it.
    if (data?.type === 'look-renewed') reloadWhenSafe(() => window.location.reload())
  }
  navigator.serviceWorker.addEventListener('message', onMessage)
  // In a task of its own, since the same page change may activate the new version, and a busy worker would delay that.
  const reportPage = (path: string) => setTimeout(() => update.isLoading() || postToWorker({ type: 'page-seen', path }))
  const stopReporting = onPageView(reportPage)
  // The open page may be older than this listener, and older than the worker.
  const reportThisPage = () => {
    reportPage(window.location.pathname)
    // The worker may have announced another look before this page was listening.
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
