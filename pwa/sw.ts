/// <reference lib="webworker" />
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { backgroundSyncTag } from '#pwa/sync/browser-platform.ts'
import { answerAsset, forgetOldAppFiles, hasAppFiles, keepAppFiles } from './worker/app-files.ts'
import { answerNavigation, forgetOldPages, isAppPath, keepFirstPages, keepSeenPage } from './worker/kept-pages.ts'

declare const self: ServiceWorkerGlobalScope

/** The server's own addresses: never answered from here. */
const isServersOwn = (path: string) =>
  /^\/(api|sandbox|assets|icons|pictures|social|screenshots)(\/|$)|^\/(rss|sitemap)\.xml$|^\/robots\.txt$/.test(path)

cleanupOutdatedCaches()
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' })
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  ({ request }) => answerAsset(request),
)

/** Screens of the app, and the pages whose forms are kept on this device when there is no signal. */
const needsAppFiles = (path: string) =>
  isAppPath(path) || /^\/(contact|coaching-application|book-coaching-call)$/.test(path)

const install = async () => {
  const open = await keepFirstPages()
  if (open.some(needsAppFiles) || (await hasAppFiles())) await keepAppFiles()
}

const activate = async () => {
  await Promise.all([forgetOldPages(), forgetOldAppFiles()])
  await self.clients.claim()
}

self.addEventListener('install', (event) => event.waitUntil(install()))

self.addEventListener('activate', (event) => event.waitUntil(activate()))

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.mode !== 'navigate' || origin !== self.location.origin || isServersOwn(pathname)) return
  if (needsAppFiles(pathname)) event.waitUntil(keepAppFiles().catch(() => {}))
  event.respondWith(answerNavigation(event, pathname))
})

/** The page tells where its reader went, and asks for the new version once he has said yes to it. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') self.skipWaiting()
  if (event.data?.type !== 'page-seen') return
  const { pathname } = new URL(event.data.path, self.origin)
  if (needsAppFiles(pathname)) event.waitUntil(keepAppFiles().catch(() => {}))
  if (!isAppPath(pathname)) event.waitUntil(keepSeenPage(pathname).catch(() => {}))
})

self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent && 'tag' in event && event.tag === backgroundSyncTag) {
    event.waitUntil(flushFromServiceWorker())
  }
})
