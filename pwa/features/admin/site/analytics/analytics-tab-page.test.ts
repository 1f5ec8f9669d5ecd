import '#pwa/testing/window.ts'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
const start = (env: Record<string, string> = {}) => {
  world = startWorld({ env })
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
}
beforeEach(() => start())
afterEach(() => browser.close())

const row = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })

test('ADMN-21 PERM-8 the widget, the card of two tools, and its events, each of which can be tested to its end', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/analytics')
  await screen.findByText('No outside tools are set up, so visitors aren’t asked.')
  const tools = await screen.findByRole('region', { name: 'Analytics tools' })
  expect(
    within(tools)
      .getAllByRole('term')
      .map(({ textContent }) => textContent),
  ).toEqual(['Visit analytics', 'Advert pixel'])
  expect(within(tools).getAllByText('Not set up')).toHaveLength(2)
  const links = within(tools).getAllByRole('link', { name: 'Set it up in Settings' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(2).fill('/admin/addresses?group=measuring'))
  for (const name of ['page_view', 'purchase', 'form_begun', 'form_submit', 'video_complete', 'login']) await row(name)
  fireEvent.click(screen.getByRole('button', { name: 'Send a test: form_submit' }))
  await screen.findByText('form_submit: counted by our server.')
  expect((await row('form_submit')).textContent).toMatch(/with its kind0001/)
  expect(
    world.ctx.sqlite.prepare(`select "key", "count" from daily_counts where kind in ('form_submit', 'test')`).all(),
  ).toEqual([{ key: 'form_submit', count: 1 }])
})

test('ADMN-21 a tool that is set up is named by its host, and what this device has chosen is said', async () => {
  await browser.close()
  start({ ANALYTICS_URL: 'https://tools.example/tag.js' })
  await browser.open('/admin/analytics')
  await screen.findByText(/tools\.example, loaded once a visitor accepts\./)
  screen.getByText('You haven’t chosen on this device yet, so only we count your events.')
})

test('without signal the tab says so, and can be loaded again', { tags: ['full'] }, async () => {
  browser.setDelivery('/api/admin/analytics/counts', 'lose-request')
  await browser.open('/admin/analytics')
  await screen.findByText('No signal')
  browser.setDelivery('/api/admin/analytics/counts', 'deliver')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await row('login')
})
