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
  await Promise.allSettled([...paths].filter((path) => !isAppPath(path)).map(keepSeenPage))
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
  if (!kept) return fromNetwork(event.request, path)
  event.waitUntil(renewAndTell(event, path, kept))
  return kept
}

const fromNetwork = async (request: Request, path: string) => {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(patienceMs) })
    await keep(path, response.clone())
    return response
  } catch {
    // The router knows every path: it shows the page, or says that there is no signal.
    const shell = await caches.match(shellPath, { cacheName })
    return shell ?? Response.error()
  }
}

/** Keeps what is worth keeping: whole pages and the shell of this very build. */
const keep = async (path: string, response: Response) => {
  const kind = response.headers.get('x-page')
  const isOurs = response.headers.get('x-build') === __BUILD__
  const cache = await caches.open(cacheName)
  if (response.ok && isOurs && kind === (path === shellPath ? 'shell' : 'page')) await cache.put(path, response)
  else if (kind === 'missing') await cache.delete(path)
}

const renew = async (path: string) => {
  const response = await fetch(path, { cache: 'no-cache', credentials: 'same-origin' })
  await keep(path, response.clone())
  return response.headers.get('etag')
}

/** Tells the page that what it shows has changed on the server. */
const renewAndTell = async ({ resultingClientId }: FetchEvent, path: string, kept: Response) => {
  const etag = await renew(path).catch(() => null)
  if (etag === null || etag === kept.headers.get('etag')) return
  const client = await self.clients.get(resultingClientId)
  client?.postMessage({ type: 'page-renewed' })
}
