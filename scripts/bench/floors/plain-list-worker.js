// Serves the page and its script from the cache, and does nothing else.
const paths = ['/', '/plain-list.js']
const cachePaths = async () => (await caches.open('plain-list')).addAll(paths)

self.addEventListener('install', (event) => event.waitUntil(cachePaths()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (paths.includes(pathname)) event.respondWith(caches.match(pathname))
})
