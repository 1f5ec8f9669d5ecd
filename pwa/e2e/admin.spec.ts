import { everydaySizes, expect, phone, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

for (const [size, viewport] of everydaySizes) {
  test.describe(size, () => {
    test.use(viewport)

    test('ADMN-1 PERM-5 a member is led away before any code of the admin is loaded', { tag: '@full' }, async ({
      page,
    }) => {
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
      await logInOverHttp(page.request, 'lite@alliance.test')
      await page.goto('/admin/members')
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(loaded.filter((path) => /admin-frame|assets\/office-|\/api\/admin/.test(path))).toEqual([])
    })

    test('ADMN-2 ADMN-5 ADMN-6 ADMN-8 an owner finds a member, whose dialogs hold for everybody', async ({ page }) => {
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto('/admin/members')
      await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'More for Priya Shah' })).toBeVisible()
      await expectSound(page, 'members')
      await page.getByLabel('Find a member').fill('pri sha')
      await expect(page).toHaveURL('/admin/members?q=pri+sha')
      await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
      await expect(page.getByLabel('Find a member')).toBeFocused()
      await page.getByRole('button', { name: 'More for Priya Shah' }).click()
      await page.getByRole('button', { name: 'Remove Priya Shah permanently' }).click()
      const dialog = page.getByRole('dialog', { name: 'Remove Priya Shah permanently?' })
      await expect(dialog.getByText('1 membership (cancelled at Stripe first)')).toBeVisible()
      await expectSound(page, 'removing a member')
      await page.keyboard.press('Escape')
      await page.goBack()
      await page.goto('/admin/members')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV', exact: true }).click()
      expect((await download).suggestedFilename()).toBe('members.csv')
    })
  })
}

test.describe('on a phone', () => {
  test.use(phone)

  test('every tab of a place is in sight, and leaves its content the screen, on a desk too', { tag: '@full' }, async ({
    page,
  }) => {
    await logInOverHttp(page.request, 'owner@alliance.test')
    for (const path of ['/admin/payments', '/admin/settings']) {
      await page.goto(path)
      const tabs = page.getByRole('main').getByRole('navigation').getByRole('link')
      await expect(tabs).toHaveCount(8)
      for (const width of [1440, 1024, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 })
        const lowest = Math.max(
          ...(await tabs.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))),
        )
        expect(lowest, `${path} at ${width} px`).toBeLessThanOrEqual(width < 1024 ? 150 : 160)
      }
    }
  })
})
