/// <reference lib="webworker" />
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { backgroundSyncTag } from '#pwa/sync/browser-platform.ts'
import { cacheAppFiles, deleteOldAppFiles, hasAppFiles, respondWithAsset } from '#pwa/worker/app-files.ts'
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

declare const self: ServiceWorkerGlobalScope

/** Addresses that only the server may respond to. */
const isServerPath = (path: string) =>
  /^\/(api|sandbox|media|photographs|assets|icons|pictures|social|screenshots)(\/|$)|^\/(rss|sitemap)\.xml$|^\/robots\.txt$/.test(
    path,
  )

cleanupOutdatedCaches()
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' })
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  ({ request }) => respondWithAsset(request),
)

/** Screens of the app, and the pages whose forms are stored on this device while there is no signal. */
const needsAppFiles = (path: string) =>
  isAppPath(path) || /^\/(contact|coaching-application|book-coaching-call)$/.test(path)

type Route = { condition: { urlPattern: string }; source: 'cache' | 'network' }
type RoutingEvent = ExtendableEvent & { addRoutes(routes: readonly Route[]): Promise<void> }
/**
 * Where the browser looks built files up by itself, and asks the network for what is in no cache, none of them waits for this
 * worker; nor does the API, which it leaves alone anyway. A version that is to be replaced is not woken by them either: it
 * would stay for half a minute more. TypeScript has no type for it; the others are served by the two routes above.
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
  // Not awaited: no page is served before the activation has ended.
  cacheOpenPages().catch(() => {})
}

self.addEventListener('install', (event) => {
  if (canRoute(event)) event.waitUntil(event.addRoutes(routes))
  event.waitUntil(install())
})

self.addEventListener('activate', (event) => event.waitUntil(activate()))

self.addEventListener('fetch', (event) => {
  const { pathname, origin, searchParams } = new URL(event.request.url)
  // What an owner has not published is on the server alone.
  if (searchParams.has('preview')) return
  if (event.request.mode !== 'navigate' || origin !== self.location.origin || isServerPath(pathname)) return
  if (needsAppFiles(pathname)) event.waitUntil(cacheAppFiles().catch(() => {}))
  event.respondWith(respondToNavigation(event, pathname))
})

/** The page reports where the visitor went, and requests the new version once they have agreed to load it. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') self.skipWaiting()
  if (event.data?.type === 'look-shown' && event.source instanceof Client) {
    event.waitUntil(notifyOfOtherLook(event.source, event.data))
    event.waitUntil(notifyLateListener(event.source))
  }
  if (event.data?.type !== 'page-seen') return
  const { pathname } = new URL(event.data.path, self.origin)
  if (needsAppFiles(pathname)) event.waitUntil(cacheAppFiles().catch(() => {}))
  if (!isAppPath(pathname)) event.waitUntil(cacheSeenPage(pathname).catch(() => {}))
})

self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent && 'tag' in event && event.tag === backgroundSyncTag) {
    event.waitUntil(flushFromServiceWorker())
  }
})
