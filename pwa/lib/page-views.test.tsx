import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportPageView, whenUpdatesArePossible } from './page-views.ts'
import { reportUncachedPages } from './uncached-pages.ts'

function openPage(kind: 'page' | 'shell', controller: object | null) {
  document.body.innerHTML = `<div id="root" data-page="${kind}"></div>`
  const { promise: ready, resolve } = Promise.withResolvers<{ active: object }>()
  vi.stubGlobal('navigator', { serviceWorker: { controller, ready } })
  return { activate: (active: object) => resolve({ active }) }
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

test('on the first page of a first visit no update is possible: it begins with the next page', () => {
  openPage('page', null)
  const begin = vi.fn()
  const stop = whenUpdatesArePossible(begin)
  expect(begin).not.toHaveBeenCalled()
  reportPageView('/about')
  expect(begin).toHaveBeenCalledOnce()
  stop()
})

test('pages that opened before there was an active worker are told to it, once, by a page that it does not control', async () => {
  openPage('page', null)
  void reportUncachedPages(navigator.serviceWorker, '/')
  const { activate } = openPage('page', null)
  const told = [reportUncachedPages(navigator.serviceWorker, '/about'), reportUncachedPages(navigator.serviceWorker)]
  const postMessage = vi.fn()
  activate({ postMessage })
  await Promise.all(told)
  expect(postMessage.mock.calls.map(([{ path }]) => path)).toEqual(['/', '/about'])
})

test('a page with a service worker, an app route, or a device with stored values begins at once', () => {
  for (const [kind, controller, isReturning] of [
    ['page', {}, false],
    ['shell', null, false],
    ['page', null, true],
  ] as const) {
    if (isReturning) localStorage.setItem('logout-owed', 'yes')
    openPage(kind, controller)
    const begin = vi.fn()
    whenUpdatesArePossible(begin)
    expect([kind, begin.mock.calls.length]).toEqual([kind, 1])
  }
})
