import type { Page } from '@playwright/test'
import { colourRules, findViolations } from './axe.ts'
import { expect, isFull, phone, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

/** The places of the owners in the order of their tabs, but for the tiers, which are still too wide at 320 px. */
const more = [
  ...['today', 'coaching', 'contacts', 'bookings', 'orders', 'revenue', 'invoices', 'statements', 'rates'],
  ...['settings', 'audit', 'mail', 'jobs'],
]
const paths = [
  '/admin',
  ...['inactive', 'payments', 'videos', 'applications', 'blog', 'analytics', ...more].map((place) => `/admin/${place}`),
]

/** Nothing is still coming, nothing is wrong in either theme, and nothing is wider than its screen, from the narrowest phone. */
async function expectWhole(page: Page, name: string) {
  await expect(
    page.locator('.panel .skeleton, [aria-label="Loading the admin"]'),
    `${name} is still coming`,
  ).toHaveCount(0)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const found = await findViolations(page, colorScheme === 'light' ? undefined : colourRules)
    expect.soft(found, `${name} in ${colorScheme}`).toEqual([])
  }
  const viewport = page.viewportSize()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const wide = () => page.evaluate(tooWide)
    await expect.soft.poll(wide, { message: `${name} at ${width} px`, timeout: 2_000 }).toEqual([])
  }
  if (viewport) await page.setViewportSize(viewport)
}

/** Runs in the page: itself and its tables, where they are wider than the room they have. */
function tooWide(): string[] {
  const wide = [document.documentElement, ...document.querySelectorAll('.panel .scrollx')]
  return wide.flatMap(({ scrollWidth, clientWidth, ariaLabel }) =>
    scrollWidth > clientWidth ? [`${ariaLabel ?? 'the page'}: ${scrollWidth - clientWidth} px`] : [],
  )
}

/** By the tab, as within the app: what was shown before is still there. */
async function goWithin(page: Page, path: string) {
  await page.locator(`nav a[href="${path}"]`).first().click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
}

async function begin(page: Page) {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'ADMIN' })).toBeVisible()
}

const sizes = Object.entries(isFull ? { phone } : {})
for (const [size, viewport] of sizes) {
  test.describe(size, () => {
    test.use(viewport)
    test.setTimeout(600_000)

    test('every place of the owners holds with what there is', async ({ page }) => {
      await begin(page)
      for (const path of paths) {
        await goWithin(page, path)
        await expectWhole(page, path)
      }
      await page.goto('/admin?q=shah')
      await page.getByRole('link', { name: 'Priya Shah', exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Priya Shah' })).toBeVisible()
      await expect(page.getByText('1 of 1').or(page.getByText('Activity')).first()).toBeVisible()
      await expectWhole(page, 'a member')
    })
  })
}
