// Answers the page and its script from what it kept, and nothing more.
const paths = ['/', '/plain-list.js']
const keep = async () => (await caches.open('plain-list')).addAll(paths)

self.addEventListener('install', (event) => event.waitUntil(keep()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (paths.includes(pathname)) event.respondWith(caches.match(pathname))
})
