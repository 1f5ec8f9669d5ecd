// @module-tag full
import '#pwa/testing/window.ts'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addPost } from '#api/features/site/blog/service.ts'
import { password, quickHash } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { postSeeds } from '#data/seed/posts.ts'
import { publicPaths } from '#pwa/e2e/public-pages.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { press, type } from '#pwa/testing/input.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const heading = () => screen.getByRole('heading', { level: 1 }).textContent

test('PERM-1 a visitor reads every marketing page, the blog, the status and the landing pages, and is sent nowhere else', async () => {
  for (const { daysAgo, ...post } of postSeeds) addPost(world.ctx, { ...post, publishedAt: '2026-06-01T08:00:00.000Z' })
  const refused: string[] = []
  const usual = browser.network.fetch
  browser.network.fetch = async (path, init) => {
    const response = await usual(path, init)
    if (!response.ok) refused.push(`${response.status} ${path}`)
    return response
  }
  const page = await browser.open('/about')
  const seen = new Set<string | null>()
  for (const path of publicPaths) {
    await page.go(path)
    await waitFor(() => expect(seen.has(heading())).toBe(false))
    expect([path, page.address()]).toEqual([path, path])
    seen.add(heading())
  }
  expect(refused).toEqual([])
  expect(seen.size).toBe(publicPaths.length)
  for (const [closed, leadsTo] of [['/members', '/login']] as const) {
    await page.go(closed)
    await waitFor(() => expect(page.address()).toContain(leadsTo))
  }
})

test('PERM-4 a member logs in, reaches the members’ area, and may open the page that restarts a membership', async () => {
  world.addMember({ email: 'danny@alliance.test', passwordHash: quickHash })
  const page = await browser.open('/login')
  await screen.findByLabelText('Email')
  type('Email', 'danny@alliance.test')
  type('Password', password)
  press('Log in')
  await screen.findByRole('heading', { level: 1, name: 'DANNY' })
  expect(page.address()).toBe('/members')
  await page.go('/reactivate')
  await screen.findByText('Your membership is active.')
  expect(heading()).toBe('Welcome Back!')
})
