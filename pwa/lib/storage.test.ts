import '#pwa/testing/window.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { deviceStorage, tabStorage } from './storage.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

test('it is the browser’s own storage where that is open', () => {
  deviceStorage.setItem('one', '1')
  tabStorage.setItem('two', '2')
  expect([{ ...localStorage }, { ...sessionStorage }]).toEqual([{ one: '1' }, { two: '2' }])
  expect([deviceStorage.getItem('one'), deviceStorage.getItem('two'), tabStorage.keys()]).toEqual(['1', null, ['two']])
  expect(deviceStorage.isAvailable()).toBe(true)
  deviceStorage.removeItem('one')
  expect(localStorage).toHaveLength(0)
})

test('blocked, values live as long as the page; full, the stored value does not hide the newer one', () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', new Proxy({}, { get: refuse, ownKeys: refuse }))
  expect(deviceStorage.isAvailable()).toBe(false)
  deviceStorage.setItem('draft', 'a')
  expect([deviceStorage.getItem('draft'), deviceStorage.keys()]).toEqual(['a', ['draft']])
  deviceStorage.removeItem('draft')
  expect([deviceStorage.getItem('draft'), deviceStorage.keys()]).toEqual([null, []])
  vi.unstubAllGlobals()
  deviceStorage.setItem('draft', 'old')
  vi.stubGlobal('localStorage', { getItem: () => 'old', setItem: refuse, removeItem: () => {} })
  deviceStorage.setItem('draft', 'new')
  expect(deviceStorage.getItem('draft')).toBe('new')
  vi.unstubAllGlobals()
  deviceStorage.setItem('draft', 'newest')
  expect([deviceStorage.getItem('draft'), localStorage.getItem('draft')]).toEqual(['newest', 'newest'])
})
