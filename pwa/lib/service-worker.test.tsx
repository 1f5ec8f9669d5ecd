import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followServiceWorker } from './service-worker.ts'

/** A browser with a new version installed that never reports taking over, as Safari on an iPhone sometimes does. */
function createSilentBrowser() {
  const waiting = Object.assign(new EventTarget(), {
    scriptURL: new URL('/sw.js', location.href).href,
    state: 'installed',
    postMessage: vi.fn((_message: unknown, [port]: readonly MessagePort[] = []) => port?.postMessage(undefined)),
  })
  const update = vi.fn(async () => {})
  const active = Object.assign(new EventTarget(), { postMessage: vi.fn() })
  const registration = Object.assign(new EventTarget(), { waiting, active, installing: null, update })
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: null,
    ready: Promise.resolve(registration),
    register: async () => registration,
    getRegistration: async () => registration,
  })
  return { waiting, update, serviceWorker }
}

const reload = vi.fn()
let browser: ReturnType<typeof createSilentBrowser>
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubEnv('PROD', true)
  browser = createSilentBrowser()
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: browser.serviceWorker })
  vi.stubGlobal('location', { ...location, href: location.href, pathname: '/', reload })
})

afterEach(() => {
  stop()
  reload.mockClear()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

async function follow(): Promise<() => void> {
  let load: (() => void) | undefined
  stop = followServiceWorker({
    look: '',
    onWaiting: (loadNow) => {
      load = loadNow
    },
    onRenewed: () => {},
  })
  await vi.advanceTimersByTimeAsync(1_000)
  if (!load) throw new Error('No version waits.')
  return load
}

test('one press loads the new version, also where the browser never says that it took over', async () => {
  const load = await follow()
  load()
  expect(browser.waiting.postMessage).toHaveBeenCalledWith({ type: 'SKIP_WAITING' }, expect.anything())
  await vi.advanceTimersByTimeAsync(4_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a navigation that has begun meanwhile isn’t undone by the new version; one that leads nowhere is over in a while', async () => {
  const load = await follow()
  load()
  await vi.advanceTimersByTimeAsync(3_000)
  window.dispatchEvent(new Event('beforeunload'))
  await vi.advanceTimersByTimeAsync(9_000)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('an app that is taken up again after hours looks for a new version, and not more often', async () => {
  await follow()
  const comeBack = () => document.dispatchEvent(new Event('visibilitychange'))
  comeBack()
  expect(browser.update).not.toHaveBeenCalled()
  vi.setSystemTime(Date.now() + 3 * 60 * 60_000)
  comeBack()
  comeBack()
  expect(browser.update).toHaveBeenCalledTimes(1)
})
