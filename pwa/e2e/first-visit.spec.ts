import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { expect, phone, startApp, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { type Front, startFront } from './front.ts'

test.use({ ...phone, ...withServiceWorker })

const lateMs = 4_000

/** The answers that come late in this journey. */
let late: string[] = []
let shellComes: Promise<void> | null = null
let front: Front
test.beforeAll(async () => {
  front = await startFront(({ path, mode }) => {
    if (path === '/app-shell') return shellComes
    return late.includes(path) && mode !== 'cors' ? setTimeout(lateMs) : null
  })
})
test.afterAll(() => front.stop())

const visits = [
  { name: 'the first page, the worker late', late: ['/sw.js'], open: ['/about'] },
  { name: 'the second page, the worker late', late: ['/sw.js'], open: ['/', '/about'] },
  { name: 'the third page, the worker late', late: ['/sw.js'], open: ['/', '/podcast', '/about'] },
  { name: 'the second page, itself late', late: ['/about'], open: ['/', '/about'] },
  { name: 'the third page, itself late', late: ['/about'], open: ['/', '/podcast', '/about'] },
  { name: 'a page with a form, itself late', late: ['/contact'], open: ['/', '/contact'] },
  { name: 'a page of the app, itself late', late: ['/login'], open: ['/', '/login'] },
]

/** What the worker has for times without signal: pages, and whether the app's screens open. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const pages = names
      .filter((name) => name.startsWith('pages-'))
      .map(async (name) => (await caches.open(name)).keys())
    const paths = (await Promise.all(pages)).flat().map(({ url }) => new URL(url).pathname)
    return names.some((name) => name.startsWith('app-files-')) ? [...paths, '/login'] : paths
  })

const titleOf = async (page: Page, path: string) =>
  /<title>(.*?)<\/title>/.exec(await (await page.request.get(path)).text())?.[1]?.replaceAll('&amp;', '&') ?? ''

for (const visit of visits)
  test(`ROUTE-1 ROUTE-8 ${visit.name}, reads without signal`, { tag: '@full' }, async ({ browser }) => {
    late = visit.late
    const context = await browser.newContext({ ...phone, serviceWorkers: 'allow', baseURL: front.url })
    const page = await context.newPage()
    for (const path of visit.open) {
      await page.goto(path)
      await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)
    }
    const last = visit.open.at(-1) ?? ''
    const heading = await page.getByRole('heading', { level: 1 }).first().textContent()
    await expect.poll(() => kept(page)).toContain(last)
    await underServiceWorker(page)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(heading ?? '')
    await context.close()
  })

test('ROUTE-1 ROUTE-8 pages that the router went to before the worker came read without signal', {
  tag: '@full',
}, async ({ browser }) => {
  late = ['/sw.js']
  const context = await browser.newContext({ ...phone, serviceWorkers: 'allow', baseURL: front.url })
  const page = await context.newPage()
  await page.goto('/')
  await startApp(page)
  for (const path of ['/about', '/privacy', '/contact']) {
    await page
      .locator(`a[href="${path}"]:not([target])`)
      .first()
      .evaluate((link: HTMLAnchorElement) => link.click())
    await expect(page).toHaveURL(path)
    // The link belongs to the page before until this one has rendered.
    await expect(page).toHaveTitle(await titleOf(page, path))
  }
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  for (const path of ['/', '/about', '/contact', '/privacy']) await expect.poll(() => kept(page), path).toContain(path)
  await context.close()
})

test('ROUTE-1 a page that opens while the first version installs is told of no update', async ({ browser }) => {
  late = []
  let sendShell = () => {}
  shellComes = new Promise((resolve) => {
    sendShell = resolve
  })
  const context = await browser.newContext({ ...phone, serviceWorkers: 'allow', baseURL: front.url })
  const page = await context.newPage()
  // For a moment Firefox has it waiting, for nobody to leave.
  await page.addInitScript(() => {
    const { prototype } = ServiceWorkerRegistration
    const { get } = Object.getOwnPropertyDescriptor(prototype, 'waiting') ?? {}
    Object.defineProperty(prototype, 'waiting', {
      get(this: ServiceWorkerRegistration) {
        return this.installing ?? get?.call(this)
      },
    })
  })
  await page.goto('/about')
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.installing)
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot' }).click()
  sendShell()
  await underServiceWorker(page)
  await expect(page.getByText('There’s an update')).toHaveCount(0)
  await context.close()
})
