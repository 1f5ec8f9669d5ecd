import type { BrowserContext, Page } from '@playwright/test'
import { findViolations } from './axe.ts'
import { pages, site } from './content.ts'
import { desktop, everydaySizes, expect, isFull, startApp, test } from './fixtures.ts'

const outside = 'https://player.alliance.test'
const salesPage = `${outside}/websites`

const answerOutside = (context: BrowserContext) =>
  context.route(`${outside}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<html lang="en"><title>Elsewhere</title><main><h1>Elsewhere</h1></main></html>',
    }),
  )

/** WCAG 2.2, level AA, without what's in iframes. */
async function expectSound(page: Page) {
  expect(await findViolations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  )
}

const catchUp = ['/catch-up', 'catch-ups', 800] as const
/** One screen at two addresses: everyday runs walk the first, and look at the second. */
const calendarPages = [['/book-call', 'calls', 600] as const, ...(isFull ? [catchUp] : [])]

test.beforeEach(({ context }) => answerOutside(context))

for (const [size, options] of everydaySizes) {
  test.describe(size, () => {
    test.use(options)

    test('ABOUT-01 LAND-6 LAND-7 the pages hold for everybody; the set-up is asked for under its subject', {
      tag: '@full',
    }, async ({ page }) => {
      const { setup } = pages.servicem8
      for (const path of ['/about', '/website-builds', '/catch-up', '/servicem8']) {
        await page.goto(path)
        await expectSound(page)
      }
      await page.getByRole('link', { name: setup.action }).click()
      await expect(page.getByLabel('Message')).toHaveValue(`About: ${setup.subject}\n\n`)
    })

    test('POD-01 the player loads after a press, not before', { tag: '@full' }, async ({ page }) => {
      await page.goto('/podcast')
      await expectSound(page)
      await expect(page.locator('iframe')).toHaveCount(0)
      await page.getByRole('button', { name: pages.podcast.episodes.play }).click()
      await expect(page.frameLocator('iframe[title="Podcast player"]').getByText('Elsewhere')).toBeVisible()
    })

    // When recording, Playwright runs a script in each iframe, which the sandbox's sample pages forbid.
    test.use({ expectedComplaints: [/Blocked script execution in .*\/sandbox\/pages\//] })
    test('LAND-1 LAND-2 LAND-3 the dialogs open and close by keyboard, the video by a press', { tag: '@full' }, async ({
      page,
    }) => {
      await page.goto('/sales-lion')
      await expectSound(page)
      const { call, pricing, payment, videos } = pages['sales-lion']
      for (const { button, second = '', title: dialogName } of [call, pricing]) {
        const opener = page.getByRole('button', { name: `${button} ${second}`.trim() }).first()
        await opener.focus()
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog', { name: dialogName })
        await expect(dialog.frameLocator('iframe').getByText('Elsewhere')).toBeVisible()
        await expectSound(page)
        await dialog.getByRole('button', { name: 'Close' }).focus()
        await page.keyboard.press('Escape')
        await expect(dialog).toBeHidden()
        await expect(opener).toBeFocused()
      }
      await page.getByRole('button', { name: payment.button }).press('Enter')
      await expect(page.frameLocator('dialog iframe, [role=dialog] iframe').getByRole('heading')).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).press('Enter')
      await page.getByRole('button', { name: videos.play }).first().click()
      await expect(page.frameLocator('iframe[title="Demo video"]').getByText('Elsewhere')).toBeVisible()
    })

    for (const [path, calendars, height] of calendarPages) {
      test(`BOOK-3 BOOK-4 BOOK-6 BOOK-7 BOOK-8 ${path}: a coach, their calendar, and back`, { tag: '@full' }, async ({
        page,
      }) => {
        await page.goto(path)
        await expectSound(page)
        const [, { name } = { name: '' }] = site.coaches
        const second = page.getByRole('button', { name: `${pages['book-call'].choice.action} ${name}` })
        await second.press('Enter')
        await expect(page.getByText('Loading calendar...')).toBeVisible()
        await expect(page.getByRole('heading', { name })).toBeFocused()
        const iframe = page.locator('iframe')
        await expect(iframe).toHaveAttribute('src', `${outside}/${calendars}/2`)
        expect((await iframe.boundingBox())?.height).toBe(height)
        await expect(page.getByText('Loading calendar...')).toBeHidden()
        await expectSound(page)
        await page.getByRole('button', { name: 'Choose Different Coach' }).press('Enter')
        await expect(second).toBeFocused()
      })
    }
  })
}

test.describe('the sales page of the website builds', () => {
  test.use(desktop)

  test('WEB-6 opens in a window of 800 by 600 beside the page', { tag: '@full' }, async ({ page }) => {
    await page.goto('/website-builds')
    // Until the app has hydrated, the link opens a tab, as it does without scripts.
    await startApp(page)
    const opening = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'GET YOUR WEBSITE TODAY' }).click()
    const popup = await opening
    await expect(popup).toHaveURL(salesPage)
    expect(await popup.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([800, 600])
    const packages = pages['website-builds'].packages.list
    for (const name of ['VIEW PORTFOLIO', `Get Started with ${packages.at(-1)?.name}`]) {
      const another = page.waitForEvent('popup')
      await page.getByRole('link', { name }).click()
      await expect(await another).toHaveURL(salesPage)
    }
    await expect(page).toHaveURL('/website-builds')
  })

  test('WEB-6 opens in a tab where windows are blocked', { tag: '@full' }, async ({ page, context }) => {
    await page.addInitScript(() => {
      window.open = () => null
    })
    await page.goto('/website-builds')
    await startApp(page)
    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: `Get Started with ${pages['website-builds'].packages.list[0]?.name}` }).click()
    const tab = await opening
    await expect(tab).toHaveURL(salesPage)
    expect(await tab.evaluate(() => window.innerWidth)).toBe(1440)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('WEB-6 BOOK-5 LAND-2 links lead where the buttons would', { tag: '@full' }, async ({ page, context }) => {
    await page.goto('/website-builds')
    await page.waitForFunction(() => globalThis.stopCapturingClicks === undefined)
    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: 'VIEW PORTFOLIO' }).click()
    await expect(await opening).toHaveURL(salesPage)
    await page.goto('/sales-lion')
    await expect(page.getByRole('link', { name: pages['sales-lion'].call.title })).toBeVisible()
    await page.goto('/book-call')
    await expect(
      page.locator('noscript p').filter({ hasText: 'You need JavaScript to choose here.' }).first(),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Open Direct Booking' }).first().click()
    await expect(page).toHaveURL(`${outside}/calls/1`)
  })
})
