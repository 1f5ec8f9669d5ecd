import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { incidents } from '#api/db/schema/system.ts'
import { recordHeartbeat } from '#api/features/operations/health/service.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { pageData } from '#pwa/testing/public-data.ts'
import { useSlowTimers } from '#pwa/testing/slow-timers.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  recordHeartbeat(world.ctx)
  browser = createBrowser(world)
})

afterEach(async () => {
  vi.useRealTimers()
  await browser.close()
})

const wordOf = (part: string) => screen.getByText(part, { selector: 'dt' }).nextElementSibling?.textContent
const asked = () => browser.network.sent.filter(({ path }) => path === '/api/health').length

test('STAT-1 STAT-3 STAT-4 the whole, the last check, each part with its word, and the three tests', async () => {
  await browser.open('/health')
  await screen.findByText('All good')
  expect(screen.getByText(/^Last check: 12 June 2026/)).toBeTruthy()
  expect([wordOf('Database'), wordOf('Payments'), wordOf('Email')]).toEqual(['connected', 'configured', 'configured'])
  expect(screen.getByText('connected').className).toContain('badge--ok')
  expect(screen.queryByText('Backup')).toBeNull()
  const links = screen.getAllByRole('link', { name: /^Test the/ }).map((link) => link.getAttribute('href'))
  expect(links).toEqual(['/membership-application', '/contact'])
  fireEvent.click(screen.getByRole('button', { name: 'Test the health API' }))
  expect(await screen.findByText('The health API is up')).toBeTruthy()
})

test('STAT-2 CALLS-8 EMSG-11 it asks every five seconds; without an answer it says so and keeps the last one', {
  tags: ['full'],
}, async () => {
  useSlowTimers()
  await browser.open('/health')
  await screen.findByText('All good')
  const before = asked()
  await vi.advanceTimersByTimeAsync(5_000)
  await waitFor(() => expect(asked()).toBe(before + 1))
  world.forward(4 * 60_000)
  await vi.advanceTimersByTimeAsync(5_000)
  await screen.findByText('Something’s broken')
  expect([wordOf('Background jobs'), screen.getByText('missing').className]).toEqual([
    'missing',
    expect.stringContaining('badge--bad'),
  ])
  browser.setSignal(false)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await screen.findByText('System Error')).toBeTruthy()
  expect(screen.getByText(/^Unable to connect to server/)).toBeTruthy()
  expect(wordOf('Database')).toBe('connected')
})

const withoutNoscript = (html: string) => html.replace(/<noscript>.*?<\/noscript>/gs, '')

test('STAT-1 the page that is sent says how things are to visitors without scripts alone', async () => {
  const { createPageRenderer } = await import('#pwa/entry-server.tsx')
  const renderer = createPageRenderer(pageData)
  const { html, state } = await renderer.render(renderer.find('/health'), '/health')
  expect(html).toContain('Loading…')
  expect(withoutNoscript(html)).not.toContain('connected')
  expect(html).toMatch(/<noscript>.*All good.*<dt>Database<\/dt><dd>connected<\/dd>.*<\/noscript>/s)
  expect(JSON.stringify(state.responses)).not.toContain('database')
})

test('the last 90 days say what went wrong, and since when that is known', async () => {
  await browser.open('/health')
  await screen.findByText('No trouble. We began counting on 12 June 2026.')
  world.ctx.db
    .insert(incidents)
    .values({
      id: world.ctx.newId(),
      part: 'site',
      startedAt: '2026-06-12T06:00:00.000Z',
      endedAt: '2026-06-12T06:12:00.000Z',
    })
    .run()
  await browser.open('/health')
  await screen.findByText('The site couldn’t be reached for 12 minutes.')
  expect(screen.getByText('12 June 2026, 07:00')).toBeTruthy()
})
