import '#pwa/testing/window.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'

type Request = { line: string; init: RequestInit }

let world: World
let browser: Browser
let requests: Request[]

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
  requests = []
  const usual = browser.network.fetch
  browser.network.fetch = (path, init) => {
    requests.push({ line: `${init.method ?? 'GET'} ${path}`, init })
    return usual(path, init)
  }
})

afterEach(async () => {
  vi.useRealTimers()
  await browser.close()
})

const lines = () => requests.map(({ line }) => line).sort()
const blogHeading = () => screen.findByRole('heading', { level: 1, name: pageTexts.blog.heading })
const minutes = (count: number) => act(() => vi.advanceTimersByTimeAsync(count * 60_000))

function leaveAndComeBack() {
  for (const state of ['hidden', 'visible'] as const) {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
    act(() => {
      window.dispatchEvent(new Event('visibilitychange'))
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event(state === 'hidden' ? 'blur' : 'focus'))
    })
  }
  vi.restoreAllMocks()
}

test('CALLS-1 API-17 what a page reads is requested by GET at its own path, without a body, and read as JSON', async () => {
  const page = await browser.open('/blog')
  await blogHeading()
  expect(lines()).toEqual(['GET /api/blog', 'GET /api/site-content?page=blog'])
  await page.go('/membership-tiers')
  expect(await screen.findByRole('button', { name: 'JOIN ALLIANCE' })).toBeTruthy()
  expect(lines().slice(-2)).toEqual(['GET /api/site-content?page=blog', 'GET /api/site-content?page=membership-tiers'])
  expect(lines()).toContain('GET /api/membership-tiers')
  for (const { init } of requests) expect([init.body ?? null, init.credentials]).toEqual([null, 'same-origin'])
})

test('CALLS-1 API-16 every request of a member carries the session, and what is sent is JSON', async () => {
  browser.signIn(world.addMember({ firstName: 'Priya' }))
  const page = await browser.open('/members')
  const asked = ['POST /api/video-progress/sync', 'GET /api/member-videos', 'GET /api/billing/subscription']
  await waitFor(() => expect(lines()).toEqual(expect.arrayContaining(asked)))
  await page.go('/reactivate')
  await screen.findByText('Your membership is active.')
  expect(lines()).toContain('GET /api/auth/user')
  for (const { line, init } of requests) {
    expect([line, ['same-origin', 'include']]).toEqual([line, expect.arrayContaining([init.credentials])])
    if (line.startsWith('GET ')) continue
    expect([line, new Headers(init.headers).get('content-type')]).toEqual([line, 'application/json'])
    expect(JSON.parse(String(init.body))).toEqual(expect.any(Object))
  }
})

test('CALLS-1 API-18 a read that fails is not repeated by itself', async () => {
  browser.setDelivery('/api/blog', { status: 500, body: { error: { code: 'internal', message: 'Down.' } } })
  useSlowTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = await browser.open('/about')
  await page.go('/blog')
  await minutes(2)
  expect(lines().filter((line) => line === 'GET /api/blog')).toHaveLength(1)
  expect(screen.queryByRole('heading', { level: 1, name: pageTexts.blog.heading })).toBeNull()
})

test('API-18 API-01 CALLS-43 nothing is polled, nor requested again on coming back; the tiers alone go stale, after 5 minutes', async () => {
  useSlowTimers()
  browser.signIn(world.addUser())
  const page = await browser.open('/blog')
  await blogHeading()
  await page.go('/reactivate')
  await screen.findByRole('heading', { name: 'Welcome Back!' })
  await screen.findByRole('button', { name: 'Join Alliance - £250/month' })
  const before = lines()
  leaveAndComeBack()
  await minutes(4)
  await page.go('/blog')
  await blogHeading()
  await page.go('/membership-tiers')
  await screen.findByRole('button', { name: 'JOIN ALLIANCE' })
  expect(lines()).toEqual([...before, 'GET /api/site-content?page=membership-tiers'].sort())
  await minutes(2)
  await page.go('/blog')
  await page.go('/membership-tiers')
  const tiersRead = () => lines().filter((line) => line === 'GET /api/membership-tiers')
  await waitFor(() => expect(tiersRead()).toHaveLength(2))
  expect(lines().filter((line) => line === 'GET /api/blog')).toHaveLength(1)
})
