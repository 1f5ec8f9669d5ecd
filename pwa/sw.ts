/// <reference lib="webworker" />
import '#pwa/lib/stand-ins.ts'

import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { forgetOldShared } from '#pwa/lib/shared-cache.ts'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { backgroundSyncTag, createBrowserPlatform, shelfSyncTag } from '#pwa/sync/browser-platform.ts'
import { fetchFromServiceWorker } from '#pwa/sync/shelf/background.ts'
import { browserPieceFiles } from '#pwa/sync/shelf/piece-files.ts'
import { createKeptServer } from '#pwa/sync/shelf/serve.ts'
import { cacheAppFiles, deleteOldAppFiles, hasAppFiles, respondWithAsset } from '#pwa/worker/app-files.ts'
import { openPressed, showPush } from '#pwa/worker/notices.ts'
import {
  cacheFirstPages,
  cacheOpenPages,
  cacheSeenPage,
  deleteOldPages,
  isAppPath,
  notifyLateListener,
  notifyOfOtherLook,
  respondToNavigation,
} from '#pwa/worker/page-cache.ts'
import { sharePath, takeFromShareSheet } from '#pwa/worker/share-target.ts'

declare const self: ServiceWorkerGlobalScope

/** Addresses only the server can respond to. */
const isServerPath = (path: string) =>
  /^\/(api|\.well-known|sandbox|media|photographs|assets|icons|pictures|social|screenshots)(\/|$)|^\/(rss|sitemap)\.xml$|^\/robots\.txt$/.test(
    path,
  )

cleanupOutdatedCaches()
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' })
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  ({ request }) => respondWithAsset(request),
)

/** The app's screens, and pages whose forms we store on this device without signal. */
const needsAppFiles = (path: string) =>
  isAppPath(path) || /^\/(contact|coaching-application|book-coaching-call)$/.test(path)

type Route = { condition: { urlPattern: string }; source: 'cache' | 'network' }
type RoutingEvent = ExtendableEvent & { addRoutes(routes: readonly Route[]): Promise<void> }
/**
 * Where browsers support it, built files come straight from the cache or the network, without waiting for this worker. So does the
 * API, which the worker leaves alone anyway. They don't wake an outgoing version either, which would stay active for another half
 * minute. TypeScript has no type for it; the two routes above serve the other browsers.
 */
const routes: readonly Route[] = [
  { condition: { urlPattern: '/assets/*' }, source: 'cache' },
  { condition: { urlPattern: '/api/*' }, source: 'network' },
]
const canRoute = (event: ExtendableEvent): event is RoutingEvent => 'addRoutes' in event

async function install(): Promise<void> {
  const open = await cacheFirstPages()
  if (open.some(needsAppFiles) || (await hasAppFiles())) await cacheAppFiles()
}

async function activate(): Promise<void> {
  await Promise.all([deleteOldPages(), deleteOldAppFiles()])
  await self.clients.claim()
  // Not awaited: no page is served until the activation has ended.
  cacheOpenPages().catch(() => {})
}

self.addEventListener('install', (event) => {
  if (canRoute(event)) event.waitUntil(event.addRoutes(routes))
  event.waitUntil(install())
})

self.addEventListener('activate', (event) => event.waitUntil(activate()))

const respondWithKept = createKeptServer(createBrowserPlatform(), browserPieceFiles())

self.addEventListener('fetch', (event) => {
  const { pathname, origin, searchParams } = new URL(event.request.url)
  if (origin === self.location.origin && pathname.startsWith('/kept/')) {
    event.respondWith(respondWithKept(event.request))
    return
  }
  // Only the server has what an owner hasn't published.
  if (searchParams.has('preview')) return
  if (event.request.method === 'POST' && origin === self.location.origin && pathname === sharePath) {
    event.respondWith(takeFromShareSheet(event.request))
    return
  }
  // A form that was sent before the app has started goes to the server.
  if (event.request.method !== 'GET') return
  if (event.request.mode !== 'navigate' || origin !== self.location.origin || isServerPath(pathname)) return
  if (needsAppFiles(pathname)) event.waitUntil(cacheAppFiles().catch(() => {}))
  event.respondWith(respondToNavigation(event, pathname))
})

/** The page reports where the visitor went, and asks for the new version once they've agreed to load it. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') self.skipWaiting()
  if (event.data?.type === 'look-shown' && event.source instanceof Client) {
    event.waitUntil(notifyOfOtherLook(event.source, event.data))
    event.waitUntil(notifyLateListener(event.source))
  }
  if (event.data?.type !== 'page-seen') return
  // The page may have been requested before this worker came, and have opened after it claimed the others.
  event.waitUntil(self.clients.claim())
  event.waitUntil(forgetLeftShares().catch(() => {}))
  const { pathname } = new URL(event.data.path, self.origin)
  if (needsAppFiles(pathname)) event.waitUntil(cacheAppFiles().catch(() => {}))
  if (!isAppPath(pathname)) event.waitUntil(cacheSeenPage(pathname).catch(() => {}))
})

/** A page that asks has come back to them, and takes them all. */
async function forgetLeftShares(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' })
  if (!pages.some(({ url }) => new URL(url).pathname === '/members/ask')) await forgetOldShared()
}

self.addEventListener('push', (event) => event.waitUntil(showPush(event.data)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openPressed(event.notification)))

self.addEventListener('sync', (event) => {
  if (!(event instanceof ExtendableEvent && 'tag' in event)) return
  if (event.tag === backgroundSyncTag) event.waitUntil(flushFromServiceWorker())
  if (event.tag === shelfSyncTag) event.waitUntil(fetchUntilUpdate())
})

/** A browser keeps a version active that still has work, so this one stops once the next has come. */
async function fetchUntilUpdate(): Promise<void> {
  const { registration } = self
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  registration.addEventListener('updatefound', stop)
  if (registration.waiting) stop()
  try {
    await fetchFromServiceWorker(stopping.signal)
  } finally {
    registration.removeEventListener('updatefound', stop)
  }
}
