import { expect, type Page } from '@playwright/test'
import { logInOverHttp } from './people.ts'

/** Every owners' place, by group. */
const more = [
  ...['today', 'watching', 'at-risk', 'coaching', 'contacts', 'bookings', 'calendar', 'orders', 'revenue', 'invoices'],
  ...['statements', 'rates', 'tiers', 'podcast', 'media', 'words', 'announcements', 'mailings', 'follow-ups', 'mail'],
  ...['settings', 'audit', 'jobs'],
]
export const adminPaths = [
  '/admin',
  ...['inactive', 'payments', 'videos', 'applications', 'blog', 'analytics', ...more].map((place) => `/admin/${place}`),
]

export async function openAdmin(page: Page) {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'ADMIN' })).toBeVisible()
  await expectLoaded(page, '/admin')
}

/** Follows the page's link, so that the last page's state is still there. */
export async function goWithin(page: Page, path: string) {
  const link = page.locator(`nav a[href="${path}"]`).first()
  if (!(await link.isVisible())) await page.getByRole('button', { name: /^More of the admin/ }).click()
  await link.click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
}

/** Nothing is still loading. */
export async function expectLoaded(page: Page, name: string) {
  const loading = page.locator('.panel .skeleton, [aria-label="Loading the admin"]')
  await expect(loading, `${name} is still coming`).toHaveCount(0)
}
