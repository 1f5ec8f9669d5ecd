import { openAdmin } from './admin-steps.ts'
import { desktop, expect, test } from './fixtures.ts'
import { logInOverHttp } from './people.ts'

test.use(desktop)

test('what is typed while Find is still coming is in its field, and leads to somebody’s dialog', {
  tag: '@full',
}, async ({ page }) => {
  await openAdmin(page)
  const network = await page.context().newCDPSession(page)
  await network.send('Network.setCacheDisabled', { cacheDisabled: true })
  const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000 }
  await network.send('Network.emulateNetworkConditions', slow)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('coupon for a member', { delay: 120 })
  const field = page.getByRole('combobox')
  await expect(field).toHaveValue('coupon for a member')
  await network.send('Network.emulateNetworkConditions', { ...slow, latency: 0, downloadThroughput: -1 })

  await field.fill('coupon')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Who gets a free month?' })).toBeVisible()
  await field.fill('priya')
  await page.getByRole('option', { name: /Priya Shah/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Give Priya Shah a free month?' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/admin\/members\/[\w-]+$/)

  await page.keyboard.press('Control+k')
  await field.fill('jot something down')
  await page.keyboard.press('Enter')
  await field.fill('priya')
  await page.getByRole('option', { name: /Priya Shah/ }).click()
  await expect(page.getByLabel('Note, for owners only')).toBeFocused()
})

test('what is typed while the owners’ frame is still coming is in Find once it’s there', async ({ page }) => {
  await logInOverHttp(page.request, 'owner@alliance.test')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/auth/user', async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/admin')
  await expect(page.getByLabel('Loading the admin')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('coupom')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('n')
  release()
  const field = page.getByRole('dialog', { name: 'Find' }).getByRole('combobox')
  await expect(field).toHaveValue('coupon')
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  // Keys are the shortcuts' again.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('m')])
  await expect(page).toHaveURL(/\/admin\/members$/)
})
