import { everydaySizes, expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'
import { expectSound } from './sound.ts'

/** Both sizes run at the same time as the same owner, so each changes its own page. */
const pages: Record<string, string> = { phone: 'blog', desktop: 'about' }

for (const [size, viewport] of everydaySizes) {
  test.describe(size, () => {
    test.use(viewport)

    test('an owner presses words on the page, changes them, shows the draft to somebody and puts them back', {
      tag: '@full',
    }, async ({ page, browser }) => {
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto(`/admin/words?page=${pages[size]}`)
      const isPhone = (page.viewportSize()?.width ?? 0) < 1024
      if (isPhone) await page.getByRole('button', { name: 'Page', exact: true }).click()
      const iframe = page.frameLocator('iframe')
      const heading = iframe.getByRole('heading', { level: 1 })
      const before = (await heading.textContent()) ?? ''
      await heading.click()
      const field = page.getByRole('form', { name: 'Content' }).locator(':focus')
      await expect(field).toHaveId('words-heading')
      await field.fill(`From the van ${size}`)
      await expect(page.getByText(/in your draft, saved at/)).toBeVisible()
      // The page in the iframe is drawn again with it.
      await expect(iframe.locator('h1')).toContainText(`From the van ${size}`, { ignoreCase: true })
      await expectSound(page, 'words')
      await page.getByRole('button', { name: 'Preview link' }).click()
      const link = await page.getByLabel('Address').inputValue()
      await page.keyboard.press('Escape')
      const visitor = await browser.newPage()
      await visitor.goto(link)
      await expect(visitor.getByRole('heading', { level: 1, name: `From the van ${size}` })).toBeVisible()
      await visitor.goto(`/${pages[size]}`)
      await expect(visitor.getByText(`From the van ${size}`)).toHaveCount(0)
      await visitor.close()
      if (isPhone) await page.getByRole('button', { name: 'Page', exact: true }).click()
      await expect(heading).toContainText(`From the van ${size}`, { ignoreCase: true })
      await page.getByRole('button', { name: 'Discard draft' }).click()
      await page.getByRole('button', { name: 'Discard 1 change' }).click()
      await expect(heading).toContainText(before, { ignoreCase: true })
    })
  })
}
