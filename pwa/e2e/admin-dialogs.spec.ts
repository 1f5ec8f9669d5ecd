import type { Page } from '@playwright/test'
import { adminPaths, expectLoaded, goWithin, openAdmin } from './admin-steps.ts'
import { facesOf, openersIn } from './dialogs.ts'
import { desktop, expect, isFull, test } from './fixtures.ts'

/** The places with the longest forms; the full run opens every place's. */
const keyPlaces = ['/admin/payments', '/admin/announcements', '/admin/mailings', '/admin/settings', '/admin/podcast']

/** A line of text needs this many px to be readable at a glance. */
const leastWidth = 240

/** Without the two every place has. */
const openers = (page: Page) => openersIn(page.locator('main')).filter({ hasNotText: /^(Find|View as Member)/ })

function tooNarrow(dialog: Element, least: number): string[] {
  const kinds = ['text', 'email', 'url', 'search', 'tel', 'password', 'textarea']
  const fields = [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
  return fields
    .filter((field) => kinds.includes(field.type) && field.checkVisibility())
    .map((field) => ({
      name: field.labels?.[0]?.textContent || field.name,
      width: field.getBoundingClientRect().width,
    }))
    .filter(({ width }) => width < least)
    .map(({ name, width }) => `${name}: ${Math.round(width)} px`)
}

async function openEachDialog(page: Page, place: string) {
  await expectLoaded(page, place)
  for (const face of new Set(await openers(page).evaluateAll(facesOf))) {
    // Other journeys change these lists while this one walks through them.
    const index = (await openers(page).evaluateAll(facesOf)).lastIndexOf(face)
    if (index === -1) continue
    await openers(page).nth(index).click()
    const dialog = page.locator('dialog[open]')
    const title = `${place}, ${await dialog.getByRole('heading').first().textContent()}`
    expect.soft(await dialog.evaluate(tooNarrow, leastWidth), title).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
}

test.describe('desktop', () => {
  test.use(desktop)

  test('every dialog of the owners has room for a line of text in each of its fields', { tag: '@full' }, async ({
    page,
  }) => {
    await openAdmin(page)
    for (const path of isFull ? adminPaths : keyPlaces) {
      await goWithin(page, path)
      await openEachDialog(page, path)
    }
    for (const view of isFull ? ['monthly', 'hours', 'days', 'kinds', 'mail'] : ['kinds']) {
      await page.goto(`/admin/calendar?view=${view}`)
      await openEachDialog(page, `calendar, ${view}`)
    }
    await page.goto('/admin?q=shah')
    await page.getByRole('link', { name: 'Priya Shah', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Priya Shah' })).toBeVisible()
    await openEachDialog(page, 'a member')
  })
})
