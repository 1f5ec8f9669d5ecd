import { findViolations } from './axe.ts'
import { labelOf, pages } from './content.ts'
import { everydaySizes, expect, expectColumns, startApp, test } from './fixtures.ts'

const { closing, older } = pages.blog

for (const [size, options] of everydaySizes) {
  test.describe(size, () => {
    test.use(options)

    test('BLOG-1 BLOG-2 BLOG-4 BLOG-5 BLOG-7 from the list to a post, on to its neighbour, and to the coaching', async ({
      page,
    }) => {
      await page.goto('/blog')
      expect(await findViolations(page)).toEqual([])
      for (const title of await page.getByRole('main').getByRole('heading').getByRole('link').all())
        expect((await title.boundingBox())?.height, 'a title is pressed with a thumb').toBeGreaterThanOrEqual(44)
      const older = page.locator('section', { has: page.getByRole('heading', { name: pages.blog.older.heading }) })
      await expectColumns(older.getByRole('listitem'), { onPhone: 1, onDesktop: 3 })
      await page.getByRole('heading', { name: 'Getting paid on time' }).getByRole('link').click()
      await expect(page).toHaveURL('/blog/getting-paid-on-time')
      await expect(page.getByRole('heading', { level: 1, name: 'Getting paid on time' })).toBeVisible()
      expect(await findViolations(page)).toEqual([])
      const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth
      expect(await page.evaluate(isTooWide)).toBe(false)
      await page
        .getByRole('navigation', { name: 'Other posts' })
        .getByRole('link', { name: /Pricing/ })
        .click()
      await expect(page.getByRole('heading', { level: 1, name: 'Pricing a job properly' })).toBeVisible()
      await page.getByRole('main').getByRole('link', { name: closing.action }).click()
      await expect(page).toHaveURL('/coaching')
    })
  })
}

test('BLOG-1 a list that takes its time shows that it is coming', { tag: '@full' }, async ({ page }) => {
  await page.goto('/contact')
  await startApp(page)
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/blog', async (route) => {
    await held
    await route.continue()
  })
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: labelOf('/blog') })
    .click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading…')
  letGo()
  await expect(page.getByRole('heading', { name: older.heading })).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, expectedComplaints: [/status of 404.*\/blog\/nope/] })

  test('BLOG-6 EMSG-22 a post can be read; one that is not there has status 404 and a way back', async ({ page }) => {
    await page.goto('/blog/quoting-faster')
    await expect(page.getByRole('heading', { name: 'Ask before you drive' })).toBeVisible()
    expect((await page.goto('/blog/nope'))?.status()).toBe(404)
    await page.getByRole('main').getByRole('link', { name: 'Back to the blog' }).click()
    await expect(page).toHaveURL('/blog')
  })
})

test('a printed post is black on white, without anything to press', { tag: '@full' }, async ({ page }) => {
  await page.goto('/blog/quoting-faster')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(page.getByRole('navigation', { name: 'Other posts' })).toBeHidden()
  await expect(page.getByRole('link', { name: closing.action })).toBeHidden()
})
