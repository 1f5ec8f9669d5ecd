import type { Locator, Page } from '@playwright/test'
import { facesOf, openersIn } from '#pwa/e2e/dialogs.ts'
import { type Camera, settle } from './camera.ts'
import { fillFields } from './fill.ts'

/** What every place of the owners has. */
const everywhere = /^(Find|View as Member)/

const openDialog = (page: Page) => page.locator('dialog[open]').last()

/**
 * Presses each button in `scope` that opens a dialog, and those in its dialogs. A list's rows have the same buttons, so one row
 * stands for all. `seen` holds what has been drawn on other pages.
 */
export async function shootDialogs(page: Page, camera: Camera, scope: Locator, seen?: Set<string>): Promise<void> {
  const { pathname, search } = new URL(page.url())
  for (const face of new Set(await openersIn(scope).evaluateAll(facesOf))) {
    if (seen?.has(face) || everywhere.test(face)) continue
    seen?.add(face)
    try {
      const title = await openAndShoot(page, camera, scope, { face, name: pathname + search })
      for (const inner of new Set(await openersIn(openDialog(page)).evaluateAll(facesOf))) {
        await openAndShoot(page, camera, openDialog(page), { face: inner, name: title })
        await closeDialogs(page)
        await press(scope, face)
        await openDialog(page).waitFor()
      }
    } catch (error) {
      console.warn(`${pathname}, ${face.slice(0, 40)}: ${String(error).split('\n', 1)}`)
    }
    await closeDialogs(page)
  }
}

type Opened = { face: string; name: string }

async function openAndShoot(page: Page, camera: Camera, scope: Locator, { face, name }: Opened): Promise<string> {
  await press(scope, face)
  const dialog = openDialog(page)
  await dialog.waitFor({ timeout: 10_000 })
  await dialog.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 10_000 })
  await fillFields(dialog)
  const heading = await dialog.getByRole('heading').first().textContent({ timeout: 2000 })
  const title = `${name} · ${heading}`
  const viewport = page.viewportSize()
  const hidden = await dialog.evaluate((element) => element.scrollHeight - element.clientHeight)
  if (viewport && hidden > 0) await page.setViewportSize({ ...viewport, height: viewport.height + hidden + 60 })
  await camera.shoot(page, title, false)
  if (viewport) await page.setViewportSize(viewport)
  return title
}

async function press(scope: Locator, face: string): Promise<void> {
  const openers = openersIn(scope)
  const index = (await openers.evaluateAll(facesOf)).lastIndexOf(face)
  if (index === -1) throw new Error('the button has gone')
  await openers.nth(index).click({ timeout: 5000 })
}

async function closeDialogs(page: Page): Promise<void> {
  for (let tries = 0; tries < 5 && (await page.locator('dialog[open]').count()) > 0; tries += 1)
    await page.keyboard.press('Escape')
  if ((await page.locator('dialog[open]').count()) > 0) await page.reload().then(() => settle(page))
  // What was typed would come back in the next dialog of the same kind.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('owner-draft:')) localStorage.removeItem(key)
  })
}
