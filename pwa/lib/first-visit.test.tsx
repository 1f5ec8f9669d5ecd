import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenNewsIsPossible } from './first-visit.ts'
import { reportPageView } from './page-views.ts'

const openPage = (kind: 'page' | 'shell', controller: object | null) => {
  document.body.innerHTML = `<div id="root" data-page="${kind}"></div>`
  vi.stubGlobal('navigator', { serviceWorker: { controller } })
}

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('on the first page of a first visit nothing is new: it begins with the next page', () => {
  openPage('page', null)
  const begin = vi.fn()
  const stop = whenNewsIsPossible(begin)
  expect(begin).not.toHaveBeenCalled()
  reportPageView('/about')
  expect(begin).toHaveBeenCalledOnce()
  stop()
})

test('a page under a service worker, an app route, or a device that keeps something begins at once', () => {
  for (const [kind, controller, kept] of [
    ['page', {}, false],
    ['shell', null, false],
    ['page', null, true],
  ] as const) {
    if (kept) localStorage.setItem('logout-owed', 'yes')
    openPage(kind, controller)
    const begin = vi.fn()
    whenNewsIsPossible(begin)
    expect([kind, begin.mock.calls.length]).toEqual([kind, 1])
  }
})
