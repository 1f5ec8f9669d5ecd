import { findViolations } from './axe.ts'
import { pages } from './content.ts'
import { everydaySizes, expect, test } from './fixtures.ts'

const { packages, gallery } = pages.quotient

for (const [size, options] of everydaySizes) {
  test.describe(size, () => {
    test.use(options)

    test('QUOT-1 QUOT-6 to the packages, and on with one of them', { tag: '@full' }, async ({ page }) => {
      await page.goto('/quotient')
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('link', { name: 'GET STARTED' }).click()
      await expect(page.getByRole('heading', { name: packages.heading })).toBeInViewport()
      await page.getByRole('link', { name: `CHOOSE ${packages.offers.master.name}` }).click()
      await expect(page).toHaveURL('/quotient/checkout?package=master')
      await expect(page.getByText('£900.00')).toBeVisible()
      expect(await findViolations(page)).toEqual([])
      await expect(page.getByRole('heading', { name: 'Your Business Details' })).toBeVisible()
    })

    test('QUOT-7 the pictures, whole: by arrows, by keys, and back to where one was', { tag: '@full' }, async ({
      page,
    }) => {
      await page.goto('/quotient')
      const more = page.getByRole('button', { name: 'View More Examples' })
      await more.click()
      const dialog = page.getByRole('dialog', { name: 'Sample quotes' })
      await expect(dialog.getByRole('status')).toHaveText(/^1 of 6/)
      await dialog.getByRole('button', { name: 'Next example' }).click()
      await page.keyboard.press('ArrowRight')
      await expect(dialog.getByRole('status')).toHaveText(/^3 of 6/)
      await page.keyboard.press('ArrowLeft')
      await dialog.getByRole('button', { name: 'Previous example' }).click()
      await page.keyboard.press('ArrowLeft')
      await expect(dialog.getByRole('img')).toHaveAttribute('src', '/pictures/quote-6.svg')
      expect(await findViolations(page)).toEqual([])
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(more).toBeFocused()
      await page.getByRole('img', { name: gallery.pictures[3] }).click()
      await expect(dialog.getByRole('status')).toHaveText(/^4 of 6/)
    })
  })
}

test('QUOT-7 a swipe leads to the next picture', { tag: '@full' }, async ({ page }) => {
  await page.goto('/quotient')
  await page.getByRole('button', { name: 'View More Examples' }).click()
  const picture = page.getByRole('dialog').getByRole('img')
  const from = { pointerType: 'touch', isPrimary: true, clientY: 300 }
  await picture.dispatchEvent('pointerdown', { ...from, clientX: 300 })
  await picture.dispatchEvent('pointerup', { ...from, clientX: 120 })
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(/^2 of 6/)
})

test('QUOT-8 a package that is not there says so, and both are offered; none named means Professional', async ({
  page,
}) => {
  await page.goto('/quotient/checkout?package=gold')
  await expect(page.getByText('We can’t find that package')).toBeVisible()
  await page.getByRole('link', { name: packages.offers.professional.name }).click()
  await expect(page.getByText('£540.00')).toBeVisible()
  await page.goto('/quotient/checkout')
  await expect(page.getByText('£540.00')).toBeVisible()
})
