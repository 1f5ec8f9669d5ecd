import type { Page } from '@playwright/test'
import { expect, phone, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { openList, rowOf, syncLine, tick } from './members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'

test.use({ ...phone, ...withServiceWorker })

const title = 'The year on one page'

test('MEMB-10 MEMB-18 MEMB-19 two tabs agree: a tick shows in the other, a logout locks it, whatever it shows', {
  tag: ['@full', '@old'],
}, async ({ page, context }) => {
  await joinOverHttp(context.request, newPerson('Ned', 'Corbel'))
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await underServiceWorker(page)
  const list = await context.newPage()
  await openList(list)
  const account = await context.newPage()
  await account.goto('/members/activity')
  await expect(account.getByRole('list').first()).toBeVisible()
  await tick(page, title)
  await expect(rowOf(list, title)).toContainText('Completed')
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(rowOf(list, title)).toHaveCount(0)
  await expect(list.getByText('NED')).toHaveCount(0)
  await expect(account.getByText('Log in to see this.')).toBeVisible()
})

/** A page from the back-forward cache loads nothing, so there's no load event to wait for. */
const goBack = (page: Page) => page.evaluate(() => window.history.back())

const isVisible = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).visibility)

test('MEMB-10 a page that the browser brings back as it was left shows nothing after a logout', {
  tag: ['@full', '@old'],
}, async ({ playwright, launchOptions, baseURL }) => {
  // As on phones. Playwright's default flag turns the back-forward cache off.
  const ignoreDefaultArgs = ['--disable-back-forward-cache']
  // Headless Chromium has no back-forward cache.
  const executablePath = process.env.E2E_WHOLE_CHROMIUM
  const whole = { ...launchOptions, ...(executablePath ? { executablePath } : {}), ignoreDefaultArgs }
  const browser = await playwright.chromium.launch(whole)
  try {
    const context = await browser.newContext({ ...phone, ...(baseURL ? { baseURL } : {}) })
    await logInOverHttp(context.request, 'xl@alliance.test')
    const page = await context.newPage()
    await openList(page)
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    const markAsSame = () => page.evaluate(() => document.documentElement.setAttribute('data-same', ''))
    await markAsSame()
    // Someone who's still logged in continues where they were.
    await page.goto('/robots.txt')
    await goBack(page)
    await expect(page.locator('html[data-same]')).toHaveCount(1)
    await expect.poll(() => isVisible(page)).toBe('visible')
    await expect(rowOf(page, title)).toBeVisible()

    await page.goto('/robots.txt')
    const other = await context.newPage()
    await openList(other)
    await other.getByRole('link', { name: 'Logout' }).click()
    await expect(other).toHaveURL('/')
    await goBack(page)
    await expect(page.locator('html[data-same]')).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('Access Required')
    await expect(rowOf(page, title)).toHaveCount(0)
  } finally {
    await browser.close()
  }
})
