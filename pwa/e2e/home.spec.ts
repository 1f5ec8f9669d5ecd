import type { Page } from '@playwright/test'
import { pages, site } from './content.ts'
import { desktop, everydaySizes, expect, phone, startApp, test } from './fixtures.ts'

const home = pages.home
const [firstQuote = { text: '' }] = home.quotes.items
const count = home.reviews.items.length
const outside = 'https://player.alliance.test'

test.beforeEach(({ context }) =>
  context.route(`${outside}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<html lang="en"><title>Elsewhere</title><h1>Elsewhere</h1></html>',
    }),
  ),
)

const reviews = (page: Page) => page.getByRole('region', { name: 'Reviews' })
const dot = (page: Page, place: number) => reviews(page).getByRole('button', { name: `Review ${place} of ${count}` })
const quoteLabel = (page: Page) => page.getByText(/^(Auto-rotating|Paused)$/)

/** Holds a script back until the returned function lets it go, which fails if the page never asks for it. */
async function holdScript(page: Page, name: string) {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let asked = 0
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    asked += 1
    await held
    await route.continue()
  })
  return async () => {
    await expect.poll(() => asked, `${name} is asked for`).toBe(1)
    release()
  }
}

/** How far the page's layout has shifted so far, by the browser's measure. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0
        const add = (list: PerformanceObserverEntryList) => {
          for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value)
        }
        new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(sum), 100)
      }),
  )

for (const [size, viewport] of everydaySizes) {
  test.describe(size, () => {
    test.use(viewport)

    test('HOME-01 HOME-13 HOME-15 a call is booked in a dialog, by keyboard too', async ({ page }) => {
      await page.goto('/')
      const button = page.getByRole('button', { name: pages.home.actions.call })
      await button.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Book a free call' })
      await expect(dialog.frameLocator('iframe').getByText('Elsewhere')).toBeVisible()
      await expect(dialog.getByRole('link', { name: 'Open the calendar in a new tab' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(button).toBeFocused()
    })

    test('CARO-01 CARO-02 CARO-03 reviews turn once they are near, and stop for a choice', { tag: '@full' }, async ({
      page,
    }) => {
      await page.clock.install()
      await page.goto('/')
      await reviews(page).scrollIntoViewIfNeeded()
      await expect(dot(page, 1)).toHaveAttribute('aria-current', 'true')
      await expect(async () => {
        await page.clock.runFor(4_000)
        await expect(dot(page, 1)).not.toHaveAttribute('aria-current', { timeout: 100 })
      }).toPass()
      await dot(page, count).click()
      await expect(reviews(page).getByRole('button', { name: 'Resume Auto-play' })).toBeVisible()
      await reviews(page).getByRole('button', { name: 'Next review' }).click()
      await expect(dot(page, 1)).toHaveAttribute('aria-current', 'true')
    })

    test('CARO-02 a press on a review’s arrow before its script is there counts, once', { tag: '@full' }, async ({
      page,
    }) => {
      const release = await holdScript(page, 'reviews')
      await page.goto('/')
      const next = reviews(page).getByRole('button', { name: 'Next review' })
      await next.click()
      await expect(dot(page, 1)).toHaveAttribute('aria-current', 'true')
      await release()
      await expect(dot(page, 2)).toHaveAttribute('aria-current', 'true')
      await expect(next).toBeFocused()
      await expect(reviews(page).getByRole('button', { name: 'Resume Auto-play' })).toBeVisible()
    })

    test('QUOTE-03 QUOTE-04 HOME-11 a new quote on request', { tag: '@full' }, async ({ page }) => {
      await page.goto('/')
      await expect(page.locator('.quote blockquote')).toHaveText(firstQuote.text)
      await expect(quoteLabel(page)).toHaveText('Auto-rotating')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(quoteLabel(page)).toHaveText('Paused')
      await expect(page.locator('.quote blockquote')).not.toHaveText(firstQuote.text)
    })

    test('HOME-08 the video plays in its place after a press, and nothing of it loads before', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'WATCH THE VIDEO' }).click()
      await expect(page.frameLocator(`iframe[title="${home.video.label}"]`).getByText('Elsewhere')).toBeVisible()
    })

    test('HOME-09 HOME-11 nothing jumps while the page is scrolled, its parts come alive and move', async ({
      page,
    }) => {
      await page.goto('/')
      // Not what our own font moves when it comes: a machine without Arial, Roboto or Liberation starts with a wider one.
      await page.evaluate(() => document.fonts.ready)
      const moved = await layoutShift(page)
      for (const part of ['.snag', '.signed', '.quote', '.last']) {
        await page.locator(part).scrollIntoViewIfNeeded()
        await page.waitForLoadState('networkidle')
      }
      await expect(page.locator('.quote__leaf')).not.toContainText('Quote')
      expect((await layoutShift(page)) - moved).toBeLessThan(0.01)
    })

    test('COACH-06 COACH-08 COACH-11 the consultation is booked in a dialog; coaches and tiers are a press away', {
      tag: '@full',
    }, async ({ page }) => {
      await page.goto('/coaching')
      await page.getByRole('button', { name: 'BOOK FREE CONSULTATION' }).last().click()
      const dialog = page.getByRole('dialog', { name: pages.coaching.start.dialog })
      await expect(dialog.frameLocator('iframe').getByText('Elsewhere')).toBeVisible()
      await dialog.getByRole('button', { name: 'Close' }).click()
      const chat = page.getByRole('main').getByRole('link', { name: /WhatsApp/ })
      await expect(chat).toHaveCount(site.coaches.length)
      await expect(chat.first()).toHaveAttribute('target', '_blank')
      await page.getByRole('main').getByRole('link', { name: 'CHOOSE YOUR TIER' }).first().click()
      await expect(page).toHaveURL('/membership-application')
    })
  })
}

for (const [size, viewport, expected] of [
  ['phone', phone, 1],
  ['desktop', desktop, 3],
] as const) {
  test.describe(`reviews on a ${size}`, () => {
    test.use(viewport)

    test(`CARO-04 CARO-05 show ${expected}`, { tag: '@full' }, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/')
      await expect(reviews(page).getByRole('figure').filter({ visible: true })).toHaveCount(expected)
    })
  })
}

test.describe('without JavaScript', () => {
  test.use({ ...phone, javaScriptEnabled: false })

  test('HOME-09 HOME-12 every review reads, and what cannot work is not offered', { tag: '@full' }, async ({
    page,
  }) => {
    await page.goto('/')
    await expect(reviews(page).getByRole('figure').filter({ visible: true })).toHaveCount(count)
    await expect(reviews(page).getByRole('button').filter({ visible: true })).toHaveCount(0)
    await expect(page.locator('noscript p').filter({ hasText: 'Booking needs JavaScript.' }).first()).toBeVisible()
    await page.getByRole('link', { name: home.lastCall.action }).click()
    await expect(page).toHaveURL('/coaching-application')
  })
})

test('HOME-12 coming back by a link, the parts that were never sent are drawn', { tag: '@full' }, async ({ page }) => {
  await page.goto('/about')
  await startApp(page)
  await page.getByRole('link', { name: site.brand.name }).first().click()
  await expect(page).toHaveURL('/')
  await reviews(page).scrollIntoViewIfNeeded()
  await expect(dot(page, 1)).toBeVisible()
  await expect(quoteLabel(page)).toBeVisible()
})
