import { onlineManager } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, configure, render, screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { withOwnCalendar } from '#api/features/calendar/setup-service.ts'
import { sessionCookieName } from '#api/identity/session-cookies.ts'
import { readContent } from '#api/site/content.ts'
import type { TestPerson } from '#api/testing/people.ts'
import type { World } from '#api/testing/world.ts'
import { openSession } from '#pwa/features/auth/session-store.ts'
import { closeFormQueue } from '#pwa/features/forms/form-queue-store.ts'
import { createQueryClient } from '#pwa/lib/query-client.ts'
import { onCaughtError } from '#pwa/lib/request-error.ts'
import { App, createAppRouter } from '#pwa/router.tsx'
import { createNetwork, type Delivery, type Network } from '#pwa/sync/testing/network.ts'
import { createLocks } from '#pwa/sync/testing/phone.ts'
// Large, and loaded on demand by the product. Imported here, so that no test waits for it.
import '#pwa/ui/toast-region.tsx'

/** For requests to anything but the site. */
const outsideFetch = globalThis.fetch

// A long limit, because a busy machine is slow; a wait ends as soon as the element is there. The error leaves out the page's HTML,
// which is too long to read. No page here has a script among its texts, which each element would be asked for.
configure({
  asyncUtilTimeout: 60_000,
  defaultIgnore: '',
  getElementError: (message) => new Error(message?.split('\n')[0]),
})

// A look through a whole page takes as long as the usual 50 ms between two. What's found on a page comes with a change of it, after
// which it's looked through in any case.
type Find = (what: unknown, how?: unknown, wait?: object) => Promise<unknown>
for (const [name, find] of Object.entries<unknown>({ ...screen }))
  if (name.startsWith('find'))
    Object.assign(screen, {
      [name]: (...[what, how, wait]: Parameters<Find>) => (find as Find)(what, how, { interval: 1_000, ...wait }),
    })

/** A browser on the real API: its cookie, its signal, its storage. Pages open and close; what they stored stays. */
export type Browser = {
  network: Network
  cookie: string | null
  open(path: string): Promise<Page>
  signIn(person: TestPerson): void
  close(): Promise<void>
  setSignal(hasSignal: boolean): void
  setDelivery(path: string, delivery: Delivery): void
}

type Page = {
  address(): string
  go(path: string): Promise<void>
  back(): void
  forward(): void
  /** Until nobody is being logged in or out: what a page began would go on in the next test, with its cookie and storage. */
  settled(): Promise<void>
  close(): Promise<void>
}

export function createBrowser(world: World): Browser {
  stubWindow()
  const locks = createLocks()
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  const name = sessionCookieName(world.ctx)
  let page: Page | null = null
  /** Cookies other than the session's, by name. */
  const others = new Map<string, string>()
  const network = createNetwork(async (path, init) => {
    const cookie = [browser.cookie, ...others.values()].filter(Boolean).join('; ')
    const response = await world.handle(toRequest(path, init, init.credentials === 'omit' ? null : cookie || null))
    const sent = response.headers.getSetCookie()
    const set = sent.find((line) => line.startsWith(`${name}=`))
    for (const line of sent) if (line !== set) others.set(line.split('=')[0] ?? '', line.split(';')[0] ?? '')
    if (set !== undefined) browser.cookie = /Max-Age=0(;|$)/.test(set) ? null : (set.split(';')[0] ?? null)
    return response
  })
  const deliveries = new Map<string, Delivery>()
  const browser: Browser = {
    network,
    cookie: null,
    setDelivery: (path, delivery) => void deliveries.set(path, delivery),
    signIn: (person) => {
      browser.cookie = world.signIn(person).cookie
    },
    open: async (path) => {
      await page?.close()
      locks.free()
      page = await openPage(path, world)
      return page
    },
    setSignal: (hasSignal) => {
      network.usual = hasSignal ? 'deliver' : 'lose-request'
      Object.defineProperty(navigator, 'onLine', { configurable: true, value: hasSignal })
      // The manager only listens while a page is open.
      onlineManager.setOnline(hasSignal)
      act(() => void window.dispatchEvent(new Event(hasSignal ? 'online' : 'offline')))
    },
    close: async () => {
      await page?.settled()
      await page?.close()
      browser.setSignal(true)
      await Promise.all((await indexedDB.databases()).map(({ name = '' }) => deleteDatabase(name)))
      localStorage.clear()
      sessionStorage.clear()
      // The next world's Stripe uses whatever global fetch it finds when it's created.
      globalThis.fetch = outsideFetch
    },
  }
  globalThis.fetch = Object.assign(
    (address: string | URL | Request, init: RequestInit = {}) => {
      // The server's own request to the payment sandbox, not the page's.
      if (String(address).startsWith(sandboxHost)) return outsideFetch(address, init)
      const path = pathOf(address)
      // Analytics requests mustn't use up a delivery meant for another request.
      if (path === countingPath) return Promise.resolve(world.handle(toCounted(init)))
      const delivery = deliveries.get(path)
      if (delivery !== undefined) network.next(delivery)
      return network.fetch(path, init)
    },
    { preconnect: () => {} },
  )
  return browser
}

/** Awaited: a late deletion would take what the next test has stored. */
const deleteDatabase = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
  })

const sandboxHost = 'http://127.0.0.1:'

const countingPath = '/api/analytics/events'

/** We don't count programs, so this one claims to be a browser. */
function toCounted(init: RequestInit): Request {
  const request = toRequest(countingPath, init, null)
  request.headers.set('user-agent', 'Mozilla/5.0')
  return request
}

function pathOf(path: string | URL | Request): string {
  const { pathname, search } = new URL(String(path), 'http://localhost')
  return pathname + search
}

function toRequest(path: string, { method = 'GET', body, headers }: RequestInit, cookie: string | null): Request {
  const all = new Headers(headers)
  if (cookie !== null) all.set('cookie', cookie)
  return new Request(`http://localhost${path}`, { method, headers: all, ...(body ? { body } : {}) })
}

async function openPage(path: string, world: World): Promise<Page> {
  const { site: content } = readContent({ ...world.ctx.settings, publicUrl: 'http://localhost' })
  const queryClient = createQueryClient()
  const site = withOwnCalendar(world.ctx, content)
  const router = createAppRouter({ queryClient, content: site }, createMemoryHistory({ initialEntries: [path] }))
  // A page's file is no part of what's tried here.
  const [, , route] = router.getMatchedRoutes(new URL(path, 'http://localhost').pathname)
  await route?.options.component?.preload?.()
  const { unmount } = await act(async () => render(<App router={router} />, { onCaughtError }))
  return {
    address: () => router.state.location.href,
    go: (path) => act(() => router.navigate({ to: path })),
    back: () => act(() => router.history.back()),
    forward: () => act(() => router.history.forward()),
    settled: async () => {
      const { sync } = await openSession(queryClient)
      await waitFor(() => expect(sync.isBusy()).toBe(false))
    },
    close: async () => {
      unmount()
      closeFormQueue(queryClient)
      const { sync } = await openSession(queryClient)
      sync.close()
    },
  }
}

function nothingSeen() {
  return { observe: () => {}, unobserve: () => {}, disconnect: () => {} }
}

/** Adds what a browser has and jsdom lacks. Scrolling answers with a promise, as newer browsers do. */
function stubWindow() {
  window.scrollTo = async () => {}
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} })
  Object.assign(globalThis, { IntersectionObserver: nothingSeen, ResizeObserver: nothingSeen })
  Element.prototype.scrollIntoView = async () => {}
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
  }
  const { click } = HTMLElement.prototype
  // A browser saves a file; jsdom would try to navigate to it. Set again for each browser, because tests put their own in.
  HTMLAnchorElement.prototype.click = function () {
    if (this.download === '') click.call(this)
  }
}
