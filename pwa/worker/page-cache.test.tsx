import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetReadPages } from '#pwa/lib/page-caches.ts'
import { followServiceWorker } from '#pwa/lib/service-worker.ts'

const pathOf = (request: RequestInfo | URL) =>
  new URL(request instanceof Request ? request.url : request, 'https://site.test').pathname

/** The part of the browser's Cache Storage the worker uses. */
function createCaches() {
  const stores = new Map<string, Map<string, Response>>()
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>()
    stores.set(name, store)
    return {
      match: async (request: RequestInfo) => store.get(pathOf(request))?.clone(),
      put: async (request: RequestInfo, response: Response) => void store.set(pathOf(request), response),
      delete: async (request: RequestInfo) => store.delete(pathOf(request)),
      keys: async () => [...store.keys()].map((path) => new Request(new URL(path, 'https://site.test'))),
    }
  }
  const match = async (request: RequestInfo, { cacheName }: { cacheName: string }) =>
    (await open(cacheName)).match(request)
  return { open, match, stores, keys: async () => [...stores.keys()] }
}

const pageOf = (etag: string) => new Response('page', { headers: { 'x-page': 'page', 'x-build': 'b1', etag } })

let caches: ReturnType<typeof createCaches>
let clients: { id: string; postMessage: (message: unknown) => void }[]
let stop = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  caches = createCaches()
  clients = []
  vi.stubEnv('PROD', true)
  for (const [name, value] of Object.entries({
    __BUILD__: 'b1',
    __APP_PATHS__: ['/members'],
    caches,
    fetch: async () => pageOf('"new"'),
    clients: { matchAll: async () => clients, get: async (id: string) => clients.find((one) => one.id === id) },
  }))
    vi.stubGlobal(name, value)
})
afterEach(() => {
  stop()
  stop = () => {}
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

/** Navigates as the browser does: `id` is the resulting page's. */
async function navigate(id: string) {
  const { respondToNavigation } = await import('./page-cache.ts')
  const work: Promise<unknown>[] = []
  const event = { resultingClientId: id, waitUntil: (one: Promise<unknown>) => work.push(one) }
  // The one cast: the worker uses no more of the event.
  const response = await respondToNavigation(event as unknown as FetchEvent, '/about')
  await Promise.all(work)
  return response.headers.get('etag')
}

async function listen(id: string): Promise<number> {
  const { notifyLateListener } = await import('./page-cache.ts')
  const active = { postMessage: (_message: { type: string }) => {} }
  const registration = Object.assign(new EventTarget(), { active })
  const ready = Promise.resolve(registration)
  const container = Object.assign(new EventTarget(), { ready, register: async () => registration, controller: active })
  const told: Promise<void>[] = []
  const postMessage = (data: unknown) => container.dispatchEvent(new MessageEvent('message', { data }))
  const page = { id, postMessage }
  active.postMessage = ({ type }) => {
    // The one cast: the worker uses no more of its client.
    if (type === 'look-shown') told.push(notifyLateListener(page as unknown as Client))
  }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: container })
  const onRenewed = vi.fn()
  stop()
  stop = followServiceWorker({ look: '', onWaiting: () => {}, onRenewed })
  await ready
  await Promise.all(told)
  return onRenewed.mock.calls.length
}

test('a page that listens only after it was told still learns, once, that the server has a newer one', async () => {
  await (await caches.open('pages-b1')).put('/about', pageOf('"old"'))
  clients = [{ id: 'early', postMessage: () => {} }]
  await navigate('early')
  expect([await listen('another'), await listen('early'), await listen('early')]).toEqual([0, 1, 0])
  await navigate('early')
  expect(await listen('early')).toBe(0)
})

test('what a page that has gone was to be told is not kept', async () => {
  const notes = () => [...(caches.stores.get('renewed')?.keys() ?? [])]
  for (const id of ['first', 'second']) {
    await (await caches.open('pages-b1')).put('/about', pageOf('"old"'))
    clients = [{ id, postMessage: () => {} }]
    await navigate(id)
  }
  expect(notes()).toEqual(['/renewed/second'])
})

test('an owner who has just changed a page sees it changed, and without signal still has the app', async () => {
  const pages = await caches.open('pages-b1')
  await pages.put('/app-shell', new Response('shell'))
  await pages.put('/about', pageOf('"old"'))
  expect(await navigate('before')).toBe('"old"')
  await pages.put('/about', pageOf('"old"'))
  await forgetReadPages()
  expect(await pages.match('/app-shell')).toBeDefined()
  expect(await navigate('after')).toBe('"new"')
})
