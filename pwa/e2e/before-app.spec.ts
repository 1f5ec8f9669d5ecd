import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { labelOf, pages } from './content.ts'
import { desktop, expect, inWholeChromium, phone, test } from './fixtures.ts'

test.use({ ...phone, ...inWholeChromium })

const hasApp = (page: Page) => page.evaluate(() => globalThis.stopCapturingClicks === undefined)

/** How many of the app's files ran, rather than being fetched for later. */
const modules = (page: Page) =>
  page.evaluate(
    () =>
      performance.getEntriesByType('resource').filter((entry) => {
        const { initiatorType, name } = entry as PerformanceResourceTiming
        return name.endsWith('.js') && initiatorType !== 'fetch'
      }).length,
  )

test('NAV-07 NAV-16 a public page is counted, and its menu opens, closes and leads on, before the app is there', async ({
  page,
}) => {
  const counted = page.waitForRequest('**/api/analytics/events')
  await page.goto('/')
  expect((await counted).postDataJSON()).toEqual({ name: 'page_view', from: '', path: '/' })
  await page.waitForLoadState('networkidle')
  const menu = page.getByRole('button', { name: 'Menu' })
  const contact = page.locator('.menu').getByRole('link', { name: labelOf('/contact') })
  await menu.tap()
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await expect(contact).toBeVisible()
  await menu.tap()
  await expect(contact).toBeHidden()
  expect([await hasApp(page), await modules(page)]).toEqual([false, 0])
  await menu.tap()
  await contact.tap()
  await expect(page).toHaveURL('/contact')
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible()
})

test('NAV-07 the app takes over an open menu as it stands, and counts the page no second time', async ({ page }) => {
  let views = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/analytics/events')) views += 1
  })
  await page.goto('/coaching')
  const menu = page.getByRole('button', { name: 'Menu' })
  const entries = page.locator('.menu').getByRole('link')
  await menu.tap()
  await expect(entries.first()).toBeVisible()
  await page.mouse.wheel(0, 10)
  await expect.poll(() => hasApp(page)).toBe(true)
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(entries.first()).toBeHidden()
  await menu.tap()
  await expect(entries.first()).toBeVisible()
  await menu.tap()
  await expect(entries.first()).toBeHidden()
  expect(views).toBe(1)
})

test('NAV-09 on arrival sections far below wait for a scroll; a visitor who comes back is where they were', async ({
  page,
}) => {
  const last = page.locator('main > .last > .wrap')
  const isLaidOut = () => last.evaluate((content) => content.checkVisibility({ contentVisibilityAuto: true }))
  const seen = () =>
    page.locator('main > *').evaluateAll((sections) =>
      sections.flatMap((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return bottom > 0 && top < innerHeight ? [top] : []
      }),
    )
  /** But for what the browser rounds. */
  const isWhereItWas = async (left: readonly number[]) => {
    const now = await seen()
    return now.length === left.length && now.every((top, index) => Math.abs(top - (left[index] ?? 0)) < 3)
  }
  await page.goto('/')
  expect(await isLaidOut()).toBe(false)
  await expect(async () => {
    await page.mouse.wheel(0, 3_000)
    await expect(page.getByRole('contentinfo').getByRole('link').last()).toBeInViewport({ timeout: 200 })
  }).toPass({ intervals: [50] })
  expect(await isLaidOut()).toBe(true)
  await last.scrollIntoViewIfNeeded()
  await expect.poll(() => hasApp(page)).toBe(true)
  const left = await seen()
  await page.reload()
  await expect.poll(() => isWhereItWas(left)).toBe(true)
  await page.goto('/coaching')
  await page.goBack()
  await expect.poll(() => isWhereItWas(left)).toBe(true)
  await page.goto('/#faq')
  expect(await isLaidOut()).toBe(true)
})

test('NAV-07 the menu opens and closes while the rest of the page is still on its way', async ({ page, request }) => {
  const answer = await request.get('/')
  const html = await answer.text()
  const end = html.indexOf('<main')
  let sendRest = () => {}
  const server = createServer(async ({ url = '/', method }, response) => {
    if (method !== 'GET') return response.writeHead(204).end()
    if (url !== '/') {
      // Not by the test's own client: the worker may still ask for a file when the test is over.
      const file = await fetch(new URL(url, answer.url()))
      return response
        .writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? '' })
        .end(await file.bytes())
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write(html.slice(0, end))
    sendRest = () => response.end(html.slice(end))
    return response
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'commit' })
    const menu = page.getByRole('button', { name: 'Menu' })
    const contact = page.locator('.menu').getByRole('link', { name: labelOf('/contact') })
    await menu.tap()
    await expect(contact).toBeVisible()
    await menu.tap()
    await expect(contact).toBeHidden()
    await menu.tap()
    sendRest()
    await page.waitForFunction(() => globalThis.stopMenus !== undefined)
    await expect(contact).toBeVisible()
    await menu.tap()
    await expect(contact).toBeHidden()
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('NAV-16 a press on a link starts the app and leads on, though the browser stops its files for that', async ({
  page,
}) => {
  // As Firefox does as soon as a navigation begins, however long that takes.
  let isStopped = () => {}
  const stopped = new Promise<void>((resolve) => {
    isStopped = resolve
  })
  await page.route('**/assets/core-*.js', (route) => {
    if (route.request().resourceType() === 'fetch') return route.continue()
    isStopped()
    return route.abort()
  })
  // Longer than the app takes to ask for its file, and to reload the page if the server has it.
  await page.route('/contact', async (route) => {
    await stopped
    await setTimeout(1_500)
    await route.continue().catch(() => {})
  })
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  await page.goto('/')
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: labelOf('/contact') })
    .evaluate((link: HTMLElement) => {
      link.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      link.click()
    })
  await expect(page).toHaveURL('/contact')
  expect(documents).toEqual(['/', '/contact'])
})

test('HOME-01 a press on anything else starts the app, and counts', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: pages.home.actions.call }).tap()
  await expect(page.getByRole('dialog', { name: 'Book a free call' })).toBeVisible()
})

test.describe('with a mouse', () => {
  test.use(desktop)

  test('NAV-06 SOFTWARE opens under a mouse that was there before the app', async ({ page }) => {
    await page.goto('/')
    await page.locator('.nav__drop > button').hover()
    await expect(page.locator('.nav__drop').getByRole('link').first()).toBeVisible()
  })
})
