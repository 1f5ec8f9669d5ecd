import type { Page } from '@playwright/test'
import { findViolations } from './axe.ts'
import { expect, isFull, phone, test } from './fixtures.ts'
import { openList } from './members-steps.ts'
import { logInOverHttp } from './people.ts'

test.use(phone)

const screens = [
  '/members',
  '/members?tab=profile',
  '/members?tab=billing',
  '/members/storage',
  '/members/sync',
  ...(isFull ? ['/members/devices', '/members/activity', '/members/data', '/members/mails'] : []),
]

/** As tall as the whole page, so that the tab bar covers nothing. */
async function showAll(page: Page) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width: 390, height })
}

/** Runs in the page: pressable things in the members' area that are too small for a thumb in a glove. */
function tooSmall(): string[] {
  const pressable = 'main :is(a, button, input, select, textarea, summary), .dock a'
  const boxOf = (element: Element) => (element.closest('label') ?? element).getBoundingClientRect()
  return [...document.querySelectorAll(pressable)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.vh'))
    .map((one) => ({ name: one.textContent?.trim().slice(0, 30) || one.outerHTML.slice(0, 60), box: boxOf(one) }))
    .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 55.5)
    .map(({ name, box }) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`)
}

async function expectForSite(page: Page, name: string) {
  await expect(page.locator('main h1').first()).toBeAttached()
  await expect(page.locator('main .skeleton')).toHaveCount(0)
  // Late content makes the page taller, and lies under the tab bar until we resize again.
  await expect(async () => {
    await showAll(page)
    expect(await findViolations(page, ['color-contrast-enhanced', 'target-size']), name).toEqual([])
  }).toPass({ timeout: 30_000 })
  expect.soft(await page.evaluate(tooSmall), `small on ${name}`).toEqual([])
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390)
  await page.setViewportSize(phone.viewport)
}

test('MEMB-03 site mode: every screen of a member in the sun, with large targets, for one hand, from the first paint on', {
  tag: '@full',
}, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await logInOverHttp(page.request, 'standard@alliance.test')
  await openList(page)
  const root = page.locator('html')
  await page.getByRole('button', { name: 'Sun and gloves' }).click()
  await expect(root).toHaveAttribute('data-site', 'right')
  await page.goto('/members?tab=profile')
  await page.getByRole('radio', { name: 'Left hand' }).check()
  await expect(root).toHaveAttribute('data-site', 'left')
  for (const path of screens) {
    // The document is in daylight before any of the app's scripts run.
    await page.goto(path, { waitUntil: 'commit' })
    await expect(root).toHaveAttribute('data-site', 'left')
    expect(await root.evaluate((element) => getComputedStyle(element).colorScheme)).toBe('light')
    await expectForSite(page, path)
  }
  // Other pages keep the chosen theme, and so does the members' area once site mode is off.
  await page.goto('/contact')
  await expect(root).not.toHaveAttribute('data-site')
  await page.goto('/members?tab=profile')
  await page.getByRole('radio', { name: 'Off' }).check()
  await expect(root).not.toHaveAttribute('data-site')
  expect(await root.evaluate((element) => getComputedStyle(element).colorScheme)).toBe('dark')
})
