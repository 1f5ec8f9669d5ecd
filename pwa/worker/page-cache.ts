/// <reference lib="webworker" />

import { pageCachePrefix, shellPath } from '#pwa/lib/page-caches.ts'
import { isVoicePath } from '#shared/rules/voice-path.ts'

// Weighed against workbox-strategies with its expiration and update plugins: 2.6 kB, where this file is 0.9, and each rule below
// (the build's header, the shell's key, the revalidation, the ETag check) would be a plugin.

declare const self: ServiceWorkerGlobalScope

/** Set by the build: its id, and the paths the browser renders itself, with $ for variable parts. */
declare const __BUILD__: string
declare const __APP_PATHS__: string[]

/** Pages name their build's chunks, so each build has its own cache. */
const cacheName = pageCachePrefix + __BUILD__

/** If the network takes longer than this, the shell is better than waiting. */
const networkTimeoutMs = 8_000

const appPath = new RegExp(
  `^(${__APP_PATHS__.map((path) => path.replace(/[.*+?^()[\]{}|\\]/g, '\\$&').replace(/\$[^/]*/g, '[^/]+')).join('|')})/?$`,
)

export const isAppPath = (path: string) => appPath.test(path)

/**
 * Caches the shell (this worker is useless without it), the previous version's pages, and those open now, whose paths it returns.
 */
export async function cacheFirstPages(): Promise<string[]> {
  // Before fetching anything, because the visitor may be about to leave the first page.
  const open = await openPaths()
  const cache = await caches.open(cacheName)
  await cache.add(shellPath)
  const seen = await Promise.all((await oldCaches()).map(async (name) => (await caches.open(name)).keys()))
  await cachePages([...seen.flat().map(pathOf), ...open])
  return open
}

/** The pages open by now: another may have opened while this worker was installing. */
export const cacheOpenPages = async () => cachePages(await openPaths())

async function openPaths(): Promise<string[]> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return open.map(pathOf)
}

const pathOf = ({ url }: { url: string }) => new URL(url).pathname

/** One after the other, because the signal may be weak. */
async function cachePages(paths: readonly string[]): Promise<void> {
  for (const path of new Set(paths))
    if (path !== shellPath && !isAppPath(path)) await cacheSeenPage(path).catch(() => {})
}

/** Caches a page the app's router went to without a navigation request. */
export async function cacheSeenPage(path: string): Promise<void> {
  const cache = await caches.open(cacheName)
  if (!(await cache.match(path))) await revalidatePage(path)
}

const oldCaches = async () =>
  (await caches.keys()).filter((name) => name.startsWith(pageCachePrefix) && name !== cacheName)

export async function deleteOldPages(): Promise<void> {
  await Promise.all((await oldCaches()).map((name) => caches.delete(name)))
}

/** The app's shell and visited pages come from the cache and are revalidated; everything else from the network. */
export async function respondToNavigation(event: FetchEvent, pathname: string): Promise<Response> {
  const path = isAppPath(pathname) ? shellPath : pathname
  const cache = await caches.open(cacheName)
  const cached = await cache.match(path)
  if (!cached) return fromNetwork(event, path)
  event.waitUntil(revalidateAndNotify(event, path, cached))
  return path === shellPath ? withMicrophone(cached, isVoicePath(pathname)) : cached
}

/** The shell is one document for many paths, and only at some of them may it use the microphone. */
function withMicrophone(shell: Response, isAllowed: boolean): Response {
  const headers = new Headers(shell.headers)
  const policy = headers.get('permissions-policy') ?? ''
  headers.set('permissions-policy', policy.replace(/microphone=\([^)]*\)/, `microphone=(${isAllowed ? 'self' : ''})`))
  return new Response(shell.body, { status: shell.status, headers })
}

async function fromNetwork(event: FetchEvent, path: string): Promise<Response> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), networkTimeoutMs)
  try {
    const response = await fetch(event.request, { signal: timeout.signal })
    // Streams the page to the visitor, even if it can't be cached, as on a full phone.
    event.waitUntil(cachePage(path, response.clone()).catch(() => {}))
    return response
  } catch {
    // The router knows every path: it shows the page, or says there's no signal.
    const shell = await caches.match(shellPath, { cacheName })
    return shell ? withMicrophone(shell, isVoicePath(new URL(event.request.url).pathname)) : Response.error()
  } finally {
    clearTimeout(timer)
  }
}

/** The number of recently read pages to keep. */
const maxPages = 60

/** Caches only whole pages and this build's shell; returns whether it cached this response. */
async function cachePage(path: string, response: Response): Promise<boolean> {
  const kind = response.headers.get('x-page')
  const isOfThisBuild = response.headers.get('x-build') === __BUILD__
  const isCacheable = response.ok && isOfThisBuild && kind === (path === shellPath ? 'shell' : 'page')
  const cache = await caches.open(cacheName)
  const shownBefore = lookOf(await cache.match(shellPath))
  const look = lookOf(response)
  if (isCacheable) {
    const movedFrom = response.headers.get('x-moved-from')?.split(' ') ?? []
    await cache.put(path, path === shellPath ? withMicrophone(response, false) : response)
    for (const before of movedFrom) await cache.put(before, Response.redirect(path, 301))
    if (look !== shownBefore) await (path === shellPath ? renewOtherLooks(cache, look) : revalidatePage(shellPath))
    const others = (await cache.keys()).filter(({ url }) => ![path, shellPath].includes(new URL(url).pathname))
    for (const oldest of others.slice(0, Math.max(0, others.length + 2 - maxPages))) await cache.delete(oldest)
  } else if (kind === 'missing') await cache.delete(path)
  return isCacheable
}

/** The brand's look; a page in the shipped look names none. */
const lookOf = (response: Response | undefined) => response?.headers.get('x-look') ?? ''

/** Once the shell has another look, so do all pages: without signal, none may show the old name and colours. */
async function renewOtherLooks(cache: Cache, look: string): Promise<void> {
  for (const request of await cache.keys()) {
    if (lookOf(await cache.match(request)) !== look) await revalidatePage(pathOf(request)).catch(() => {})
  }
}

/** The ETag of the page now cached; null if we didn't cache the response, because it's another build's or a Wi-Fi sign-in page. */
async function revalidatePage(path: string): Promise<string | null> {
  const response = await fetch(path, { cache: 'no-cache', credentials: 'same-origin' })
  const etag = response.headers.get('etag')
  // The page has moved. Browsers refuse a redirected response, so we store a new one.
  if (response.redirected) return cachePage(pathOf(response), new Response(response.body, response)).then(() => null)
  return (await cachePage(path, response)) ? etag : null
}

/** The ids of clients that haven't asked yet whether their page is out of date. */
const renewedName = 'renewed'
const noteOf = (clientId: string) => `/renewed/${clientId}`

/** In a cache, because a browser may stop an idle worker before a slow phone has run a page's scripts. */
async function noteRenewed(clientId: string): Promise<void> {
  const notes = await caches.open(renewedName)
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const current = new Set(open.map(({ id }) => noteOf(id)))
  for (const note of await notes.keys()) if (!current.has(pathOf(note))) await notes.delete(note)
  await notes.put(noteOf(clientId), new Response())
}

/** Tells a page that has just started listening what it missed. */
export async function notifyLateListener(client: Client): Promise<void> {
  const notes = await caches.open(renewedName)
  if (await notes.delete(noteOf(client.id))) client.postMessage({ type: 'page-renewed' })
}

/** Notifies the page that it has changed on the server. */
async function revalidateAndNotify({ resultingClientId }: FetchEvent, path: string, cached: Response): Promise<void> {
  const etag = await revalidatePage(path).catch(() => null)
  if (etag === null || etag === cached.headers.get('etag')) return
  const renewed = await caches.match(path, { cacheName })
  // The page may not be listening yet. It asks about another look itself.
  if (lookOf(renewed) === lookOf(cached)) await noteRenewed(resultingClientId)
  const client = await self.clients.get(resultingClientId)
  client?.postMessage({ type: lookOf(renewed) === lookOf(cached) ? 'page-renewed' : 'look-renewed' })
}

/** Notifies a page if its look isn't the one cached for its path. */
export async function notifyOfOtherLook(client: Client, { path, look }: { path: string; look: string }): Promise<void> {
  const cached = await caches.match(isAppPath(path) ? shellPath : path, { cacheName })
  if (cached && lookOf(cached) !== look) client.postMessage({ type: 'look-renewed' })
}
