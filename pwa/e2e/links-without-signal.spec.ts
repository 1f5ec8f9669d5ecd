import type { Page } from '@playwright/test'
import { pages } from './content.ts'
import { expect, isFull, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

test.use({
  ...phone,
  ...withServiceWorker,
  expectedComplaints: [/dynamically imported module|Unable to preload/],
})

const notHere = 'Not on this phone yet'
const [promise = ''] = pages.home.hero.promises

/** Pages we open with signal, and text that shows each is on screen. */
const seen: Record<string, string> = {
  '/': promise,
  '/membership-tiers': '£250',
  '/blog': pages.blog.older.heading,
  '/contact': 'Send message',
  '/members': 'videos available',
}

/** Pages we don't open. The app's forms are on the phone anyway, from the service worker's first visit. */
const unseen: Record<string, string> = {
  '/about': notHere,
  '/membership-application': 'Continue to tiers',
  ...(isFull ? { '/podcast': notHere, '/coaching': notHere, '/quotient': notHere, '/health': notHere } : {}),
}

const follow = (page: Page, path: string) =>
  page.evaluate((to) => {
    const link = document.querySelector<HTMLAnchorElement>(`a[href="${to}"]`)
    link?.click()
    return link !== null
  }, path)

async function expectPage(page: Page, path: string, words: string) {
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('main').getByText(words).first(), `${page.url()}: ${words}`).toBeVisible()
}

test('links lead on without signal: to pages that were seen, and to the word that one was not', {
  tag: '@full',
}, async ({ page, context }) => {
  await logInOverHttp(page.request, 'standard@alliance.test')
  for (const [path, words] of Object.entries(seen)) {
    await page.goto(path)
    await expectPage(page, path, words)
    await underServiceWorker(page)
  }
  // Everyday runs go from the front page to a cached and an uncached page; the full run tries all.
  const starts = Object.entries(seen).filter(([path]) => isFull || path === '/')
  for (const [index, [from, words]] of starts.entries()) {
    const others = Object.keys(seen).filter((path) => path !== from)
    const unknown = Object.keys(unseen)
    const targets = isFull ? [...others, ...unknown] : [others[index % others.length], unknown[index % unknown.length]]
    for (const to of targets) {
      await page.goto(from)
      await expectPage(page, from, words)
      await context.setOffline(true)
      if (to !== undefined && (await follow(page, to))) await expectPage(page, to, seen[to] ?? unseen[to] ?? '')
      // The page waiting for signal would otherwise load in the middle of the next one.
      await page.goto('about:blank')
      await context.setOffline(false)
    }
  }
  await page.goto('/')
  await context.setOffline(true)
  await follow(page, '/about')
  await expectPage(page, '/about', notHere)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: notHere })).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('an address that a post had before leads to it, also without signal and where only the newest was opened', {
  tag: '@full',
}, async ({ page, context }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  // Each run has its own slugs, because what they lead to stays.
  const [first, second, third] = ['first', 'second', 'third'].map((name) => `moved-${name}-${Date.now()}`)
  const post = { title: 'Moved twice', slug: first, content: '<p>Words</p>', isPublished: true }
  const { id } = await (await page.request.post('/api/admin/blog', { data: post })).json()
  const moveTo = async (slug: string | undefined, version: number) =>
    expect((await page.request.patch(`/api/admin/blog/${id}`, { data: { slug, version } })).status()).toBe(200)
  await moveTo(second, 1)
  await page.goto(`/blog/${second}`)
  await underServiceWorker(page)
  await moveTo(third, 2)
  // It shows the cached page, and finds that it has moved.
  await page.goto(`/blog/${second}`)
  await expect.poll(() => page.evaluate(async () => (await caches.match(location.href))?.status)).toBe(301)
  await context.setOffline(true)
  for (const slug of [second, first]) {
    await page.goto(`/blog/${slug}`)
    await expectPage(page, `/blog/${third}`, post.title)
  }
})
