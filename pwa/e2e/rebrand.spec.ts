import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import * as v from 'valibot'
import { sandboxPassword } from '#data/seed/people.ts'
import { expect, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { publicPaths } from './public-pages.ts'
import { accent, rebrand, wordsFile } from './rebrand-steps.ts'
import { expectSound } from './sound.ts'
import { allianceIn } from './terminal.ts'
import { countOldPixels, findTraces } from './traces.ts'

// The missing page returns 404.
test.use({ ...phone, ...withServiceWorker, expectedComplaints: [/404 .*\/no-such-page/] })

const ink = '#151612'

test('NAV-01 NAV-17 a rebrand by commands alone leaves no old name, colour or logo in the browser, kept pages included', {
  tag: '@full',
}, async ({ page, context }) => {
  // It reads every page by day and by night, pixel by pixel.
  test.setTimeout(600_000)
  const server = await startOwnServer()
  const files = mkdtempSync(join(tmpdir(), 'alliance-rebrand-'))
  try {
    await test.step('pages are kept by the service worker', async () => {
      await page.goto(`${server.url}/`)
      await underServiceWorker(page)
      for (const path of ['/about', '/membership-tiers', '/']) await page.goto(server.url + path)
      expect(await findTraces(page)).not.toEqual([])
      await expect(themeColour(page)).toHaveAttribute('content', '#ffdc00')
    })
    const { coach } = await test.step('the commands', () => rebrand(server, files))
    await test.step('the very next requests have it', async () => {
      const tagline = wordsFile(files, { 'brand.tagline': 'Dovetails and ledgers' })
      expect((await allianceIn(server.env, ['content', 'import', tagline, '--yes'])).code).toBe(0)
      const written = performance.now()
      const html = await (await page.request.get(server.url)).text()
      const manifest = await (await page.request.get(`${server.url}/manifest.webmanifest`)).text()
      const took = `${Math.round(performance.now() - written)} ms from the end of the command to the second answer`
      test.info().annotations.push({ type: 'how long', description: took })
      for (const text of [html, manifest]) expect(text).toContain('Dovetails and ledgers')
    })
    await test.step('a page that was kept renews itself, and so do the others, which are read without signal', async () => {
      await page.goto(`${server.url}/about`)
      // The app, which tells the worker what's shown, starts with the visitor's first sign.
      await page.mouse.move(10, 10)
      await page.mouse.move(20, 20)
      await expect(page.getByRole('banner').getByText('Bench & Sons')).toBeVisible()
      await expect(themeColour(page)).toHaveAttribute('content', accent)
      await expect.poll(() => cachedLooks(page), 'looks that the worker keeps').toHaveLength(1)
      await context.setOffline(true)
      for (const path of ['/', '/membership-tiers']) {
        await page.goto(server.url + path)
        await expect(page.getByRole('banner').getByText('Bench & Sons')).toBeVisible()
        expect([path, await findTraces(page)]).toEqual([path, []])
      }
      await context.setOffline(false)
    })
    await test.step('by night the bar is ink, whether the device or the member makes it night', async () => {
      await page.goto(`${server.url}/`)
      await page.getByRole('button', { name: 'Switch between light and dark' }).click()
      await expect(themeColour(page)).toHaveAttribute('content', ink)
      await page.getByRole('button', { name: 'Switch between light and dark' }).click()
      await expect(themeColour(page)).toHaveAttribute('content', accent)
      await page.evaluate(() => localStorage.removeItem('theme'))
    })
    await test.step('photographs stand in their places, as AVIF', () => expectPhotographs(page, server, coach))
    await test.step('every public page', async () => {
      for (const path of publicPaths) await expectNoTrace(page, server, path)
      for (const path of ['/login', '/membership-application', '/no-such-page']) await expectNoTrace(page, server, path)
    })
    await test.step('members and owners', async () => {
      for (const [email, paths] of [
        [
          'lite@alliance.test',
          ['/members', '/members?tab=billing', '/members/videos/the-year-on-one-page', '/book-call?coach=coach-1'],
        ],
        ['owner@alliance.test', ['/admin', '/admin/settings', '/admin/members']],
      ] as const) {
        await context.clearCookies()
        await signInAt(page, server, email)
        for (const path of paths) await expectNoTrace(page, server, path)
      }
    })
    await test.step('files, feeds and mails', () => expectFilesAndMails(page, server))
  } finally {
    await server.stop()
    rmSync(files, { recursive: true, force: true })
  }
})

const themeColour = (page: Page) => page.locator('meta[name=theme-color]').first()

async function signInAt(page: Page, server: OwnServer, email: string) {
  await page.goto(`${server.url}/login`)
  const form = page.getByRole('form', { name: 'Log in' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(sandboxPassword)
  await form.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/members')
}

async function expectNoTrace(page: Page, server: OwnServer, path: string) {
  await page.goto(server.url + path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    expect.soft(await findTraces(page), `${path} in ${colorScheme}`).toEqual([])
    expect.soft(await countOldPixels(page), `old pixels on ${path} in ${colorScheme}`).toBe(0)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

const cachedLooks = (page: Page) =>
  page.evaluate(async () => {
    const looks = new Set<string>()
    for (const name of (await caches.keys()).filter((one) => one.startsWith('pages-')))
      for (const request of await (await caches.open(name)).keys())
        looks.add((await caches.match(request))?.headers.get('x-look') ?? '')
    return [...looks]
  })

async function expectPhotographs(page: Page, server: OwnServer, coach: string) {
  await page.goto(`${server.url}/about`)
  const photograph = page.getByRole('img', { name: 'Dave beside the van' })
  await photograph.scrollIntoViewIfNeeded()
  const shown = () => photograph.evaluate((image: HTMLImageElement) => (image.naturalWidth > 0 ? image.currentSrc : ''))
  const id = /\/media\/([\w-]+)\./.exec(coach)?.[1]
  await expect.poll(shown).toMatch(new RegExp(`/photographs/${id}-\\d+x\\d+\\.avif$`))
  await expectSound(page, 'a page with a photograph')
}

const files = [
  '/manifest.webmanifest',
  '/icons/icon.svg',
  '/rss.xml',
  '/sitemap.xml',
  '/pictures/lesson.svg',
  '/pictures/founder.svg',
]
const pictures = [
  '/favicon.ico',
  '/icons/icon-192.png',
  '/icons/maskable-512.png',
  '/social/default.png',
  '/social/tiers.png',
]

async function expectFilesAndMails(page: Page, { url }: OwnServer) {
  for (const path of files) {
    const text = (await (await page.request.get(url + path)).text()).replaceAll(url, '')
    expect.soft([path, /alliance|ffdc00|173f9e/i.exec(text)]).toEqual([path, null])
  }
  for (const path of pictures.filter((one) => one.endsWith('.png'))) {
    const { dominant } = await sharp(await (await page.request.get(url + path)).body()).stats()
    expect.soft([path, dominant.r > 220 && dominant.g > 180 && dominant.b < 60]).toEqual([path, false])
  }
  const sent = await page.request.post(`${url}/api/contact`, {
    data: { name: 'Kim', email: 'kim@example.com', message: 'Hello' },
  })
  expect(sent.status()).toBe(200)
  const mails = async () => {
    const response = await page.request.get(`${url}/sandbox/mail`, { headers: { accept: 'application/json' } })
    return v.parse(Mailbox, await response.json()).filter(({ to }) => to.includes('kim@example.com'))
  }
  await expect.poll(async () => (await mails()).length).toBeGreaterThan(0)
  for (const { subject, html, text } of await mails()) {
    expect.soft(`${subject} ${html} ${text}`.replaceAll(url, '')).not.toMatch(/alliance|ffdc00|173f9e|a5bdff/i)
    expect.soft(html).toContain('cid:logo')
  }
}

const Mailbox = v.array(v.object({ to: v.string(), subject: v.string(), html: v.string(), text: v.string() }))
