import type { Page } from '@playwright/test'
import { findViolations } from './axe.ts'
import { labelOf, site } from './content.ts'
import { expect, phone, startApp, test } from './fixtures.ts'

/** The pages have to come from the server, because we change its responses on the way. */
test.use({ ...phone, serviceWorkers: 'block', expectedComplaints: [/Service Worker registration blocked/] })

const tool = '/outside-tool.js'

/** As if the owner had set up a third-party tool, which receives events and sets a cookie. */
async function withTool(page: Page) {
  const loads: string[] = []
  await page.route(`**${tool}`, (route) => {
    loads.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: 'document.cookie = "visitor=1; path=/"' })
  })
  await page.route(/\/(coaching|contact|about|login|members)?$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.continue()
    const response = await route.fetch()
    const html = await response.text()
    const address = new URL(tool, route.request().url()).href
    const set = html
      .replace('"measuring":{"analytics":""', `"measuring":{"analytics":"${address}"`)
      .replace('<div id="root"', '<div id="root" data-needs-app=""')
    await route.fulfill({ response, body: set })
  })
  return loads
}

const about = site.quickLinks.find(({ path }) => path === '/about')?.label ?? ''

const question = (page: Page) => page.getByRole('region', { name: 'Privacy' })
const stored = (page: Page) => page.evaluate(() => localStorage.getItem('privacy-choice'))
const told = (page: Page) => page.evaluate(() => JSON.stringify(globalThis.dataLayer ?? null))

test('ANLT-01 nothing outside loads before the visitor agrees; then it does, and receives the events', async ({
  page,
}) => {
  const loads = await withTool(page)
  await page.goto('/coaching')
  await expect(question(page)).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  expect([loads, await stored(page), await page.context().cookies()]).toEqual([[], null, []])
  const [agree, refuse] = await Promise.all(
    ['Accept', 'Reject'].map((name) => question(page).getByRole('button', { name }).boundingBox()),
  )
  expect(agree?.width).toBe(refuse?.width)
  await question(page).getByRole('button', { name: 'Accept' }).click()
  await expect(question(page)).toBeHidden()
  await expect.poll(() => loads.length).toBe(1)
  expect(await told(page)).toBe('[{"event":"page_view","path":"/coaching"}]')
  await page.goto('/contact?subject=Hello')
  await page.goto('/contact')
  await expect.poll(() => loads.length).toBe(2)
  await expect(question(page)).toBeHidden()
})

test('ANLT-01 what was agreed to starts on public pages alone, not where somebody logs in', { tag: '@full' }, async ({
  page,
}) => {
  const loads = await withTool(page)
  await page.goto('/login')
  await question(page).getByRole('button', { name: 'Accept' }).click()
  await expect(question(page)).toBeHidden()
  // What follows the choice is a separate part, which the page loads after everything else.
  await page.reload({ waitUntil: 'networkidle' })
  await expect(page.getByRole('form', { name: 'Log in' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Privacy choices' })).toBeVisible()
  expect([loads, await told(page)]).toEqual([[], 'null'])
  await page.getByRole('contentinfo').getByRole('link', { name: about }).click()
  await expect.poll(() => loads.length).toBe(1)
  expect(await told(page)).toBe('[{"event":"page_view","path":"/about"}]')
})

test('ANLT-01 from a page that measures to the login, and back, the browser loads the page: no outside script is there', {
  tag: '@full',
}, async ({ page }) => {
  const loads = await withTool(page)
  const scripts = page.locator(`script[src$="${tool}"]`)
  await page.goto('/')
  await question(page).getByRole('button', { name: 'Accept' }).click()
  await expect.poll(() => loads.length).toBe(1)
  await page.getByRole('button', { name: 'Menu' }).click()
  const counted = page.waitForRequest(
    (request) => request.url().endsWith('/api/analytics/events') && request.postDataJSON().path === '/login',
  )
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: labelOf('/members') }).click()
  await expect(page.getByRole('form', { name: 'Log in' })).toBeVisible()
  expect([await told(page), await scripts.count()]).toEqual(['null', 0])
  await counted
  await page.getByRole('contentinfo').getByRole('link', { name: about }).click()
  await expect.poll(() => loads.length).toBe(2)
  await page.goBack()
  await expect(page.getByRole('form', { name: 'Log in' })).toBeVisible()
  expect([await told(page), await scripts.count()]).toEqual(['null', 0])
  await page.goBack()
  await expect(scripts).toHaveCount(1)
})

test('ANLT-01 what was agreed to can be refused in the footer: the page starts again without it', {
  tag: '@full',
}, async ({ page }) => {
  const loads = await withTool(page)
  await page.goto('/about')
  await question(page).getByRole('button', { name: 'Accept' }).click()
  await expect.poll(() => loads.length).toBe(1)
  await page.getByRole('button', { name: 'Privacy choices' }).click()
  const dialog = page.getByRole('dialog', { name: 'Privacy choices' })
  await expect(dialog.getByText(/counts visits/)).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: 'Reject' }).click()])
  await expect(page.getByRole('button', { name: 'Privacy choices' })).toBeVisible()
  expect([await told(page), await page.context().cookies()]).toEqual(['null', []])
  await page.getByRole('button', { name: 'Privacy choices' }).click()
  await expect(page.getByText('You rejected these')).toBeVisible()
  expect(loads).toHaveLength(1)
})

test('NAV-16 our own counts carry neither cookie nor query, also where nothing outside is set up', {
  tag: '@full',
}, async ({ page }) => {
  const isCounted = (url: string) => url.endsWith('/api/analytics/events')
  const first = page.waitForRequest((request) => isCounted(request.url()))
  await page.goto('/contact?subject=Private')
  const request = await first
  expect(request.postDataJSON()).toEqual({ name: 'page_view', path: '/contact', from: '' })
  expect((await request.allHeaders()).cookie).toBeUndefined()
  expect(await (await request.response())?.status()).toBe(204)
  await startApp(page)
  const second = page.waitForRequest((next) => isCounted(next.url()))
  await page.getByRole('contentinfo').getByRole('link', { name: about }).click()
  expect((await second).postDataJSON()).toEqual({ name: 'page_view', path: '/about' })
  await expect(question(page)).toBeHidden()
  await page.getByRole('button', { name: 'Privacy choices' }).click()
  await expect(page.getByText('We don’t use any.')).toBeVisible()
})
