import '#pwa/testing/window.ts'
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { createBrowser } from '#pwa/testing/browser.tsx'

const world = startWorld()
const browser = createBrowser(world)
afterEach(() => browser.close())

test('a link in the app to an address that a post had before leads to the one it has now, and back past it', async () => {
  const owner = world.signIn(world.addOwner())
  const post = { title: 'Which van?', slug: 'which-van', content: '<p>A long one.</p>', isPublished: true }
  const { id, version } = await (await owner('/api/admin/blog', { body: post })).json()
  await owner(`/api/admin/blog/${id}`, { method: 'PATCH', body: { slug: 'vans', version } })
  const page = await browser.open('/blog')
  await page.go('/blog/which-van')
  await screen.findByRole('heading', { level: 1, name: post.title })
  expect(page.address()).toBe('/blog/vans')
  // It wasn't requested twice.
  expect(browser.network.sent.map(({ path }) => path).filter((path) => path.startsWith('/api/blog/'))).toEqual([
    '/api/blog/which-van',
  ])
  page.back()
  await expect.poll(page.address).toBe('/blog')
  await page.go('/blog/vans-of-old')
  await screen.findByRole('heading', { level: 1, name: 'POST NOT FOUND' })
})
