import type { Locator, Page } from '@playwright/test'
import { adminPaths, expectLoaded, goWithin, openAdmin } from './admin-steps.ts'
import { facesOf, openersIn } from './dialogs.ts'
import { desktop, expect, isFull, test } from './fixtures.ts'

/** The places with the longest forms; the full run opens every place's. */
const keyPages = ['/admin/payments', '/admin/announcements', '/admin/mailings', '/admin/settings', '/admin/podcast']

/** A line of text needs this many px to be readable at a glance. */
const leastWidth = 240

/** Without the two every place has. */
const openers = (page: Page) => openersIn(page.locator('main')).filter({ hasNotText: /^(Find|View as Member)/ })

function tooNarrow(dialog: Element, least: number): string[] {
  const kinds = ['text', 'email', 'url', 'search', 'tel', 'password', 'textarea']
  const fields = [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')]
  return (
    fields
      // A time has five characters.
      .filter((field) => kinds.includes(field.type) && field.placeholder !== 'HH:MM' && field.checkVisibility())
      .map((field) => ({
        name: field.labels?.[0]?.textContent || field.name,
        width: field.getBoundingClientRect().width,
      }))
      .filter(({ width }) => width < least)
      .map(({ name, width }) => `${name}: ${Math.round(width)} px`)
  )
}

/** The top one, where a dialog has opened another. */
const topDialog = (page: Page) => page.locator('dialog[open]').last()

async function expectRoom(page: Page, place: string) {
  const title = `${place}, ${await topDialog(page).getByRole('heading').first().textContent()}`
  expect.soft(await topDialog(page).evaluate(tooNarrow, leastWidth), title).toEqual([])
}

async function closeAll(page: Page) {
  while ((await page.locator('dialog[open]').count()) > 0) await page.keyboard.press('Escape')
}

/** False if the button has gone: other journeys change these lists while this one walks through them. */
async function press(buttons: Locator, face: string) {
  const index = (await buttons.evaluateAll(facesOf)).lastIndexOf(face)
  if (index === -1) return false
  await buttons.nth(index).click()
  return true
}

async function openEachDialog(page: Page, place: string) {
  await expectLoaded(page, place)
  for (const face of new Set(await openers(page).evaluateAll(facesOf))) {
    if (!(await press(openers(page), face))) continue
    await expectRoom(page, place)
    const within = new Set(await openersIn(topDialog(page)).evaluateAll(facesOf))
    await closeAll(page)
    for (const inner of within) {
      if (!(await press(openers(page), face))) continue
      if (await press(openersIn(topDialog(page)), inner)) await expectRoom(page, `${place}, from a dialog`)
      await closeAll(page)
    }
  }
}

test.describe('desktop', () => {
  test.use(desktop)

  test('every dialog of the owners has room for a line of text in each of its fields', { tag: '@full' }, async ({
    page,
  }) => {
    await openAdmin(page)
    for (const path of isFull ? adminPaths : keyPages) {
      await goWithin(page, path)
      await openEachDialog(page, path)
    }
    for (const view of isFull ? ['monthly', 'hours', 'days', 'kinds', 'mail'] : ['kinds']) {
      await page.goto(`/admin/calendar?view=${view}`)
      await openEachDialog(page, `calendar, ${view}`)
    }
    await page.goto('/admin/videos?lesson=new')
    await openEachDialog(page, 'a new video')
    await page.goto('/admin?q=shah')
    await page.getByRole('link', { name: 'Priya Shah', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Priya Shah' })).toBeVisible()
    await openEachDialog(page, 'a member')
  })
})
