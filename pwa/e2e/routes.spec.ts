import type { Page } from '@playwright/test'
import { site } from './content.ts'
import { expect, phone, signIn, test } from './fixtures.ts'

test.use(phone)

async function expectScreen(page: Page, heading: string) {
  await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('navigation')).toHaveCount(1)
  await expect(page.getByRole('contentinfo')).toHaveCount(1)
}

test('ROUTE-11 ROUTE-34 /members answers with the member’s own screen, after login and when it is opened again', {
  tag: '@full',
}, async ({ page }) => {
  await signIn(page, 'lite@alliance.test')
  await expectScreen(page, 'DANNY')
  const response = await page.reload()
  expect([response?.status(), new URL(page.url()).pathname]).toEqual([200, '/members'])
  await expectScreen(page, 'DANNY')
})

test('TIER-01 TIER-10 the button leads down to the tiers, the other one back to the front page', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto('/membership-tiers')
  const tiers = page.locator('#tiers').filter({ hasText: 'Alliance Lite' })
  const below = async () => Math.round((await tiers.boundingBox())?.y ?? Number.NaN)
  expect(await below()).toBeGreaterThan(300)
  await page.getByRole('link', { name: 'SEE THE TIERS' }).click()
  await expect.poll(below).toBeLessThan(100)
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(page).toHaveURL('/')
})

test('NAV-17 no logo can show as a broken picture: it is drawn in the page, also where no picture loads', {
  tag: '@full',
}, async ({ page }) => {
  await page.route(/\.(png|svg|jpe?g|webp|avif|ico)$/, (route) => route.abort())
  await page.goto('/about')
  for (const place of ['banner', 'contentinfo'] as const) {
    const logo = page.getByRole(place).getByRole('link', { name: site.brand.name })
    await expect(logo.locator('img')).toHaveCount(0)
    const drawn = await logo.locator('use').evaluate((use) => {
      const { width, height } = use.getBoundingClientRect()
      return width > 10 && height > 10
    })
    expect(drawn).toBe(true)
  }
})
