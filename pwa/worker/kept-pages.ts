/// <reference lib="webworker" />

declare const self: ServiceWorkerGlobalScope

/** Set by the build: which build this is, and which paths the browser renders itself, with $ before what varies. */
declare const __BUILD__: string
declare const __APP_PATHS__: string[]

/** Pages name the chunks of their build, so each build keeps its own. */
const prefix = 'pages-'
const cacheName = prefix + __BUILD__

/** Header and footer, with room for what the browser renders. */
const shellPath = '/app-shell'

/** With less signal than this the shell is better than waiting. */
const patienceMs = 8_000

const appPath = new RegExp(
  `^(${__APP_PATHS__.map((path) => path.replace(/[.*+?^()[\]{}|\\]/g, '\\$&').replace(/\$[^/]*/g, '[^/]+')).join('|')})/?$`,
)

/** Whether the browser renders what is at a path by itself. */
export const isAppPath = (path: string) => appPath.test(path)

/** Keeps the shell, without which this worker is of no use, the pages that the version before had, and those open now; answers the paths of these. */
export const keepFirstPages = async (): Promise<string[]> => {
  const cache = await caches.open(cacheName)
  await cache.add(shellPath)
  const seen = await Promise.all((await oldCaches()).map(async (name) => (await caches.open(name)).keys()))
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const pathOf = ({ url }: { url: string }) => new URL(url).pathname
  const paths = new Set([...seen.flat(), ...open].map(pathOf))
  paths.delete(shellPath)
  // One after the other: there may be only one bar.
  for (const path of paths) if (!isAppPath(path)) await keepSeenPage(path).catch(() => {})
  return open.map(pathOf)
}

/** A page that no request of its own was made for, since the app went there by itself. */
export const keepSeenPage = async (path: string) => {
  const cache = await caches.open(cacheName)
  if (!(await cache.match(path))) await renew(path)
}

const oldCaches = async () => (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)

export const forgetOldPages = async () => {
  await Promise.all((await oldCaches()).map((name) => caches.delete(name)))
}

/** The shell for app routes and pages seen before come at once and are renewed behind; everything else from the network. */
export const answerNavigation = async (event: FetchEvent, pathname: string): Promise<Response> => {
  const path = isAppPath(pathname) ? shellPath : pathname
  const cache = await caches.open(cacheName)
  const kept = await cache.match(path)
  if (!kept) return fromNetwork(event, path)
  event.waitUntil(renewAndTell(event, path, kept))
  return kept
}

const fromNetwork = async (event: FetchEvent, path: string) => {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), patienceMs)
  try {
    const response = await fetch(event.request, { signal: patience.signal })
    // Whether it could be kept, on a full phone for one, is nothing to the reader, who sees it come in meanwhile.
    event.waitUntil(keep(path, response.clone()).catch(() => {}))
    return response
  } catch {
    // The router knows every path: it shows the page, or says that there is no signal.
    const shell = await caches.match(shellPath, { cacheName })
    return shell ?? Response.error()
  } finally {
    clearTimeout(timer)
  }
}

/** The pages read last; older ones make room. */
const mostKept = 60

/** Keeps what is worth keeping, whole pages and the shell of this very build, and answers whether it was. */
const keep = async (path: string, response: Response): Promise<boolean> => {
  const kind = response.headers.get('x-page')
  const isOurs = response.headers.get('x-build') === __BUILD__
  const isWorthIt = response.ok && isOurs && kind === (path === shellPath ? 'shell' : 'page')
  const cache = await caches.open(cacheName)
  if (isWorthIt) {
    await cache.put(path, response)
    const others = (await cache.keys()).filter(({ url }) => ![path, shellPath].includes(new URL(url).pathname))
    for (const oldest of others.slice(0, Math.max(0, others.length + 2 - mostKept))) await cache.delete(oldest)
  } else if (kind === 'missing') await cache.delete(path)
  return isWorthIt
}

/** The tag of what is kept now; null where the answer was nothing to keep: another build's, or a hotel's sign-in page. */
const renew = async (path: string) => {
  const response = await fetch(path, { cache: 'no-cache', credentials: 'same-origin' })
  const etag = response.headers.get('etag')
  return (await keep(path, response)) ? etag : null
}

/** Tells the page that what it shows has changed on the server. */
const renewAndTell = async ({ resultingClientId }: FetchEvent, path: string, kept: Response) => {
  const etag = await renew(path).catch(() => null)
  if (etag === null || etag === kept.headers.get('etag')) return
  const client = await self.clients.get(resultingClientId)
  client?.postMessage({ type: 'page-renewed' })
}
