/// <reference lib="webworker" />

// Weighed against workbox-strategies with its expiration and update plugins: 2.6 kB, where this file is 0.9, and each rule
// below (the build's header, the shell's key, the fetch that revalidates, the tag that is compared) would be a plugin.

declare const self: ServiceWorkerGlobalScope

/** Set by the build: which build this is, and which paths the browser renders itself, with $ before what varies. */
declare const __BUILD__: string
declare const __APP_PATHS__: string[]

/** Pages name the chunks of their build, so each build has its own cache. */
const prefix = 'pages-'
const cacheName = prefix + __BUILD__

/** Header and footer, with room for what the browser renders. */
const shellPath = '/app-shell'

/** Where the network needs longer than this, the shell is better than waiting. */
const networkTimeoutMs = 8_000

const appPath = new RegExp(
  `^(${__APP_PATHS__.map((path) => path.replace(/[.*+?^()[\]{}|\\]/g, '\\$&').replace(/\$[^/]*/g, '[^/]+')).join('|')})/?$`,
)

/** Whether the browser renders this path by itself. */
export const isAppPath = (path: string) => appPath.test(path)

/**
 * Caches the shell, without which this worker is of no use, the pages that the version before had, and those that are open
 * now, whose paths it returns.
 */
export async function cacheFirstPages(): Promise<string[]> {
  // Looked up before anything is fetched: the visitor may be about to leave the first page.
  const open = await openPaths()
  const cache = await caches.open(cacheName)
  await cache.add(shellPath)
  const seen = await Promise.all((await oldCaches()).map(async (name) => (await caches.open(name)).keys()))
  await cachePages([...seen.flat().map(pathOf), ...open])
  return open
}

/** What is open by now: another page may have been opened while this worker was being installed. */
export const cacheOpenPages = async () => cachePages(await openPaths())

async function openPaths(): Promise<string[]> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return open.map(pathOf)
}

const pathOf = ({ url }: { url: string }) => new URL(url).pathname

/** One after the other: the signal may be weak. */
async function cachePages(paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths))
    if (path !== shellPath && !isAppPath(path)) await cacheSeenPage(path).catch(() => {})
}

/** A page that was never requested by a navigation, since the app's router went there by itself. */
export async function cacheSeenPage(path: string): Promise<void> {
  const cache = await caches.open(cacheName)
  if (!(await cache.match(path))) await revalidatePage(path)
}

const oldCaches = async () => (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)

export async function deleteOldPages(): Promise<void> {
  await Promise.all((await oldCaches()).map((name) => caches.delete(name)))
}

/** The app's shell and pages seen before come from the cache and are revalidated; everything else from the network. */
export async function respondToNavigation(event: FetchEvent, pathname: string): Promise<Response> {
  const path = isAppPath(pathname) ? shellPath : pathname
  const cache = await caches.open(cacheName)
  const cached = await cache.match(path)
  if (!cached) return fromNetwork(event, path)
  event.waitUntil(revalidateAndNotify(event, path, cached))
  return cached
}

async function fromNetwork(event: FetchEvent, path: string): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), networkTimeoutMs)
  try {
    const response = await fetch(event.request, { signal: timeout.signal })
    // The visitor sees the page as it arrives, whether it can be cached or not, as on a full phone.
    event.waitUntil(cachePage(path, response.clone()).catch(() => {}))
    return response
  } catch {
    // The router knows every path: it shows the page, or says that there is no signal.
    const shell = await caches.match(shellPath, { cacheName })
    return shell ?? Response.error()
  } finally {
    clearTimeout(timer)
  }
}

/** The pages read last; older ones are deleted. */
const maxPages = 60

/** Caches whole pages and the shell of this very build and nothing else; returns whether this response was cached. */
async function cachePage(path: string, response: Response): Promise<boolean> {
  const kind = response.headers.get('x-page')
  const isOfThisBuild = response.headers.get('x-build') === __BUILD__
  const isCacheable = response.ok && isOfThisBuild && kind === (path === shellPath ? 'shell' : 'page')
  const cache = await caches.open(cacheName)
  const shownBefore = lookOf(await cache.match(shellPath))
  const look = lookOf(response)
  if (isCacheable) {
    const movedFrom = response.headers.get('x-moved-from')?.split(' ') ?? []
    await cache.put(path, response)
    for (const before of movedFrom) await cache.put(before, Response.redirect(path, 301))
    if (look !== shownBefore) await (path === shellPath ? renewOtherLooks(cache, look) : revalidatePage(shellPath))
    const others = (await cache.keys()).filter(({ url }) => ![path, shellPath].includes(new URL(url).pathname))
    for (const oldest of others.slice(0, Math.max(0, others.length + 2 - maxPages))) await cache.delete(oldest)
  } else if (kind === 'missing') await cache.delete(path)
  return isCacheable
}

/** Names the look of the brand; a page of the shipped one names none. */
const lookOf = (response: Response | undefined) => response?.headers.get('x-look') ?? ''

/** Once the shell has another look, so do all pages: none may show the old name and colours without signal. */
async function renewOtherLooks(cache: Cache, look: string): Promise<void> {
  for (const request of await cache.keys()) {
    if (lookOf(await cache.match(request)) !== look) await revalidatePage(pathOf(request)).catch(() => {})
  }
}

/** The tag of the page that is cached now; null where the response was not: another build's, or a Wi-Fi sign-in page. */
async function revalidatePage(path: string): Promise<string | null> {
  const response = await fetch(path, { cache: 'no-cache', credentials: 'same-origin' })
  const etag = response.headers.get('etag')
  // A page that was fetched by an address it had before: browsers refuse what was redirected, so what is stored is made anew.
  if (response.redirected) return cachePage(pathOf(response), new Response(response.body, response)).then(() => null)
  return (await cachePage(path, response)) ? etag : null
}

/** The pages that have not asked yet whether what they show is old, each by its client's id. */
const renewedName = 'renewed'
const noteOf = (clientId: string) => `/renewed/${clientId}`

/** Kept in a cache, since a browser ends an idle worker sooner than a slow phone has run a page's scripts. */
async function noteRenewed(clientId: string): Promise<void> {
  const notes = await caches.open(renewedName)
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const current = new Set(open.map(({ id }) => noteOf(id)))
  for (const note of await notes.keys()) if (!current.has(pathOf(note))) await notes.delete(note)
  await notes.put(noteOf(clientId), new Response())
}

/** Tells a page that listens only now what it was told while it did not. */
export async function notifyLateListener(client: Client): Promise<void> {
  const notes = await caches.open(renewedName)
  if (await notes.delete(noteOf(client.id))) client.postMessage({ type: 'page-renewed' })
}

/** Notifies the page that what it shows has changed on the server. */
async function revalidateAndNotify({ resultingClientId }: FetchEvent, path: string, cached: Response): Promise<void> {
  const etag = await revalidatePage(path).catch(() => null)
  if (etag === null || etag === cached.headers.get('etag')) return
  const renewed = await caches.match(path, { cacheName })
  // The page may not listen yet; of another look it asks by itself.
  if (lookOf(renewed) === lookOf(cached)) await noteRenewed(resultingClientId)
  const client = await self.clients.get(resultingClientId)
  client?.postMessage({ type: lookOf(renewed) === lookOf(cached) ? 'page-renewed' : 'look-renewed' })
}

/** Tells a page that shows another look than the one that is cached for its path. */
export async function notifyOfOtherLook(client: Client, { path, look }: { path: string; look: string }): Promise<void> {
  const cached = await caches.match(isAppPath(path) ? shellPath : path, { cacheName })
  if (cached && lookOf(cached) !== look) client.postMessage({ type: 'look-renewed' })
}
