/// <reference lib="webworker" />
import { cleanupOutdatedCaches, precacheAndRoute } from 'workbox-precaching'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { backgroundSyncTag } from '#pwa/sync/browser.ts'
import { answerNavigation, forgetOldPages, keepFirstPages, keepSeenPage } from './worker/kept-pages.ts'

declare const self: ServiceWorkerGlobalScope

/** The server's own addresses: never answered from here. */
const isServersOwn = (path: string) => /^\/(api|sandbox|assets|icons|pictures|social|screenshots)(\/|$)/.test(path)

cleanupOutdatedCaches()
precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false, directoryIndex: '' })

self.addEventListener('install', (event) => event.waitUntil(keepFirstPages()))

self.addEventListener('activate', (event) => event.waitUntil(forgetOldPages().then(() => self.clients.claim())))

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.mode !== 'navigate' || origin !== self.location.origin || isServersOwn(pathname)) return
  event.respondWith(answerNavigation(event, pathname))
})

/** The page tells where its reader went, and asks for the new version once he has said yes to it. */
self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') self.skipWaiting()
  if (event.data?.type === 'page-seen') event.waitUntil(keepSeenPage(new URL(event.data.path, self.origin).pathname))
})

self.addEventListener('sync', (event) => {
  if (event instanceof ExtendableEvent && 'tag' in event && event.tag === backgroundSyncTag) {
    event.waitUntil(flushFromServiceWorker())
  }
})
