import { expect, type Page } from '@playwright/test'
import { logInOverHttp } from './people.ts'

/** Every owners' tab, by place. */
export const adminPaths = [
  '/admin',
  ...[
    ...['members', 'inactive', 'at-risk', 'applications', 'coaching', 'questions', 'contacts', 'bookings', 'orders'],
    'calendar',
    ...['payments', 'earned', 'revenue', 'invoices', 'payouts', 'rates', 'statements', 'tiers', 'videos'],
    'watching',
    ...['blog', 'podcast', 'words', 'media', 'analytics', 'mailings', 'follow-ups', 'announcements'],
    ...['settings', 'owners', 'addresses', 'mail', 'audit', 'jobs', 'tokens', 'move-in'],
  ].map((tab) => `/admin/${tab}`),
]

export async function openAdmin(page: Page) {
  await logInOverHttp(page.request, 'owner@alliance.test')
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible()
  await expectLoaded(page, '/admin')
}

/** By Find, so that the last page's state is still there. */
export async function goWithin(page: Page, path: string) {
  await page.keyboard.press('Control+k')
  const find = page.getByRole('dialog', { name: 'Find' })
  const field = find.getByRole('combobox')
  await field.fill(path === '/admin' ? 'today' : path.slice('/admin/'.length))
  await find.getByRole('option').first().click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
}

/** Nothing is still loading. */
export async function expectLoaded(page: Page, name: string) {
  const loading = page.locator('.panel .skeleton, [aria-label="Loading the admin"]')
  await expect(loading, `${name} is still coming`).toHaveCount(0)
}
