import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reportPageView } from '#pwa/lib/page-views.ts'
import { choosePrivacy, readPrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import { track } from '#pwa/lib/track.ts'
import { startTools } from './use-outside-tools.ts'

const measuring = { analytics: 'https://count.example/a.js', pixel: 'https://adverts.example/p.js' }

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<div id="root" data-page="page"></div>'
})
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
  globalThis.dataLayer = undefined
  document.body.replaceChildren()
  for (const script of document.head.querySelectorAll('script')) script.remove()
})

const day = 24 * 60 * 60_000

test('a choice holds for 12 months, and for the tools that it was about', () => {
  expect(readPrivacyChoice(measuring)).toBe('open')
  choosePrivacy(measuring, 'agreed')
  vi.advanceTimersByTime(364 * day)
  expect(readPrivacyChoice(measuring)).toBe('agreed')
  expect(readPrivacyChoice({ ...measuring, pixel: 'https://another.example/p.js' })).toBe('open')
  vi.advanceTimersByTime(2 * day)
  expect(readPrivacyChoice(measuring)).toBe('open')
})

test('ANLT-01 a configured script loads once, receives the events, and does not load where the address may identify the visitor', () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 204 }))
  for (const address of [
    '/reset-password?token=secret',
    '/contact?e=bob%40x.co',
    '/contact?utm_source=letter&phone=0123',
    '/coaching?my_gclid=1',
  ]) {
    window.history.replaceState(null, '', address)
    startTools(measuring)
    track({ name: 'login' })
    expect([address, document.querySelector('head script'), globalThis.dataLayer]).toEqual([address, null, undefined])
  }
  window.history.replaceState(null, '', '/coaching?utm_source=leaflet&gclid=1&fbclid=2&package=master')
  reportPageView('/coaching')
  startTools(measuring)
  startTools(measuring)
  track({ name: 'purchase', value: 300 })
  expect([...document.head.querySelectorAll('script')].map(({ src }) => src)).toEqual(Object.values(measuring))
  expect(globalThis.dataLayer).toEqual([
    { event: 'page_view', path: '/coaching' },
    { event: 'purchase', path: '/coaching', value: 300, currency: 'GBP' },
  ])
})
