import type { Page } from '@playwright/test'
import { openAdmin } from './admin-steps.ts'
import { openBilling } from './billing-steps.ts'
import { desktop, expect, phone, test } from './fixtures.ts'
import { applicationOf, apply } from './join-steps.ts'
import { joinOverHttp, newPerson } from './people.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Continue to tiers' })

for (const [size, viewport] of Object.entries({ phone, desktop })) {
  test.describe(size, () => {
    test.use(viewport)

    test('JOIN-02 JOIN-07 each step of joining has its button in sight, and a tier that came along its own on top', async ({
      page,
    }) => {
      const sam = newPerson('Sam', 'Height')
      await page.goto('/membership-tiers')
      await page.getByRole('button', { name: 'JOIN ALLIANCE', exact: true }).click()
      await expect(page.getByRole('form', { name: 'Application' })).toBeVisible()
      await expect(next(page)).toBeInViewport({ ratio: 1 })
      const form = page.getByRole('form', { name: 'Application' })
      const clear = form.getByRole('button', { name: 'Clear this form' })
      await expect(clear, 'a link at the foot').toHaveCSS('border-width', '0px')
      for (const [label, value] of applicationOf(sam).slice(0, 6))
        await form.getByLabel(label, { exact: true }).fill(value)
      await form.getByLabel('Years in trade').focus()
      await expect(next(page)).toBeInViewport({ ratio: 1 })
      await apply(page, sam)
      const join = page.getByRole('button', { name: 'Continue with Alliance' })
      expect(await join.evaluate((button) => button.getBoundingClientRect().bottom + scrollY)).toBeLessThanOrEqual(700)
    })
  })
}

test.describe('on a phone', () => {
  test.use(phone)

  test('the links beside a long first name stay on one line, and a dialog’s title keeps clear of the ring of its cross', async ({
    page,
  }) => {
    await joinOverHttp(page.request, newPerson('Bartholomew', 'Lintel'))
    await openBilling(page)
    await expect(page.getByRole('heading', { name: 'BARTHOLOMEW' })).toBeVisible()
    const links = page.getByRole('navigation', { name: 'Account' })
    const tops = await links
      .locator('a, button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    await page.getByRole('button', { name: 'Cancel membership' }).click()
    const dialog = page.getByRole('dialog')
    const right = await dialog.getByRole('heading', { level: 2 }).evaluate((title) => {
      const words = document.createRange()
      words.selectNodeContents(title)
      return words.getBoundingClientRect().right
    })
    const cross = await dialog.getByRole('button', { name: 'Close' }).boundingBox()
    expect((cross?.x ?? 0) - right).toBeGreaterThanOrEqual(6)
  })

  test('Engagement says each thing in a line, and shows the one that’s asked for', async ({ page }) => {
    await openAdmin(page)
    await page.goto('/admin/watching')
    const height = () => page.evaluate(() => document.documentElement.scrollHeight)
    await page.getByRole('button', { name: 'Show: Videos' }).scrollIntoViewIfNeeded()
    expect(await height()).toBeLessThan(3 * phone.viewport.height)
    await expect(page.getByRole('table', { name: 'Videos' })).toBeHidden()
    await page.getByRole('button', { name: 'Show: Videos' }).click()
    await expect(page.getByRole('table', { name: 'Videos' })).toBeVisible()
    await page.getByRole('button', { name: 'Hide: Videos' }).click()
    await expect(page.getByRole('table', { name: 'Videos' })).toBeHidden()
  })
})

test.describe('on a desk', () => {
  test.use(desktop)

  test('what saves a form as long as its page stays in sight', { tag: '@full' }, async ({ page }) => {
    await openAdmin(page)
    for (const [path, save] of [
      ['/admin/blog?post=new', 'Save draft'],
      ['/admin/videos?lesson=new', 'Add video'],
    ] as const) {
      await page.goto(path)
      const button = page.getByRole('button', { name: save })
      await expect(button, path).toBeInViewport({ ratio: 1 })
      const { height } = await page.evaluate(() => ({ height: document.documentElement.scrollHeight }))
      expect(height, `${path} is longer than the screen`).toBeGreaterThan(900)
    }
  })
})
